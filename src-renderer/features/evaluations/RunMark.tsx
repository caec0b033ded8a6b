import type { RunRow } from '../../../src-shared/domain/evaluation.ts';
import { OutcomeMark } from '../../ui/badges/OutcomeMark.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { classWords, statusWord } from './evaluationWords.ts';

/** The outcome of a run: its class by letters, or an icon for why it has none. */
export function RunMark({ row }: { row: Pick<RunRow, 'status' | 'classification'> }) {
  if (row.classification !== null) {
    const { outcome, word } = classWords[row.classification];
    return (
      <OutcomeMark
        outcome={outcome}
        letters={row.classification}
        label={`${row.classification}, ${word}`}
      />
    );
  }
  if (row.status === 'failed')
    return <OutcomeMark outcome="failed" letters="!" label="Not scored" />;
  return (
    <StatusBadge
      tone={row.status === 'running' ? 'busy' : 'idle'}
      label={statusWord(row.status)}
      compact
    />
  );
}
