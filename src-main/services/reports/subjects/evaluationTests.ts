import type { EvaluationSummary, RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { failureTexts } from '../../../../src-shared/domain/failureTexts.ts';
import { isFailure } from '../../../../src-shared/domain/outcome.ts';
import { outcomeTexts } from '../../../../src-shared/display/outcomeTexts.ts';
import { failedOf } from '../../../../src-shared/display/verdictTexts.ts';
import { emptyOutcomeCounts } from '../../../../src-shared/metrics/outcomes.ts';
import type { TestCase, TestSuite } from '../report.ts';
import { expectedAndCalled, undecidedText } from './evaluationRuns.ts';
import type { ReportSource } from './reportSource.ts';

/** One JUnit suite per model, one test per run. */
export function evaluationTests(source: ReportSource): TestSuite[] {
  const { evaluation, models } = source;
  return models.map(({ settings, label, summary }) => {
    return {
      name: `${evaluation.suiteName} · ${label}`,
      ...(evaluation.startedAt === null
        ? {}
        : { timestamp: evaluation.startedAt.replace(/(?:\.\d+)?Z$/, '') }),
      properties: [
        ['evaluation', String(evaluation.number)],
        ['evaluation_id', evaluation.id],
        ['model', label],
      ],
      counts: countTests(source, settings.id, summary),
      async *cases() {
        for await (const run of source.runs({ modelSettingsId: settings.id }))
          yield testOf(run, label, evaluation.settings.repetitions);
      },
    };
  });
}

/**
 * Counts before the runs are read: XML writes them first. Runs that ended without a score are
 * errors. Runs that did not run are skipped, and so are those whose arguments nothing decides.
 */
function countTests(
  { verdict }: ReportSource,
  modelSettingsId: string,
  { counts }: EvaluationSummary,
): TestSuite['counts'] {
  const own = verdict.models.find((model) => model.modelSettingsId === modelSettingsId);
  const outcomes = own?.counts ?? emptyOutcomeCounts();
  const errors = counts.failed - (outcomes.not_run - counts.open);
  return {
    tests: counts.total,
    failures: failedOf(outcomes),
    errors,
    skipped: outcomes.not_run + outcomes.not_scored - errors,
  };
}

/** One run as a JUnit test; repetitions are numbered so that names stay unique. */
function testOf(run: RunRow, label: string, repetitions: number): TestCase {
  const name =
    repetitions === 1 ? run.caseName : `${run.caseName} (${run.repetition} of ${repetitions})`;
  return {
    name: `${run.caseKey}: ${name}`,
    classname: label,
    ...(run.executionTimeMs === null ? {} : { seconds: run.executionTimeMs / 1000 }),
    outcome: outcomeBody(run),
  };
}

/** The JUnit outcome of a run; null when it passed. */
function outcomeBody(run: RunRow): TestCase['outcome'] {
  const { outcome, failure } = run;
  const { label } = outcomeTexts[outcome];
  if (outcome === 'passed') return null;
  if (isFailure(outcome))
    return {
      kind: 'failure',
      message: `${label}: ${expectedAndCalled(run)}`,
      type: outcome,
      text: `Query: ${run.query}`,
    };
  if (outcome === 'not_run') return { kind: 'skipped', message: label };
  if (run.status === 'completed') return { kind: 'skipped', message: `${label}: ${undecidedText}` };
  return {
    kind: 'error',
    message: failure === null ? label : `${label}: ${failureTexts[failure]}`,
    type: failure ?? 'internal',
    text: run.errorMessage ?? '',
  };
}
