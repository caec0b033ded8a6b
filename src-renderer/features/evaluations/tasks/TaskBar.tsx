import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { taskOutcomeTexts } from '../../../../src-shared/display/taskTexts.ts';
import type { TaskOutcomeCounts } from '../../../../src-shared/domain/taskEvaluation.ts';
import classes from './tasks.module.css';
import { taskTone } from './taskTones.ts';

const order = [
  'succeeded',
  'check_failed',
  'limit',
  'loop',
  'refused',
  'no_answer',
  'not_scored',
  'not_run',
] as const satisfies (keyof TaskOutcomeCounts)[];

/** Runs by outcome as shares of one bar. */
export function TaskBar({ counts }: { counts: TaskOutcomeCounts }) {
  const shown = order.filter((outcome) => counts[outcome] > 0);
  const texts = shown.map(
    (outcome) => `${formatCount(counts[outcome])} ${taskOutcomeTexts[outcome].label}`,
  );
  return (
    <div className={classes.bar} role="img" aria-label={`Runs: ${texts.join(', ')}`}>
      {shown.map((outcome, index) => (
        <span
          key={outcome}
          data-tone={taskTone(outcome === 'not_run' ? null : outcome)}
          style={{ flexGrow: counts[outcome] }}
          title={texts[index]}
        />
      ))}
    </div>
  );
}
