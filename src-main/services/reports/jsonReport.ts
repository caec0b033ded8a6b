import type { RunRow } from '../../../src-shared/domain/evaluation.ts';
import { evaluationShape, numbersShape } from './evaluationShape.ts';
import { outcomeOf, type BuildReport, type ReportSource } from './reportSource.ts';

/** Counts up with every change that a reader of the document could stumble over; datasets/evaluation_report.schema.json describes it. */
export const jsonReportVersion = 1;

/** One document: the head line by line, then a run a line. A superset of what `eval --json` prints, so that gates read both. */
export const buildJson: BuildReport = async function* (source) {
  const { evaluation } = source;
  const head = Object.entries(headOf(source)).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  yield `{\n${head.join(',\n')},\n"runs": [`;
  let before = '\n';
  for await (const run of source.runs()) {
    yield `${before}${JSON.stringify(runShape(run, evaluation.settings.rightWhen))}`;
    before = ',\n';
  }
  yield '\n]\n}\n';
};

function headOf({ evaluation, summary, models, generated }: ReportSource) {
  const { settings } = evaluation;
  return {
    format: 'touchstone-evaluation',
    version: jsonReportVersion,
    generated,
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
      right_when: settings.rightWhen,
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
  };
}

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
    parameter_correctness: run.parameterCorrectness,
    confidence: run.confidence,
    execution_time_ms: run.executionTimeMs,
    failure: run.failure,
    error: run.errorMessage,
  };
}
