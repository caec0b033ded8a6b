import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  evaluation as evaluationDomain,
  type Evaluation,
  type EvaluationSummary,
} from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { taskReport } from '../../../src-shared/domain/taskReport.ts';
import { gateNumbers } from '../../../src-shared/metrics/gateNumbers.ts';
import type { ReportRequest, ShownReportRequest } from '../../../src-shared/domain/report.ts';
import type { AskedAgain } from '../../../src-shared/domain/askedAgain.ts';
import type { Judgement, UnscoredGroup } from '../../../src-shared/domain/judgement.ts';
import type { Failures } from '../../../src-shared/domain/verdict.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EvaluationReader } from '../results/read/evaluationReader.ts';
import { measuredRuns } from '../results/read/measuredRuns.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';
import type { EvaluationsService } from '../evaluations/evaluationsService.ts';
import { judge } from '../results/judge.ts';
import { writeReport } from './formats/writeReport.ts';
import { readShard } from '../evaluations/merge/readShard.ts';
import { evaluationName } from '../results/side.ts';
import { caseConditions } from '../runs/conditions.ts';
import { findRow, taskTables } from '../runs/runTables.ts';
import type { TaskEvaluationsService } from '../tasks/taskEvaluationsService.ts';
import { generatedBy } from './generatedBy.ts';
import type { Report } from './report.ts';
import { shownReport, type ShownParts } from './shownReport.ts';
import { evaluationReport } from './subjects/evaluationReport.ts';
import type { ReportedModel, ReportSource } from './subjects/reportSource.ts';
import { tasksReport } from './subjects/tasksReport.ts';
import { nameModels } from '../evaluations/read/nameModels.ts';

export interface ReportsParts extends ShownParts {
  store: Store;
  reader: EvaluationReader;
  clock: Clock;
  version: string;
  /** Takes secrets out of what is written, also where one is split over two parts. */
  redactTexts: SecretGuard['redactTexts'];
  /** The services behind the window, so that reports hold the same numbers. */
  evaluations: Pick<EvaluationsService, 'get' | 'summary' | 'sentTools'>;
  taskEvaluations: Pick<TaskEvaluationsService, 'report' | 'shard'>;
  /** The key that parts are signed with; absent or null: they aren’t. */
  sealKey?: string | null;
}

/** The report of any other screen than an evaluation, as text in parts. */
export async function* exportShown(
  parts: ReportsParts,
  { shown, stamp, ...how }: ShownReportRequest,
  signal: AbortSignal,
): AsyncGenerator<{ text: string }, undefined> {
  const report = await shownReport(parts, shown, stamp ?? generatedBy(parts), signal);
  yield* textsOf(parts.redactTexts(writeReport(report, how.format, how)), signal);
}

