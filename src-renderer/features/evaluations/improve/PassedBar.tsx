import { formatCount } from '../../../../src-shared/display/numbers.ts';
import classes from './fix.module.css';

/** How many cases passed, as a bar, before or after a change. */
export function PassedBar({
  label,
  passed,
  cases,
}: {
  label: 'Before' | 'After';
  passed: number;
  cases: number;
}) {
  return (
    <div className={classes.bar}>
      <span>{label}</span>
      <span className={classes.track} data-kind={label}>
        <span style={{ width: `${(100 * passed) / cases}%` }} />
      </span>
      <span>
        {formatCount(passed)} of {formatCount(cases)}
      </span>
    </div>
  );
}
