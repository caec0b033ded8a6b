import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { Anchor, Select } from '@mantine/core';
import { useState, useCallback, useMemo, type ReactNode } from 'react';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type { Failures, Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { failedOf } from '../../../../../src-shared/display/verdictTexts.ts';
import { useApi, useRead } from '../../../../api/index.ts';
import { SearchField } from '../../../../ui/fields/choices.tsx';
import { EmptyState, Loaded } from '../../../../ui/notices/notices.tsx';
import { PlainText } from '../../../../ui/text/Foreign.tsx';
import { counted, formatCount } from '../../../../../src-shared/display/numbers.ts';
import { modelChoices, nameModels } from '../../modelNames.ts';
import { presetModel } from './chosenModel.ts';
import { FailureTools } from './FailureTools.tsx';
import classes from './failures.module.css';
import type { CaseTabProps, ShowCell } from './resultAddress.ts';
import { useModelNumbers, type ResultData } from './useResultNumbers.ts';
import { TitledPanel } from '../../../../ui/panels/panels.tsx';
import { NO_TOOL } from '../../../../../src-shared/domain/labels.ts';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import {
  confusionView,
  CORRECT,
  failuresIn,
  toneOfCell,
  type MatrixAxis,
} from '../../../../../src-shared/display/confusionView.ts';
import { FailureGrid } from '../FailureGrid.tsx';
import { spokenCell } from './ConfusionsTab.tsx';

/** The failures of the page by tool and cause; they follow a running evaluation. */
export function useFailures(
  { id }: Evaluation,
  verdict: Verdict | null,
  model: string | null,
  search = '',
) {
  const { queries } = useApi();
  const failed = verdict === null ? 0 : failedOf(verdict.counts);
  const input = { id, modelSettingsId: model, search };
  return useRead((ask) => ask.results.failures, {
    input,
    enabled: failed > 0,
    placeholderData: (before: Failures | undefined) => before,
    // The number of failures is part of the key, so that the list follows a running evaluation.
    queryKey: [...queries.results.failures.queryKey({ input }), failed],
  });
}

interface FailuresTabProps extends CaseTabProps {
  result: ResultData;
  onCause: (cause: FailureCause) => void;
  onCell: ShowCell;
}

/** The failing requests by tool and cause, beside the matrix of one model. */
export function FailuresTab(props: FailuresTabProps) {
  const { evaluation, result, verdict, address, onCause, onCell, onChange } = props;
  const [search, setSearch] = useState('');
  const failures = useFailures(evaluation, verdict, address.model, search);
  // The matrix is of all failures, whatever is searched for.
  const all = useFailures(evaluation, verdict, address.model);
  const wanted = address.matrix ?? presetModel(verdict, null);
  const model =
    address.model ??
    (evaluation.models.length < 2
      ? null
      : (evaluation.models.find(({ id }) => id === wanted)?.id ?? presetModel(verdict, null)));
  const { confusion } = useModelNumbers(evaluation, result, model);
  if (failedOf(verdict.counts) === 0)
    return (
      <EmptyState
        message={
          verdict.counts.passed > 0
            ? 'No failures. Every scored case passed.'
            : hasEnded(evaluation.state)
              ? 'No run was scored, so none can have failed. All runs says why, run by run.'
              : 'No failures yet. They appear here as soon as runs are scored.'
        }
      />
    );
  const tools = result.snapshot.data?.tools.length ?? 0;
  return (
    <div className={classes.space}>
      <div className={classes.columns}>
        <TitledPanel
          title="Failures by tool"
          aside={<SearchField label="Search failures" value={search} onChange={setSearch} />}
        >
          <Loaded query={failures} blocks={[320]} label="Loading failures">
            {(loaded) => (
              <FailureTools
                evaluation={evaluation}
                failures={loaded}
                verdict={verdict}
                address={address}
                onCause={onCause}
              />
            )}
          </Loaded>
        </TitledPanel>
        <FailureMatrix
          confusion={confusion}
          failures={all.data ?? null}
          model={model}
          cell={address.cell}
          onCell={(cell) => onCell(cell, model)}
          actions={
            <>
              <Anchor
                component="button"
                type="button"
                size="xs"
                fw={600}
                onClick={() => onChange({ tab: 'numbers', section: 'matrix', model })}
              >
                {tools > 0 ? `All ${counted(tools, 'tool')}` : 'All tools'}
              </Anchor>
              {evaluation.models.length > 1 && (
                <MatrixModel
                  evaluation={evaluation}
                  model={model}
                  isFiltered={address.model !== null}
                  onChoose={(matrix) => onChange({ matrix })}
                />
              )}
            </>
          }
        />
      </div>
    </div>
  );
}

interface MatrixModelProps {
  evaluation: Evaluation;
  model: string | null;
  /** Whether the page shows one model alone. */
  isFiltered: boolean;
  onChoose: (model: string | null) => void;
}

/** Whose matrix is shown: models are never added up in it. */
function MatrixModel({ evaluation, model, isFiltered, onChoose }: MatrixModelProps) {
  const name = nameModels(evaluation.models).get(model ?? '') ?? '';
  if (isFiltered) return <PlainText as="span" className={classes.note} text={name} />;
  return (
    <Select
      aria-label="Model of the matrix"
      size="xs"
      w={170}
      data={modelChoices(evaluation.models)}
      value={model}
      onChange={onChoose}
    />
  );
}

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

function FailureMatrix(props: FailureMatrixProps) {
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
