import type { Counts as CountsOf } from '../../../src-shared/domain/metrics.ts';
import type { OutcomeCounts } from '../../../src-shared/domain/outcome.ts';
import { formatCount } from '../../ui/estimate/format.ts';
import { ClassMark } from '../../ui/badges/ClassMark.tsx';
import { Term } from '../../ui/text/Term.tsx';
import classes from './evaluations.module.css';
import { classWords } from './evaluationWords.ts';

const order = ['TP', 'FN', 'FP', 'TN'] as const;

/** Number of runs per class with its definition; classes without runs are left out. */
interface CountsProps {
  counts: CountsOf;
  /** Known for one evaluation: runs that were cancelled are then not run, not unscored. */
  outcomes?: OutcomeCounts;
}

export function Counts({ counts, outcomes }: CountsProps) {
  const notScored = outcomes?.not_scored ?? counts.failed;
  const notRun = outcomes?.not_run ?? counts.open;
  const key = { TP: 'tp', FN: 'fn', FP: 'fp', TN: 'tn' } as const;
  const shown = order.filter((one) => counts[key[one]] > 0);
  return (
    <span className={classes.counts}>
      {shown.map((one) => (
        <span key={one} className={classes.count}>
          <Term name={key[one]}>
            <ClassMark outcome={classWords[one].outcome} letters={one} />
          </Term>
          {formatCount(counts[key[one]])}{' '}
          <span className={classes.quiet}>{classWords[one].word}</span>
        </span>
      ))}
      {notScored > 0 && (
        <span className={classes.count}>
          <Term name="notScored">
            <ClassMark outcome="failed" letters="!" />
          </Term>
          {formatCount(notScored)} <span className={classes.quiet}>not scored</span>
        </span>
      )}
      {notRun > 0 && <span className={classes.quiet}>{formatCount(notRun)} not run</span>}
    </span>
  );
}
