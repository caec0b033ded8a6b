import type { ConfusionMatrix } from '../../../../src-shared/domain/metrics.ts';
import { formatCount } from '../../../ui/estimate/format.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import classes from '../evaluations.module.css';
import { captures, captureSentence } from './confusions.ts';
import { confusionSentence } from './mostConfused.ts';
import { nameLabels } from './toolNames.ts';

interface MostConfusedProps {
  confusion: ConfusionMatrix;
  /** Number of units in the matrix: 0 while nothing has been scored. */
  scored: number;
  ended: boolean;
  limit: number;
  cell: { expected: string; selected: string } | null;
  onCell: (cell: { expected: string; selected: string }) => void;
}

/** The confusions in words, most frequent first. Each opens its cases. */
export function MostConfused({ confusion, scored, ended, limit, cell, onCell }: MostConfusedProps) {
  const pairs = captures(confusion, limit);
  const nameOf = nameLabels(confusion.labels);
  return (
    <div className={classes.confused} role="group" aria-label="Most confused">
      <span className={classes.quiet}>Most confused:</span>
      {pairs.map((pair) => (
        <button
          key={`${pair.expected} ${pair.selected}`}
          type="button"
          className={classes.pair}
          title={captureSentence(pair, nameOf)}
          aria-pressed={cell?.expected === pair.expected && cell.selected === pair.selected}
          onClick={() => {
            onCell({ expected: pair.expected, selected: pair.selected });
          }}
        >
          <PlainText text={confusionSentence(pair, nameOf)} /> <b>({formatCount(pair.count)})</b>
        </button>
      ))}
      {pairs.length === 0 && (
        <span>
          {scored > 0
            ? 'nothing: every call that was made is the one that was expected'
            : ended
              ? 'nothing was scored'
              : 'nothing scored yet'}
        </span>
      )}
    </div>
  );
}
