import type { OutcomeCounts } from '../../../../../src-shared/domain/outcome.ts';
import { EstimateTile, Tile } from '../../../../ui/estimate/EstimateTile.tsx';
import { formatCount, counted } from '../../../../../src-shared/display/numbers.ts';
import classes from '../../evaluations.module.css';
import { metricMeaning } from '../../evaluationWords.ts';
import type { ResultNumbers } from '../../live/liveNumbers.ts';

interface ResultTilesProps {
  numbers: ResultNumbers;
  /** Known for one evaluation: runs that were cancelled are then not run, not unscored. */
  outcomes?: OutcomeCounts;
}

/** The rates of the calls. The pass rate is in the verdict above them. */
export function ResultTiles({ numbers, outcomes }: ResultTilesProps) {
  const notScored = outcomes?.not_scored ?? numbers.counts.failed;
  const { counts, precision, recall, f1, parameters } = numbers;
  return (
    <div className={classes.tiles}>
      <EstimateTile
        label="Precision"
        meaning={metricMeaning.precision}
        estimate={precision}
        basis={counted(precision.n, 'call made', 'calls made')}
      />
      <EstimateTile
        label="Recall"
        meaning={metricMeaning.recall}
        estimate={recall}
        basis={counted(recall.n, 'call expected', 'calls expected')}
      />
      <EstimateTile
        label="F1"
        meaning={metricMeaning.f1}
        estimate={f1}
        basis={counted(f1.n, 'call')}
      />
      <EstimateTile
        label="Arguments"
        meaning={metricMeaning.parameters}
        estimate={parameters}
        basis={`${counted(parameters.n, 'argument')} in ${counted(counts.tp, 'correct run')}`}
      />
      <Tile
        label="Not scored"
        meaning={metricMeaning.failed}
        number={formatCount(notScored)}
        basis={`of ${counted(counts.total, 'run')}`}
        {...(notScored > 0 ? { tone: 'danger' as const } : {})}
      />
    </div>
  );
}
