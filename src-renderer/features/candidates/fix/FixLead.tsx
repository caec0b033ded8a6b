import { IconCheck } from '@tabler/icons-react';
import {
  nextFixText,
  problemText,
  weakEstimateText,
} from '../../../../src-shared/display/candidateTexts.ts';
import { noun } from '../../../../src-shared/display/numbers.ts';
import type { ToolProblem } from '../../../../src-shared/domain/candidate.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './fix.module.css';
import type { Fix } from './useFix.ts';

/** What to do next, what goes wrong, and where the fix stands between its failures and its patch. */
export function FixLead({ problem, fix }: { problem: ToolProblem; fix: Fix }) {
  const { edits, current, consent, advice, toWrite } = fix;
  const wrong = problemText(problem);
  return (
    <section className={`ts-panel ${classes.lead ?? ''}`} aria-label="Next step">
      <div>
        <p className={classes.next}>
          Next:{' '}
          {nextFixText({
            problem: { ...problem, advice },
            toWrite,
            isEdited: edits.length > 0,
            isAgreed: consent.given,
            candidate: current,
          })}
        </p>
        {wrong !== null && current?.proof == null && (
          <p className={classes.quiet}>
            What goes wrong: <Foreign text={wrong} limit={300} /> of {problem.failing.length}{' '}
            {noun(problem.failing.length, problem.unit === 'task' ? 'task' : 'request')}.
          </p>
        )}
      </div>
      <Steps problem={problem} fix={fix} />
    </section>
  );
}

function Steps({ problem, fix: { edits, current, toWrite } }: { problem: ToolProblem; fix: Fix }) {
  const proved = current?.proof != null;
  // What can't be expected to pass its proof, or says nothing, is to be changed further.
  const weak =
    toWrite !== null || (current !== null && weakEstimateText(problem.plan, current) !== null);
  const done = [
    problem.failing.length > 0,
    edits.length > 0 && !weak,
    (current?.search != null && !weak) || proved,
    proved,
    false,
  ];
  const at = done.lastIndexOf(true) + 1;
  return (
    <ol className={classes.steps} aria-label="Steps of a fix">
      {['Failures', 'Edit', 'Estimate', 'Proof', 'Patch'].map((label, index) => (
        <li
          key={label}
          data-state={index === at ? 'current' : done[index] === true ? 'done' : 'open'}
          {...(index === at ? { 'aria-current': 'step' as const } : {})}
        >
          <span className={classes.mark}>
            {done[index] === true ? <IconCheck size={14} aria-hidden /> : index + 1}
          </span>
          {label}
          {done[index] === true && <span className="ts-visually-hidden"> done</span>}
        </li>
      ))}
    </ol>
  );
}
