import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount, formatPercent } from '../../../../src-shared/display/numbers.ts';
import { scoredTasks } from '../../../../src-shared/display/taskTexts.ts';
import { scoredOf } from '../../../../src-shared/display/verdictTexts.ts';
import { describeChange } from '../../../../src-shared/display/whatIfTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationState } from '../../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { unitOf, type OptimizationSummary } from '../../../../src-shared/domain/optimization.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { useRead } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { comparisonLink } from '../compare/compareAddress.ts';
import { stateWords } from '../evaluationWords.ts';
import { useCaseList, useTaskList } from '../list/useLists.ts';
import { nameModels } from '../modelNames.ts';
import { objectiveLabel, proposerText, stateBadges } from './optimizationStates.ts';
import { PlainTable } from '../../../ui/table/PlainTable.tsx';

const pollMs = 1000;
const maxListed = 500;

interface DerivedResultsProps {
  unit: EvaluationUnit;
  /** The result that was repeated or searched. */
  id: string;
}

/** The estimates of a result, and the searches for better descriptions, each with its answer. */
export function DerivedResults({ unit, id }: DerivedResultsProps) {
  const searches = useRead((ask) => ask.optimizations.list, {
    refetchInterval: (query) =>
      query.state.data?.some(({ state }) => state === 'running') === true ? pollMs : false,
  });
  const estimates = useEstimates(unit, id);
  const own = (searches.data ?? []).filter(({ baseEvaluationId }) => baseEvaluationId === id);
  return (
    <Loaded query={searches} blocks={[60]} label="Loading estimates and searches">
      {() =>
        own.length + estimates.length === 0 ? (
          <p className="ts-quiet">
            None yet. Estimate a change, or search for better descriptions of tools that fail.
          </p>
        ) : (
          <PlainTable
            label="Estimates and searches"
            withTableBorder={false}
            heads={['What', 'Model', 'State', 'Passed', 'Started']}
            rows={[...own.map(searchRow), ...estimates.map((one) => estimateRow(one, id))]}
          />
        )
      }
    </Loaded>
  );
}

interface EstimateRow {
  id: string;
  number: number;
  changes: readonly string[];
  models: string;
  state: EvaluationState;
  passed: number;
  scored: number;
  createdAt: string;
}

/** What an estimate of either unit says in a row. */
function rowOf(
  { id, number, models, state, settings, createdAt }: Evaluation | TaskEvaluation,
  passed: number,
  scored: number,
): EstimateRow {
  return {
    ...{ id, number, state, passed, scored, createdAt },
    models: [...nameModels(models).values()].join(', '),
    changes: (settings.whatIf?.changes ?? []).map(describeChange),
  };
}

function useEstimates(unit: EvaluationUnit, id: string): EstimateRow[] {
  const cases = useCaseList(maxListed, undefined, unit === 'case');
  const tasks = useTaskList(maxListed, id, unit === 'task');
  return unit === 'task'
    ? (tasks.data ?? []).map((one) => rowOf(one, one.outcomes.succeeded, scoredTasks(one.outcomes)))
    : (cases.data ?? [])
        .filter(({ origin }) => origin?.kind === 'what_if' && origin.evaluationId === id)
        .map((one) => rowOf(one, one.outcomes.passed, scoredOf(one.outcomes)));
}

const row = (
  key: string,
  [what, models, state, passed]: readonly [ReactNode, string, typeof stateWords.planned, string],
  startedAt: string,
) => ({
  key,
  cells: [
    what,
    <Foreign text={models} />,
    <StatusBadge {...state} />,
    <span className="ts-number">{passed}</span>,
    <Time iso={startedAt} />,
  ],
});

const estimateRow = (one: EstimateRow, baseId: string) =>
  row(
    one.id,
    [
      <>
        <Link to={comparisonLink(one.id, { id: baseId, modelSettingsId: null })}>
          Estimate #{one.number}
        </Link>{' '}
        <Foreign text={one.changes.join(' · ')} limit={300} />
      </>,
      one.models,
      stateWords[one.state],
      `${formatCount(one.passed)} of ${formatCount(one.scored)}`,
    ],
    one.createdAt,
  );

const searchRow = ({ id, state, modelName, settings, result, createdAt }: OptimizationSummary) =>
  row(
    id,
    [
      <>
        <Link to={`/results/searches/${id}`}>Search</Link>{' '}
        {objectiveLabel(settings.objective, unitOf(settings))}, written by{' '}
        <Foreign text={proposerText(settings)} />
      </>,
      modelName,
      stateBadges[state],
      result === null || result.cases === 0
        ? '–'
        : `${formatPercent(result.passedBefore / result.cases)} → ${formatPercent(result.passedAfter / result.cases)} held out`,
    ],
    createdAt,
  );
