import type { TaskContent, Trajectory } from '../../../../src-shared/domain/task.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import classes from './tasks.module.css';
import { TimelineStep } from './TimelineStep.tsx';

interface TimelineProps {
  content: TaskContent;
  trajectory: Trajectory;
}

/** The steps of a run below the turns of the user that they answer. */
export function Timeline({ content, trajectory: { steps } }: TimelineProps) {
  const numbered = steps.map((step, index) => ({ step, number: index + 1 }));
  const longestMs = Math.max(1, ...steps.map(({ elapsedMs }) => elapsedMs));
  return (
    <section className={classes.panel} aria-label="Trajectory">
      {content.turns.map((turn, index) => {
        const own = numbered.filter(({ step }) => step.turn === index);
        return (
          <div key={index}>
            <h2 className={classes.turn}>
              <span>Turn {index + 1}</span> “<PlainText text={turn} />”
            </h2>
            {own.length === 0 ? (
              <p className={classes.unreached}>The run ended before this turn.</p>
            ) : (
              <ol className={classes.steps}>
                {own.map(({ step, number }) => (
                  <TimelineStep key={number} number={number} step={step} longestMs={longestMs} />
                ))}
              </ol>
            )}
          </div>
        );
      })}
    </section>
  );
}
