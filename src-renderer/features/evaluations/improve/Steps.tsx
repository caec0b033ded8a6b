import { IconCheck } from '@tabler/icons-react';
import classes from './fix.module.css';
import type { Fix } from './useFix.ts';

/** Where a fix stands, from its failures to its patch. */
export function Steps({ fix: { edits, current } }: { fix: Fix }) {
  const done = [
    true,
    edits.length > 0,
    current?.search != null || current?.proof != null,
    current?.proof != null,
    false,
  ];
  const at = done.indexOf(false);
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
