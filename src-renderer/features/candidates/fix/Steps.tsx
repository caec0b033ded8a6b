import { weakEstimateText } from '../../../../src-shared/display/rewriteTexts.ts';
import { IconCheck } from '@tabler/icons-react';
import classes from './fix.module.css';
import type { Fix } from './useFix.ts';

/** Where a fix stands, from its failures to its patch. */
export function Steps({ fix: { problem, edits, current } }: { fix: Fix }) {
  const proved = current?.proof != null;
  // An edit that can't be expected to pass its proof is to be changed further.
  const weak =
    current !== null &&
    problem.data !== undefined &&
    weakEstimateText(problem.data.plan, current) !== null;
  const done = [
    problem.data?.failing.length !== 0,
    edits.length > 0 && !weak,
    (current?.search != null && !weak) || proved,
    proved,
    false,
  ];
  const at = done.lastIndexOf(true) + 1;
  return (
    <ol className={classes.steps} aria-label="Steps of a fix">
      {['Failures', 'Edit', 'Estimate', 'Verify', 'Patch'].map((label, index) => (
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
