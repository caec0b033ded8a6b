import type { EvaluationSummary, RunRow } from '../../../src-shared/domain/evaluation.ts';
import type { RightWhen } from '../../../src-shared/domain/comparison.ts';
import { escapeXml } from './escapeText.ts';
import { outcomeOf, type BuildReport, type ReportedModel, type ReportSource } from './reportSource.ts';
import { failureMeaning } from './reportWords.ts';

interface SuiteCounts {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
}

const attributes = (values: Record<string, string | number | undefined>): string => Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`).join('');

/** A suite for each model, a test for each run: a wrong choice is a failure, trouble an error, what did not run or can't be decided is skipped. */
export const buildJunit: BuildReport = async function* (source) {
  const { evaluation, models, generated } = source;
  const suites: { model: ReportedModel; counts: SuiteCounts }[] = [];
  for (const model of models) suites.push({ model, counts: await countOutcomes(source, model.settings.id, model.summary) });
  const sum = (name: keyof SuiteCounts) => suites.reduce((total, { counts }) => total + counts[name], 0);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: evaluation.suiteName, tests: sum('tests'), failures: sum('failures'), errors: sum('errors'), skipped: sum('skipped') })}>\n`;
  for (const { model, counts } of suites) {
    const at = evaluation.startedAt === null ? {} : { timestamp: evaluation.startedAt.replace(/(?:\.\d+)?Z$/, '') };
    yield `  <testsuite${attributes({ name: `${evaluation.suiteName} · ${model.label}`, ...counts, ...at })}>\n`;
    yield `    <properties>\n${propertiesOf(source, model.label, generated).map(([name, value]) => `      <property${attributes({ name, value })}/>\n`).join('')}    </properties>\n`;
    for await (const run of source.runs({ modelSettingsId: model.settings.id })) yield testCase(run, model.label, evaluation.settings);
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
};

function propertiesOf({ evaluation }: ReportSource, label: string, generated: string): [string, string][] {
  return [['evaluation', String(evaluation.number)], ['evaluation_id', evaluation.id], ['model', label], ['generated', generated]];
}

/** From the summary where it tells; how many right calls had wrong parameters has to be counted. */
async function countOutcomes(source: ReportSource, modelSettingsId: string, { counts }: EvaluationSummary): Promise<SuiteCounts> {
  const wrong = counts.fp + counts.fn;
  const base = { tests: counts.total, failures: wrong, errors: counts.failed, skipped: counts.open };
  if (source.evaluation.settings.rightWhen === 'selection') return base;
  const right = { modelSettingsId, classification: ['TP' as const], status: ['completed' as const] };
  const [passed, failed] = [await source.count({ ...right, passed: true }), await source.count({ ...right, passed: false })];
  return { ...base, failures: wrong + failed, skipped: counts.open + counts.tp - passed - failed };
}

function testCase(run: RunRow, label: string, { repetitions, rightWhen }: { repetitions: number; rightWhen: RightWhen }): string {
  const name = repetitions === 1 ? run.caseName : `${run.caseName} (${run.repetition} of ${repetitions})`;
  const time = run.executionTimeMs === null ? {} : { time: (run.executionTimeMs / 1000).toFixed(3) };
  const head = `    <testcase${attributes({ name: `${run.caseKey}: ${name}`, classname: label, ...time })}`;
  const inner = bodyOf(run, rightWhen);
  return inner === null ? `${head}/>\n` : `${head}>\n      ${inner}\n    </testcase>\n`;
}

function bodyOf(run: RunRow, rule: RightWhen): string | null {
  const chosen = `expected ${run.expected.join(', ')}, selected ${run.selected.join(', ') || '–'}`;
  switch (outcomeOf(run, rule)) {
    case 'right':
      return null;
    case 'wrong': {
      const message = run.classification === 'TP' ? `${chosen}, with wrong parameters` : chosen;
      return `<failure${attributes({ message, type: run.classification ?? '' })}>${escapeXml(`Query: ${run.query}`)}</failure>`;
    }
    case 'not scored':
      return `<error${attributes({ message: run.failure === null ? 'not scored' : failureMeaning[run.failure], type: run.failure ?? 'internal' })}>${escapeXml(run.errorMessage ?? '')}</error>`;
    case 'not decided':
      return `<skipped${attributes({ message: 'the schema can’t decide whether the parameters are right' })}/>`;
    case 'not run':
      return `<skipped${attributes({ message: 'not run' })}/>`;
  }
}