/** Stops between two parts when the caller aborts. */
async function* textsOf(
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<{ text: string }, undefined> {
  for await (const text of texts) {
    signal.throwIfAborted();
    yield { text };
  }
}

/**
 * The report of an evaluation of cases or tasks, as text in parts. Throws CONFLICT while it runs, or
 * when it changed during the export.
 */
export async function* exportReport(
  parts: ReportsParts,
  request: ReportRequest,
  signal: AbortSignal,
): AsyncGenerator<{ text: string }, undefined> {
  const { store } = parts;
  const unit = store.evaluations.named(request.id)?.unit ?? 'case';
  const row =
    unit === 'task' ? findRow(taskTables(store), request.id) : findEvaluation(store, request.id);
  const name = evaluationName(unit, row.number);
  if (!hasEnded(row.state))
    throw new ServiceError('CONFLICT', {
      ...{ thing: name, cause: 'It is still running.' },
      nextStep: 'Wait until it ends, or cancel it first.',
    });
  const seq = store.events.lastSeq(row.id);
  const report = await reportOf[unit](parts, row.id, request, signal);
  yield* textsOf(parts.redactTexts(writeReport(report, request.format, request)), signal);
  // Every change of a run appends an event. A changed number of events means that the report mixes
  // two states.
  if (store.events.lastSeq(row.id) !== seq) {
    throw new ServiceError('CONFLICT', {
      thing: name,
      cause: 'It was changed while the report was written.',
      nextStep: 'Export it again.',
    });
  }
}

type ReportOf = (
  parts: ReportsParts,
  id: string,
  request: ReportRequest,
  signal: AbortSignal,
) => Promise<Report>;

const reportOf: Readonly<Record<EvaluationUnit, ReportOf>> = {
  case: async (parts, id, request, signal) =>
    evaluationReport(await openSource(parts, findEvaluation(parts.store, id), request, signal)),
  async task({ taskEvaluations, ...parts }, id, { stamp, judgement = null }) {
    const report = taskReport.parse(await taskEvaluations.report({ id }));
    const { evaluation } = report;
    const shard = evaluation.settings.shard && (await taskEvaluations.shard({ id }));
    if (stamp !== null) Object.assign(evaluation, { startedAt: null, completedAt: null });
    return tasksReport(report, stamp ?? generatedBy(parts), judgement, shard);
  },
};

/**
 * Reads everything about an evaluation except its runs, which are read while the report is written.
 */
async function openSource(
  { store, reader, clock, version, evaluations, results, sealKey = null }: ReportsParts,
  row: EvaluationRow,
  { stamp, judgement }: ReportRequest,
  signal: AbortSignal,
): Promise<ReportSource> {
  const evaluation = evaluationDomain.parse(await evaluations.get({ id: row.id }));
  if (stamp !== null) Object.assign(evaluation, { startedAt: null, completedAt: null });
  // A model that was chosen twice is one model.
  evaluation.models = [...new Map(evaluation.models.map((model) => [model.id, model])).values()];
  const labels = nameModels(evaluation.models);
  const summaryOf = async (modelSettingsId: string | null): Promise<EvaluationSummary> => {
    const summary = await evaluations.summary({ id: row.id, modelSettingsId });
    return stamp === null ? summary : { ...summary, durationMs: null };
  };
  const models: ReportedModel[] = [];
  for (const settings of evaluation.models) {
    models.push({
      settings,
      label: labels.get(settings.id) ?? '',
      conditions: caseConditions(row.settings, row.suite, settings),
      summary: await summaryOf(settings.id),
    });
  }
  const summary = await summaryOf(null);
  const unscored = await reader.read(row, { kind: 'unscored', evaluationId: row.id });
  // The first page and its appendix show the same failures, and reading them takes a pass over all.
  let failures: Promise<Failures> | undefined;
  return {
    evaluation,
    models,
    unscored,
    askedAgain: await readAskedAgain({ store, reader, evaluations }, row, signal),
    judgement: judgement ?? judgeThresholds(evaluation, summary, models, unscored),
    shard: () => row.settings.shard && readShard(store, row, row.settings.shard, sealKey),
    prices: store.evaluations.prices(row.id),
    modes: store.entries.modes(row.id, row.settings.argumentsMode),
    analysis: () =>
      reader.read(row, { kind: 'analysis', evaluationId: row.id, modelSettingsId: null }),
    failures: () =>
      (failures ??= reader.read(row, {
        kind: 'failures',
        evaluationId: row.id,
        modelSettingsId: null,
        search: '',
      })),
    tools: store.resultQueries.reportedTools(row.snapshotId),
    sentTools: await evaluations.sentTools({ id: row.id }),
    summary,
    verdict: await results.verdict({ id: row.id, modelSettingsId: null }),
    generated: stamp ?? generatedBy({ version, clock }),
    createdAt: stamp === null ? evaluation.createdAt : null,
    runs: (filter = {}) => measuredRuns({ store, reader }, row, filter, signal),
  };
}

/** The further repetitions of cases that a check asked again; null where it asks none. */
async function readAskedAgain(
  { store, reader, evaluations }: Pick<ReportsParts, 'store' | 'reader' | 'evaluations'>,
  { id, settings: { repetitionsUpTo: upTo } }: EvaluationRow,
  signal: AbortSignal,
): Promise<AskedAgain | null> {
  if (upTo === undefined) return null;
  const again: AskedAgain = { upTo, costUsd: 0, runs: [] };
  for (const row of store.evaluations.askedAgain('case', id)) {
    const { usage } = await evaluations.summary({ id: row.id, modelSettingsId: null });
    const { costUsd } = usage.all;
    again.costUsd = again.costUsd === null || costUsd === null ? null : again.costUsd + costUsd;
    for await (const run of measuredRuns({ store, reader }, row, {}, signal))
      again.runs.push({
        ...{ runId: run.runId, caseKey: run.caseKey, modelSettingsId: run.modelSettingsId },
        ...{ repetition: run.repetition, passed: run.passed, failure: run.failure },
        ...{ called: run.selected, differences: run.differences },
      });
  }
  return again;
}

/** Judges an evaluation by the thresholds that it was started with; null if it has none. */
function judgeThresholds(
  { settings: { gates, pooledGates, shard }, outcomes }: Evaluation,
  summary: EvaluationSummary,
  models: readonly ReportedModel[],
  unscored: readonly UnscoredGroup[],
): Judgement | null {
  // A part has too few cases to be judged by itself.
  if (gates.length === 0 || shard !== null) return null;
  return judge({
    models:
      pooledGates || models.length === 1
        ? [{ model: null, numbers: gateNumbers(summary) }]
        : models.map((each) => ({ model: each.label, numbers: gateNumbers(each.summary) })),
    thresholds: gates,
    unscoredRuns: outcomes.not_scored + outcomes.not_run,
    allowFailed: 0,
    unscored,
    baseline: null,
  });
}
