import { useCallback, useMemo, type ReactNode } from 'react';
import { NO_TOOL } from '../../../../../src-shared/domain/labels.ts';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import {
  confusionView,
  CORRECT,
  failuresIn,
  toneOfCell,
  type MatrixAxis,
} from '../../../../../src-shared/display/confusionView.ts';
import type { Failures } from '../../../../../src-shared/domain/verdict.ts';
import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import { FailureGrid } from '../FailureGrid.tsx';
import { spokenCell } from './ConfusionPanel.tsx';

interface FailureMatrixProps {
  confusion: ConfusionMatrix;
  /** Whose arguments are wrong; null while it loads. */
  failures: Failures | null;
  /** The model of the matrix; null: of all, as there is only one. */
  model: string | null;
  cell: { expected: string; selected: string } | null;
  onCell: (cell: { expected: string; selected: string }) => void;
  /** The way to the whole matrix, and the choice of its model. */
  actions: ReactNode;
}

/** Runs with wrong arguments by the tool that was expected, and called. */
function wrongArgumentsOf(failures: Failures | null, model: string | null): Map<string, number> {
  const found = new Map<string, number>();
  for (const cause of failures?.tools.flatMap(({ causes }) => causes) ?? []) {
    if (cause.outcome !== 'wrong_arguments') continue;
    const runs =
      model === null
        ? cause.runs
        : (cause.models.find(({ modelSettingsId }) => modelSettingsId === model)?.runs ?? 0);
    found.set(cause.expected, (found.get(cause.expected) ?? 0) + runs);
  }
  return found;
}

/** Expected and called tools of the failures of one model. */
export function FailureMatrix(props: FailureMatrixProps) {
  const { confusion, failures, model, cell, onCell, actions } = props;
  const view = useMemo(
    () => failuresIn(confusionView(confusion, '', 1000), wrongArgumentsOf(failures, model)),
    [confusion, failures, model],
  );
  const select = useCallback(
    (row: MatrixAxis, column: MatrixAxis) =>
      onCell({ expected: row.id, selected: column.id === CORRECT ? row.id : column.id }),
    [onCell],
  );
  const selected = useMemo(() => {
    if (cell === null) return null;
    const { expected, selected: called } = cell;
    return { row: expected, column: called === expected && called !== NO_TOOL ? CORRECT : called };
  }, [cell]);
  const nameOf = useCallback(
    (row: MatrixAxis, column: MatrixAxis, count: number, total: number): string => {
      const wrong = column.id === CORRECT ? (view.wrongArguments[view.rows.indexOf(row)] ?? 0) : 0;
      const name = spokenCell(row, column, count, total);
      return wrong === 0 ? name : `${name}, ${formatCount(wrong)} with wrong arguments`;
    },
    [view],
  );
  return (
    <FailureGrid
      title="Expected and called tools"
      actions={actions}
      rowWord="expected"
      columnWord="called"
      rows={view.rows}
      columns={view.columns}
      counts={view.counts}
      totals={view.totals}
      toneOf={toneOfCell}
      nameOf={nameOf}
      wrongArguments={view.wrongArguments}
      selected={selected}
      onSelect={select}
    />
  );
}
