import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import type { TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import classes from './tasks.module.css';

/** Every check of a run, whether it passed, and why. */
export function TaskChecks({ run: { checks } }: { run: Pick<TaskRunRow, 'checks'> }) {
  const failed = checks.filter(({ passed }) => passed === false).length;
  const unread = checks.filter(({ passed }) => passed === null).length;
  const of = `of ${counted(checks.length, 'check')}`;
  const title =
    checks.length === 0
      ? 'Checks not judged'
      : failed > 0
        ? `${formatCount(failed)} ${of} failed`
        : unread > 0
          ? `${formatCount(unread)} ${of} not judged`
          : 'All checks passed';
  return (
    <section className={classes.panel} aria-label="Checks">
      <h2>{title}</h2>
      <ul className={classes.checks}>
        {checks.map(({ id, passed, reason }) => (
          <li key={id}>
            <div className={classes.checkHead}>
              <code>
                <PlainText text={id} />
              </code>
              <StatusBadge
                tone={passed === null ? 'idle' : passed ? 'good' : 'bad'}
                label={passed === null ? 'Not judged' : passed ? 'Passed' : 'Failed'}
              />
            </div>
            <p>
              <PlainText text={reason} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
