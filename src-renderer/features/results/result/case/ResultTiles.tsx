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
  const calls = counted(counts.tp, 'correct run');
  const rates = [
    [
      'Precision',
      metricMeaning.precision,
      precision,
      counted(precision.n, 'call made', 'calls made'),
    ],
    ['Recall', metricMeaning.recall, recall, counted(recall.n, 'call expected', 'calls expected')],
    ['F1', metricMeaning.f1, f1, counted(f1.n, 'call')],
    [
      'Arguments',
      metricMeaning.parameters,
      parameters,
      `${counted(parameters.n, 'argument')} in ${calls}`,
    ],
  ] as const;
  return (
    <div className={classes.tiles}>
      {rates.map(([label, meaning, estimate, basis]) => (
        <EstimateTile key={label} {...{ label, meaning, estimate, basis }} />
      ))}
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
