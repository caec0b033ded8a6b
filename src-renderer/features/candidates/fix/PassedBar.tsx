import { formatCount } from '../../../../src-shared/display/numbers.ts';
import classes from './fix.module.css';

/** How many cases passed, as a bar, before or after a change; green only where a proof says so. */
export function PassedBar(props: {
  label: 'Before' | 'After';
  passed: number;
  cases: number;
  isProven?: boolean;
}) {
  const { label, passed, cases, isProven = false } = props;
  return (
    <div className={classes.bar}>
      <span>{label}</span>
      <span className={classes.track} data-proven={isProven}>
        <span style={{ width: `${(100 * passed) / cases}%` }} />
      </span>
      <span>
        {formatCount(passed)} of {formatCount(cases)}
      </span>
    </div>
  );
}
