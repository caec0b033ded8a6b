import type { PassedWhen } from '../../../../src-shared/domain/comparison.ts';
import type { EvaluationSummary, RunRow } from '../../../../src-shared/domain/evaluation.ts';
import type { TestCase, TestSuite } from '../report.ts';
import { failureTexts } from '../../../../src-shared/domain/failureTexts.ts';
import { outcomeOf, type ReportSource } from './reportSource.ts';

/** One JUnit suite per model, one test per run. */
export async function evaluationTests(source: ReportSource): Promise<TestSuite[]> {
  const { evaluation, models } = source;
  const suites: TestSuite[] = [];
  for (const { settings, label, summary } of models) {
    suites.push({
      name: `${evaluation.suiteName} · ${label}`,
      ...(evaluation.startedAt === null
        ? {}
        : { timestamp: evaluation.startedAt.replace(/(?:\.\d+)?Z$/, '') }),
      properties: [
        ['evaluation', String(evaluation.number)],
        ['evaluation_id', evaluation.id],
        ['model', label],
      ],
      counts: await countOutcomes(source, settings.id, summary),
      async *cases() {
        for await (const run of source.runs({ modelSettingsId: settings.id }))
          yield testOf(run, label, evaluation.settings);
      },
    });
  }
  return suites;
}

/**
 * Takes the counts from the summary. With parameters in the rule, correct calls with wrong
 * parameters have to be counted separately.
 */
async function countOutcomes(
  source: ReportSource,
  modelSettingsId: string,
  { counts }: EvaluationSummary,
): Promise<TestSuite['counts']> {
  const wrong = counts.fp + counts.fn;
  // Cancelled and interrupted runs were not run: skipped, never an error.
  const notRun =
    source.verdict.models.find((model) => model.modelSettingsId === modelSettingsId)?.counts
      .not_run ?? counts.open;
  const base = {
    tests: counts.total,
    failures: wrong,
    errors: counts.failed - (notRun - counts.open),
    skipped: notRun,
  };
  if (source.evaluation.settings.passedWhen === 'selection') return base;
  const right = {
    modelSettingsId,
    classification: ['TP' as const],
    status: ['completed' as const],
  };
  const [passed, failed] = [
    await source.count({ ...right, passed: true }),
    await source.count({ ...right, passed: false }),
  ];
  return { ...base, failures: wrong + failed, skipped: notRun + counts.tp - passed - failed };
}

/** One run as a JUnit test; repetitions are numbered so that names stay unique. */
function testOf(
  run: RunRow,
  label: string,
  { repetitions, passedWhen }: { repetitions: number; passedWhen: PassedWhen },
): TestCase {
  const name =
    repetitions === 1 ? run.caseName : `${run.caseName} (${run.repetition} of ${repetitions})`;
  return {
    name: `${run.caseKey}: ${name}`,
    classname: label,
    ...(run.executionTimeMs === null ? {} : { seconds: run.executionTimeMs / 1000 }),
    outcome: outcomeBody(run, passedWhen),
  };
}

/** The JUnit outcome of a run; null when it passed. */
function outcomeBody(run: RunRow, rule: PassedWhen): TestCase['outcome'] {
  const chosen = `expected ${run.expected.join(', ')}, selected ${run.selected.join(', ') || '–'}`;
  switch (outcomeOf(run, rule)) {
    case 'right':
      return null;
    case 'wrong':
      return {
        kind: 'failure',
        message: run.classification === 'TP' ? `${chosen}, with wrong parameters` : chosen,
        type: run.classification ?? '',
        text: `Query: ${run.query}`,
      };
    case 'not scored':
      return {
        kind: 'error',
        message: run.failure === null ? 'not scored' : failureTexts[run.failure],
        type: run.failure ?? 'internal',
        text: run.errorMessage ?? '',
      };
    case 'not decided':
      return {
        kind: 'skipped',
        message: 'the schema can’t decide whether the parameters are right',
      };
    case 'not run':
      return { kind: 'skipped', message: 'not run' };
  }
}
