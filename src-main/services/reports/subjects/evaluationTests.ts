import type { EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import { failureOutcomes, isFailure } from '../../../../src-shared/domain/outcome.ts';
import { cacheText } from '../../../../src-shared/display/evaluationTexts.ts';
import { differenceText } from '../../../../src-shared/display/differenceTexts.ts';
import { causeTexts } from '../../../../src-shared/display/judgementTexts.ts';
import { outcomeTexts } from '../../../../src-shared/display/outcomeTexts.ts';
import { failedOf } from '../../../../src-shared/display/verdictTexts.ts';
import { emptyOutcomeCounts } from '../../../../src-shared/metrics/outcomes.ts';
import type { TestCase, TestSuite } from '../report.ts';
import { blockingRuns, outcomeOf, type BlockingRuns, type TestedRun } from './blockingRuns.ts';
import { whatDiffers } from './evaluationRuns.ts';
import { checksSuite } from './judgementTests.ts';
import type { MeasuredRun, ReportSource } from './reportSource.ts';

/**
 * One JUnit suite of what decides the build, and one per model with a test per run. Only what fails
 * the build is a failure: other failed runs are skipped tests that say what happened.
 */
export async function evaluationTests(source: ReportSource): Promise<TestSuite[]> {
  const { evaluation, models, judgement } = source;
  const blocking = blockingRuns(judgement);
  const suites = judgement === null ? [] : [checksSuite(judgement)];
  for (const { settings, label, summary } of models) {
    const cache = cacheText(evaluation, summary);
    suites.push({
      name: `${evaluation.suiteName} · ${label}`,
      ...(evaluation.startedAt === null
        ? {}
        : { timestamp: evaluation.startedAt.replace(/(?:\.\d+)?Z$/, '') }),
      properties: [
        ['evaluation', String(evaluation.number)],
        ['evaluation_id', evaluation.id],
        ['model', label],
        ...(cache === null ? [] : [['cache', cache] as const]),
      ],
      counts: await countTests(source, settings.id, summary, blocking),
      async *cases() {
        for await (const run of source.runs({ modelSettingsId: settings.id }))
          yield testOf(run, label, evaluation.settings.repetitions, blocking);
      },
    });
  }
  return suites;
}

/** Counts before the runs are written: XML has them first. */
async function countTests(
  source: ReportSource,
  modelSettingsId: string,
  { counts }: EvaluationSummary,
  { fails, hasFailures, unscoredBlocks }: BlockingRuns,
): Promise<TestSuite['counts']> {
  const own = source.verdict.models.find((model) => model.modelSettingsId === modelSettingsId);
  const outcomes = own?.counts ?? emptyOutcomeCounts();
  let failures = 0;
  if (hasFailures)
    for await (const run of source.runs({ modelSettingsId, outcome: [...failureOutcomes] }))
      if (fails(run)) failures += 1;
  const errors = unscoredBlocks ? outcomes.not_scored : 0;
  return {
    tests: counts.total,
    failures,
    errors,
    skipped: failedOf(outcomes) - failures + outcomes.not_run + outcomes.not_scored - errors,
  };
}

/** One run as a JUnit test; repetitions are numbered so that names stay unique. */
function testOf(
  run: MeasuredRun,
  label: string,
  repetitions: number,
  blocking: BlockingRuns,
): TestCase {
  const name =
    repetitions === 1 ? run.caseName : `${run.caseName} (${run.repetition} of ${repetitions})`;
  return {
    name: `${run.caseKey}: ${name}`,
    classname: label,
    ...(run.executionTimeMs === null ? {} : { seconds: run.executionTimeMs / 1000 }),
    outcome: outcomeOf(testedRun(run, blocking), blocking),
  };
}

function testedRun(run: MeasuredRun, { fails }: BlockingRuns): TestedRun {
  const { outcome, failure } = run;
  const { label } = outcomeTexts[outcome];
  const tested = { type: outcome, regressed: fails(run) };
  if (isFailure(outcome)) {
    const message = `${label}: ${whatDiffers(run)}`;
    const text = [`Query: ${run.query}`, ...run.differences.map(differenceText)].join('\n');
    return { ...tested, ended: 'failed', message, text, skipped: `${message}.` };
  }
  if (outcome !== 'not_scored')
    return { ...tested, ended: outcome, message: label, text: '', skipped: label };
  const reason = run.status === 'completed' ? 'schema' : failure;
  const message = reason === null ? label : `${label}: ${causeTexts[reason]}`;
  const text = run.errorMessage ?? '';
  return {
    ...{ ...tested, ended: 'not_scored', type: reason ?? 'internal', message, text },
    skipped: [message, text].filter(Boolean).join(': '),
  };
}
