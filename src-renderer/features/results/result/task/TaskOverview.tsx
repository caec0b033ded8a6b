import { formatCount } from '../../../../../src-shared/display/numbers.ts';
import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { MatrixAxis } from '../../../../../src-shared/display/confusionView.ts';
import { didView } from '../../../../../src-shared/display/didView.ts';
import { taskRunLink } from '../../links.ts';
import { FailureGrid } from '../FailureGrid.tsx';
import { checkKindTexts } from '../../../../../src-shared/display/taskTexts.ts';
import { checkKinds } from '../../../../../src-shared/domain/checkKinds.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import styles from './taskFailures.module.css';
import { TitledPanel } from '../../../../ui/panels/panels.tsx';

/** What models did where a tool was needed; a cell opens the first of its runs. */
export function DidMatrix({ report: { evaluation, runs } }: { report: TaskReport }) {
  const navigate = useNavigate();
  const { rows, columns, cells } = useMemo(() => didView(runs), [runs]);
  const cellOf = useCallback(
    (row: MatrixAxis, column: MatrixAxis) => cells[rows.indexOf(row)]?.[columns.indexOf(column)],
    [rows, columns, cells],
  );
  const nameOf = useCallback(
    (row: MatrixAxis, column: MatrixAxis, count: number, total: number): string => {
      const text = cellOf(row, column)?.text ?? column.label;
      return `Needed ${row.label}: ${text}, ${formatCount(count)} of ${formatCount(total)}`;
    },
    [cellOf],
  );
  const toneOf = useCallback(
    (row: MatrixAxis, column: MatrixAxis) => cellOf(row, column)?.tone ?? 'wrong_tool',
    [cellOf],
  );
  if (rows.length === 0) return null;
  return (
    <FailureGrid
      title="Needed tool and what the model did"
      rowWord="needed"
      columnWord="did"
      rows={rows}
      columns={columns}
      counts={cells.map((row) => row.map(({ count }) => count))}
      totals={cells.map((row) => row.reduce((sum, { count }) => sum + count, 0))}
      toneOf={toneOf}
      nameOf={nameOf}
      selected={null}
      onSelect={(row, column) => {
        const runId = cellOf(row, column)?.runId ?? null;
        if (runId !== null) void navigate(taskRunLink(evaluation.id, runId));
      }}
    />
  );
}

/** How many checks passed, by what they look at, and destructive calls that none expects. */
export function CheckCounts({ report: { runs, tasks, summary } }: { report: TaskReport }) {
  const checks = runs.flatMap((run) =>
    run.checks.filter(({ passed, advisory }) => passed !== null && advisory !== true),
  );
  const passedOf = (some: typeof checks) => some.filter(({ passed }) => passed === true).length;
  const unexpected = tasks.some(({ expectsCalls }) => expectsCalls) ? summary.unwantedEffects : 0;
  if (checks.length === 0) return null;
  return (
    <TitledPanel
      title={`${formatCount(passedOf(checks))} of ${formatCount(checks.length)} checks passed`}
      label="Checks by kind"
    >
      <ul className={styles.checkCounts}>
        {checkKinds.map((kind) => {
          const own = checks.filter((check) => check.kind === kind);
          return own.length === 0 ? null : (
            <li key={kind}>
              {checkKindTexts[kind]}
              <span className="ts-number">
                {formatCount(passedOf(own))} of {formatCount(own.length)}
              </span>
            </li>
          );
        })}
        {unexpected > 0 && (
          <li>
            <span className={styles.warned}>
              <IconAlertTriangle size={15} stroke={2} aria-hidden /> Destructive calls that no check
              expects
            </span>
            <span className="ts-number">{formatCount(unexpected)}</span>
          </li>
        )}
      </ul>
    </TitledPanel>
  );
}
