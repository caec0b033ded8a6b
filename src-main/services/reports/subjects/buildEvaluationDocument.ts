import type { RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { runColumns } from '../../../../src-shared/domain/runColumns.ts';
import { evaluationShape, numbersShape } from './evaluationShape.ts';
import { outcomeOf, type ReportSource } from './reportSource.ts';

/**
 * The JSON document of an evaluation: a superset of what `eval --json` prints, so that gates read
 * both, with one run per line.
 */
export function buildEvaluationDocument(source: ReportSource): Record<string, unknown> {
  const { evaluation, summary, models } = source;
  const { settings } = evaluation;
  return {
    ...evaluationShape(evaluation, summary),
    suite: evaluation.suiteName,
    cases: summary.cases,
    snapshot_id: evaluation.snapshotId,
    created_at: evaluation.createdAt,
    started_at: evaluation.startedAt,
    completed_at: evaluation.completedAt,
    settings: {
      servers: settings.servers,
      repetitions: settings.repetitions,
      top_k: settings.topK,
      retriever: settings.topK === null ? null : settings.retriever,
      high_confidence: settings.highConfidence,
      right_when: settings.passedWhen,
    },
    models: models.map(({ settings: model, label, summary: own }) => ({
      id: model.id,
      label,
      provider: model.provider,
      model: model.model,
      base_url: model.baseUrl,
      wire_api: model.wireApi,
      sent: model.sent,
      ...numbersShape(own),
    })),
    runs: runShapes(source),
  };
}

/** Yields runs one by one, so that the document never holds all of them. */
async function* runShapes(source: ReportSource): AsyncIterable<object> {
  for await (const run of source.runs()) yield runShape(run, source.evaluation.settings.passedWhen);
}

/** One run as JSON, by the names that gates and dashboards read. */
function runShape(run: RunRow, rule: Parameters<typeof outcomeOf>[1]) {
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
    outcome: outcomeOf(run, rule),
    classification: run.classification,
    passed: run.passed,
    expected: run.expected,
    selected: run.selected,
    units: run.units,
    ...Object.fromEntries(
      runColumns.flatMap(({ name, value, json }) =>
        json === undefined ? [] : [[name, (json.read ?? value)(run)]],
      ),
    ),
    failure: run.failure,
    error: run.errorMessage,
  };
}
