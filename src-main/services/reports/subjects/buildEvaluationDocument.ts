import type { RepeatedNumbers } from '../../../../src-shared/domain/analysis.ts';
import type { Price } from '../../../../src-shared/domain/price.ts';
import { jsonFields, runColumns } from '../../../../src-shared/domain/runColumns.ts';
import { evaluationShape, numbersShape, vsBestShape } from './evaluationShape.ts';
import { judgementShape, unscoredShape } from './judgementShape.ts';
import { recountColumns } from './recountColumns.ts';
import type { MeasuredRun, ReportSource } from './reportSource.ts';
import { sentToolsShapes } from './sentToolsParts.ts';

/**
 * The JSON document of an evaluation: a superset of what `eval --json` prints, so that gates read
 * both, with one run per line.
 */
export async function buildEvaluationDocument(
  source: ReportSource,
): Promise<Record<string, unknown>> {
  const { evaluation, summary, verdict, models, prices, judgement } = source;
  const analysis = await source.analysis();
  const { settings } = evaluation;
  return {
    ...evaluationShape(evaluation, summary, verdict),
    check: judgement && judgementShape(judgement),
    unscored: unscoredShape(source.unscored),
    suite: evaluation.suiteName,
    cases: summary.cases,
    snapshot_id: evaluation.snapshotId,
    tools: source.tools,
    sent_tools: sentToolsShapes(source.sentTools),
    created_at: source.createdAt,
    started_at: evaluation.startedAt,
    completed_at: evaluation.completedAt,
    settings: {
      servers: settings.servers,
      repetitions: settings.repetitions,
      top_k: settings.topK,
      retriever: settings.topK === null ? null : settings.retriever,
      high_confidence: settings.highConfidence,
      passed_when: settings.passedWhen,
      arguments_mode: settings.argumentsMode,
    },
    calibrations: analysis.calibrations,
    repetitions: {
      ...repetitionsShape(analysis.repeated.selection_and_parameters),
      tools_only: repetitionsShape(analysis.repeated.selection),
    },
    models: models.map(({ settings: model, label, conditions, summary: own }) => ({
      id: model.id,
      label,
      provider: model.provider,
      model: model.model,
      base_url: model.baseUrl,
      wire_api: model.wireApi,
      sent: model.sent,
      ...(model.refused && { refused: model.refused }),
      conditions,
      vs_best: vsBestShape(
        verdict.models.find(({ modelSettingsId }) => modelSettingsId === model.id)?.vsBest,
      ),
      price: priceShape(prices.get(model.id) ?? null),
      ...numbersShape(own),
    })),
    runs: runShapes(source),
    shard: source.shard(),
  };
}

/** US dollars per million tokens. */
const priceShape = (price: Price | null) =>
  price && { input_usd: price.inputUsd, output_usd: price.outputUsd, date: price.date };

/** How steadily cases with several repetitions pass. */
function repetitionsShape({
  repetitions,
  passRates,
  repeatedCases,
  flakyTotal,
  flaky,
}: RepeatedNumbers) {
  return {
    most: repetitions,
    repeated_cases: repeatedCases,
    pass_at_k: passRates.map(({ k, passAtK, passAllK, cases }) => ({
      k,
      at_least_one: passAtK,
      all: passAllK,
      cases,
    })),
    flaky_total: flakyTotal,
    flaky: flaky.map(({ caseKey, name, modelSettingsId, n, passed }) => ({
      case_id: caseKey,
      name,
      model_id: modelSettingsId,
      n,
      passed,
    })),
  };
}

/** Yields runs one by one, so that the document never holds all of them. */
async function* runShapes(source: ReportSource): AsyncIterable<object> {
  for await (const run of source.runs()) yield runShape(run, source);
}

/** One run as JSON, by the names that gates and dashboards read. */
function runShape(run: MeasuredRun, source: ReportSource) {
  return {
    run_id: run.runId,
    case_id: run.caseKey,
    name: run.caseName,
    query: run.query,
    tags: run.tags,
    model_id: run.modelSettingsId,
    repetition: run.repetition,
    attempt: run.attempt,
    status: run.status,
    outcome: run.outcome,
    classification: run.classification,
    passed: run.passed,
    expected: run.expected,
    called: run.selected,
    units: run.units.map(({ expected, selected }) => ({ expected, called: selected })),
    ...jsonFields(runColumns, run),
    ...Object.fromEntries(recountColumns.map(({ name, value }) => [name, value(run, source)])),
    failure: run.failure,
    error: run.errorMessage,
  };
}
