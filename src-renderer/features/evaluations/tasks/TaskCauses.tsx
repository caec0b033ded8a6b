import { Link } from 'react-router';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { TaskCause } from '../../../../src-shared/domain/taskReport.ts';
import { Section } from '../../../ui/panels/Section.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { TaskOutcomeMark } from './TaskOutcomeMark.tsx';
import classes from './tasks.module.css';

interface TaskCausesProps {
  evaluationId: string;
  causes: readonly TaskCause[];
}

const shown = 8;

/** What kept runs from succeeding, the most frequent first, each with a link to a run. */
export function TaskCauses({ evaluationId, causes }: TaskCausesProps) {
  if (causes.length === 0) return null;
  const more = causes.length - shown;
  return (
    <Section title="Failures by cause">
      <ul className={classes.causes}>
        {causes.slice(0, shown).map(({ outcome, cause, runs, runIds }) => (
          <li key={`${outcome} ${cause}`}>
            <TaskOutcomeMark outcome={outcome} />
            <span className={classes.cause}>
              <PlainText text={cause} />
            </span>
            <Link to={`/evaluations/tasks/${evaluationId}/runs/${runIds[0] ?? ''}`}>
              {runs === 1 ? 'Show the run' : `First of ${counted(runs, 'run')}`}
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={classes.muted}>{counted(more, 'rarer cause')} not listed here.</p>}
    </Section>
  );
}
