import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import { isOfSuite } from '../../../src-shared/metrics/previousResult.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { PreviousChange } from '../../../src-shared/domain/verdict.ts';
import type { TrendPoint } from '../../../src-shared/domain/trend.ts';
import type { EvaluationRow, TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { StoredTaskReport } from '../tasks/readTaskReport.ts';
import { hasChanges, toolDifferences } from './toolDifferences.ts';

interface TrendRequest {
  suite: string;
  unit: TrendPoint['unit'];
  model: string | null;
  limit: number;
}

const maxRead = 1_000_000;

/**
 * The evaluations that form the trend of a suite: ended ones, oldest first. Throws NOT_FOUND when
 * there is neither suite nor evaluation.
 */
function rowsOfSuite<
  Listed extends {
    number: number;
    suiteId: string | null;
    suiteName: string;
    state: EvaluationState;
  },
>(store: Store, listed: readonly Listed[], { suite, limit }: TrendRequest): Listed[] {
  const known = store.suites.list().find(({ id, name }) => id === suite || name === suite);
  // A suite from a file, or a deleted one, is identified by the name that its evaluations stored.
  const belongs = (row: Listed): boolean =>
    known ? isOfSuite({ id: row.suiteId, name: row.suiteName }, known) : row.suiteName === suite;
  const all = listed.filter((row) => belongs(row) && hasEnded(row.state));
  if (!known && all.length === 0)
    throw new ServiceError('NOT_FOUND', {
      thing: `Suite ${suite}`,
      cause: 'Neither the suite nor an evaluation of it exists.',
      nextStep: 'Choose one from the list of suites.',
    });
  return all.sort((a, b) => a.number - b.number).slice(-limit);
}

/** A point before it is held against the one before it. */
type PlainPoint = Omit<TrendPoint, 'tools' | 'casesChanged'> & { entries: string };

/**
 * One point for each evaluation and model, oldest first, with the changes since the previous point
 * of the same model; tasks of two modes are never one line. `summarize` returns the summary of one
 * model over cases, `report` the numbers over tasks.
 */
export async function readTrend(
  store: Store,
  request: TrendRequest,
  summarize: (evaluation: EvaluationRow, modelSettingsId: string) => Promise<EvaluationSummary>,
  report: (evaluation: TaskEvaluationRow) => Promise<StoredTaskReport>,
  /** The change of a point of cases since the previous one of its model. */
  changeOf: (row: EvaluationRow, modelSettingsId: string) => Promise<PreviousChange | null>,
): Promise<TrendPoint[]> {
  const points =
    request.unit === 'task'
      ? await pointsOfTasks(
          rowsOfSuite(store, store.evaluations.listWhole(maxRead), request),
          report,
        )
      : await pointsOfCases(
          store,
          // Derived evaluations are not results of the suite as it is.
          rowsOfSuite(
            store,
            store.evaluations.list(null, maxRead).filter(({ origin }) => origin === null),
            request,
          ),
          summarize,
        );
  const before = new Map<string, PlainPoint>();
  const trend = points
    .filter(({ model, modelSettingsId }) => isAsked(store, request, model, modelSettingsId))
    .map((point): TrendPoint => {
      const { entries, ...shown } = point;
      const last = before.get(point.model);
      const tools = last ? toolDifferences(store, last.snapshotId, point.snapshotId) : null;
      before.set(point.model, point);
      return {
        ...shown,
        tools: tools && hasChanges(tools) ? tools : null,
        casesChanged: last !== undefined && last.entries !== entries,
      };
    });
  // Two settings of one model in one evaluation are two points of one line.
  const lastOf = new Map(trend.map((point) => [point.model, point.evaluationId]));
  return Promise.all(
    trend.map(async (point) => {
      if (lastOf.get(point.model) !== point.evaluationId) return { ...point, change: null };
      const row = point.unit === 'case' ? store.evaluations.get('case', point.evaluationId) : null;
      return row === null
        ? point
        : { ...point, change: await changeOf(row, point.modelSettingsId) };
    }),
  );
}

/** Whether a point is of the model that was asked for, whatever it is called by. */
function isAsked(
  store: Store,
  { model: asked }: TrendRequest,
  label: string,
  modelSettingsId: string,
): boolean {
  const model = store.modelSettings.get(modelSettingsId);
  if (asked === null || model === null) return asked === null;
  return [
    label,
    modelLabel(model),
    model.model,
    `${model.provider}/${model.model}`,
    model.id,
  ].includes(asked);
}

async function pointsOfCases(
  store: Store,
  rows: readonly EvaluationRow[],
  summarize: (evaluation: EvaluationRow, modelSettingsId: string) => Promise<EvaluationSummary>,
): Promise<PlainPoint[]> {
  const points: PlainPoint[] = [];
  for (const row of rows) {
    const entries = store.resultQueries.casesHash(row.id);
    for (const modelSettingsId of new Set(row.modelSettingsIds)) {
      const model = store.modelSettings.get(modelSettingsId);
      if (!model) continue;
      const { counts, metrics } = await summarize(row, modelSettingsId);
      points.push({
        unit: 'case',
        mode: null,
        evaluationId: row.id,
        number: row.number,
        createdAt: row.createdAt,
        modelSettingsId,
        model: modelLabel(model),
        runs: counts.total,
        metrics: {
          passRate: metrics.passRate,
          selectionF1: metrics.selectionF1,
          selectionPrecision: metrics.selectionPrecision,
          selectionRecall: metrics.selectionRecall,
          parameterAccuracy: metrics.parameterAccuracy,
          accuracy: metrics.accuracy,
        },
        snapshotId: row.snapshotId,
        change: null,
        entries,
      });
    }
  }
  return points;
}

async function pointsOfTasks(
  rows: readonly TaskEvaluationRow[],
  report: (evaluation: TaskEvaluationRow) => Promise<StoredTaskReport>,
): Promise<PlainPoint[]> {
  const points: PlainPoint[] = [];
  for (const row of rows) {
    const { evaluation, models, tasks, runs, previous } = await report(row);
    const { mode } = evaluation.settings;
    for (const { id, label, summary } of models)
      points.push({
        unit: 'task',
        mode,
        evaluationId: row.id,
        number: row.number,
        createdAt: row.createdAt,
        modelSettingsId: id,
        model: `${label}, execution mode ${mode}`,
        runs: runs.filter(({ modelSettingsId }) => modelSettingsId === id).length,
        metrics: {
          successRate: summary.successRate,
          callEfficiency: summary.callEfficiency,
          recovery: summary.recovery,
          attackSuccess: summary.attackSuccess,
        },
        snapshotId: row.snapshotId,
        change: previous[id] ?? null,
        entries: tasks.map(({ key, hash }) => `${key} ${hash}`).join('\n'),
      });
  }
  return points;
}
