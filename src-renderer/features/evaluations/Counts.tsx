import type { Counts as CountsOf } from '../../../src-shared/domain/metrics.ts';
import { formatCount } from '../../ui/estimate/format.ts';
import { ClassMark } from '../../ui/badges/ClassMark.tsx';
import classes from './evaluations.module.css';
import { classWords } from './evaluationWords.ts';

const order = ['TP', 'FN', 'FP', 'TN'] as const;

/** Number of runs per class, letters before numbers; classes without runs are left out. */
export function Counts({ counts }: { counts: CountsOf }) {
  const key = { TP: 'tp', FN: 'fn', FP: 'fp', TN: 'tn' } as const;
  const shown = order.filter((one) => counts[key[one]] > 0);
  return (
    <span className={classes.counts}>
      {shown.map((one) => (
        <span key={one} className={classes.count}>
          <ClassMark
            outcome={classWords[one].outcome}
            letters={one}
            label={`${one}, ${classWords[one].word}:`}
          />
          {formatCount(counts[key[one]])}
        </span>
      ))}
      {counts.failed > 0 && (
        <span className={classes.count}>
          <ClassMark outcome="failed" letters="!" label="Not scored:" />
          {formatCount(counts.failed)}
        </span>
      )}
      {counts.open > 0 && <span className={classes.quiet}>{formatCount(counts.open)} open</span>}
    </span>
  );
}
