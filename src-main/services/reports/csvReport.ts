import type { RunRow } from '../../../src-shared/domain/evaluation.ts';
import { csvText, csvValue } from './escapeText.ts';
import { nameModels, outcomeOf, type BuildReport } from './reportSource.ts';

const columns = [
  'evaluation', 'suite', 'case_id', 'name', 'query', 'tags', 'model', 'repetition', 'attempt', 'status', 'outcome', 'classification', 'passed', 'expected', 'selected',
  'parameter_correctness', 'confidence', 'confidence_method', 'execution_time_ms', 'failure', 'error', 'run_id',
];

/** A run a line (RFC 4180). It holds neither time nor version: a line for them would be no run. */
export const buildCsv: BuildReport = async function* (source) {
  const { evaluation } = source;
  const labels = nameModels(evaluation.models);
  const line = (run: RunRow): string =>
    [
      csvValue(evaluation.number),
      csvText(evaluation.suiteName),
      csvText(run.caseKey),
      csvText(run.caseName),
      csvText(run.query),
      csvText(run.tags.join('; ')),
      csvText(labels.get(run.modelSettingsId) ?? ''),
      csvValue(run.repetition),
      csvValue(run.attempt),
      csvValue(run.status),
      csvValue(outcomeOf(run, evaluation.settings.rightWhen)),
      csvValue(run.classification),
      csvValue(run.passed),
      csvText(run.expected.join('; ')),
      csvText(run.selected.join('; ')),
      csvValue(run.parameterCorrectness),
      csvValue(run.confidence?.score ?? null),
      csvValue(run.confidence?.method ?? null),
      csvValue(run.executionTimeMs),
      csvValue(run.failure),
      csvText(run.errorMessage ?? ''),
      csvValue(run.runId),
    ].join(',');
  yield `${columns.join(',')}\r\n`;
  for await (const run of source.runs()) yield `${line(run)}\r\n`;
};
