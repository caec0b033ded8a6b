import { counted, formatCount, formatDuration } from '../../../../src-shared/display/numbers.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import { neutralTime } from '../../../../src-shared/display/dates.ts';
import { toolSourceTexts } from '../../../../src-shared/display/evaluationTexts.ts';
import { headlineOf, vsBestText } from '../../../../src-shared/display/verdictTexts.ts';
import type { Column, Cover, CoverNumber, Report, ReportTable } from '../report.ts';
import { publishEvaluation } from '../documents/evaluationDocument.ts';
import { alertsOf } from './evaluationAlerts.ts';
import { casesTable, runReportTable } from './evaluationRuns.ts';
import { evaluationTests } from './evaluationTests.ts';
import { causesTable } from './evaluationCauses.ts';
import { factsOf, intervalNote, reportedMetrics } from './evaluationFacts.ts';
import { involvedMatrix, appendixMatrix } from './evaluationMatrix.ts';
import { notScoredReasons, notScoredTable } from './evaluationNotScored.ts';
import { judgementParts } from './judgementTables.ts';
import type { ReportSource } from './reportSource.ts';
import { sentToolsFacts, sentToolsParts } from './sentToolsParts.ts';

/** Facts whose values contain text from users or servers. */
const untrustedFacts: readonly string[] = ['Suite', 'State', 'Tools shown'];

/** More models are only counted in the line below the heading: the verdict names them. */
const maxNamedModels = 2;

/** The report of an evaluation; its runs are read page by page. */
export function evaluationReport(source: ReportSource): Report {
  const { evaluation, summary, models, generated, verdict } = source;
  return {
    subject: 'evaluation',
    title: `Evaluation #${evaluation.number} · ${evaluation.suiteName}`,
    generated,
    opening: { headline: [headlineOf(verdict)], lines: [] },
    ...(source.judgement && { judgement: source.judgement }),
    cover: coverOf(source),
    facts: [
      ...factsOf(evaluation, summary, verdict, source.modes).map(([name, value]) => ({
        name,
        value,
        untrusted: untrustedFacts.includes(name),
      })),
      { name: 'Models', value: models.map(({ label }) => label).join(', '), untrusted: true },
      { name: 'Tools tested', value: toolSourceTexts[evaluation.toolsFrom] },
      ...sentToolsFacts(source.sentTools),
    ],
    parts: [
      ...(source.judgement ? judgementParts(source.judgement) : []),
      { part: 'table', ...causesTable(source) },
      ...(verdict.counts.not_scored > 0
        ? [{ part: 'table' as const, ...notScoredTable(source) }]
        : []),
      { part: 'table', ...metricsTable(source) },
      { part: 'note', text: intervalNote },
      ...(models.length > 1 ? [{ part: 'table' as const, ...modelsTable(source) }] : []),
      { part: 'matrix', ...appendixMatrix(summary.confusion) },
      { part: 'table', ...toolsTable(source) },
      ...(summary.anyOf.length > 0 ? [{ part: 'table' as const, ...anyOfTable(source) }] : []),
      ...sentToolsParts(source.sentTools),
      { part: 'table', ...casesTable(source) },
    ],
    csv: runReportTable(source),
    document: () => publishEvaluation(source),
    tests: () => evaluationTests(source),
    alerts: () => alertsOf(source),
  };
}

function coverOf(source: ReportSource): Cover {
  const { evaluation, summary, verdict, models, failures } = source;
  const modelNames = shortNames(models);
  return {
    verdict,
    modelNames,
    heading: evaluation.suiteName,
    subtitle: [
      `Evaluation #${evaluation.number}`,
      models.length > maxNamedModels
        ? counted(models.length, 'model')
        : [...modelNames.values()].join(', '),
      counted(summary.cases, 'case'),
      toolsText(summary.perTool.map(({ toolId }) => toolId)) +
        (evaluation.toolsFrom === 'snapshot' ? ' (snapshot)' : ''),
      ...(summary.durationMs === null ? [] : [formatDuration(summary.durationMs)]),
      ...(evaluation.startedAt === null ? [] : [neutralTime(evaluation.startedAt)]),
    ].join(' · '),
    matrix: involvedMatrix(summary.confusion, models.length),
    failures,
    notScored: notScoredReasons(source),
    numbers: coverNumbers(summary.metrics),
  };
}

/** The names of models by the id of their settings, without addresses if they are distinct. */
function shortNames(models: ReportSource['models']): Map<string, string> {
  const short = models.map(({ settings, label }) =>
    settings.baseUrl === null ? label : settings.model,
  );
  const areDistinct = new Set(short).size === models.length;
  return new Map(
    models.map(({ settings, label }, at) => [
      settings.id,
      areDistinct ? (short[at] ?? label) : label,
    ]),
  );
}

/** "5 tools from todo", or "33 tools from 4 servers". */
function toolsText(ids: readonly string[]): string {
  const servers = new Set(ids.map((id) => splitToolId(id).server));
  const [server = ''] = servers;
  return `${counted(ids.length, 'tool')}${ids.length === 0 ? '' : ` from ${servers.size === 1 ? server : counted(servers.size, 'server')}`}`;
}

/** "33 correct of 43 calls made": the sums behind a rate. */
function sumsText({ value, n }: Estimate, what: string, of: string): string {
  return n === 0
    ? `there are no ${of}`
    : `${formatCount(Math.round((value ?? 0) * n))} ${what} of ${formatCount(n)} ${of}`;
}

function coverNumbers(metrics: ReportSource['summary']['metrics']): CoverNumber[] {
  const { selectionPrecision, selectionRecall, selectionF1, parameterAccuracy } = metrics;
  return [
    {
      name: 'Precision',
      estimate: selectionPrecision,
      note: sumsText(selectionPrecision, 'correct', 'calls made'),
    },
    {
      name: 'Recall',
      estimate: selectionRecall,
      note: sumsText(selectionRecall, 'correct', 'expected calls'),
    },
    { name: 'F1', estimate: selectionF1, note: 'harmonic mean of precision and recall' },
    {
      name: 'Arguments',
      estimate: parameterAccuracy,
      note: sumsText(parameterAccuracy, 'matching', 'arguments in correct calls'),
    },
  ];
}

const rateColumn = (title: string, name: string): Column => ({ title, name, kind: 'rate' });
const count = (title: string, name: string): Column => ({ title, name, kind: 'number' });

/** The metrics with their definitions, so that a report can be read on its own. */
function metricsTable({ summary }: ReportSource): ReportTable {
  return {
    title: 'Metrics',
    columns: [
      { title: 'Metric', name: 'metric', kind: 'word' },
      rateColumn('Value, 95% CI, n', 'value'),
      { title: 'What it is', name: 'meaning', kind: 'word' },
    ],
    rows: () =>
      reportedMetrics.map(({ key, name, meaning }) => ({
        cells: [name, summary.metrics[key], meaning],
      })),
  };
}

/** One row per model, for evaluations of several. */
function modelsTable({ models, verdict }: ReportSource): ReportTable {
  const against = new Map(
    verdict.models.map(({ modelSettingsId, vsBest }) => [modelSettingsId, vsBest]),
  );
  const names: [string, (estimates: ReportSource['summary']['metrics']) => Estimate][] = [
    ['Pass rate', (own) => own.passRate],
    ['Precision', (own) => own.selectionPrecision],
    ['Recall', (own) => own.selectionRecall],
    ['F1', (own) => own.selectionF1],
    ['Arguments', (own) => own.parameterAccuracy],
  ];
  return {
    title: 'By model',
    columns: [
      { title: 'Model', name: 'model', kind: 'text' },
      ...names.map(([title]) => rateColumn(title, title.toLowerCase().replace(' ', '_'))),
      { title: 'vs. best', name: 'vs_best', kind: 'word' },
      count('Not scored', 'failed'),
    ],
    rows: () =>
      models.map(({ label, settings, summary: { metrics, counts } }) => ({
        cells: [
          label,
          ...names.map(([, value]) => value(metrics)),
          vsBestText(against.get(settings.id) ?? null),
          counts.failed,
        ],
      })),
    note:
      'vs. best: pass rate against the best model by the paired test over the n cases that both ' +
      'scored, adjusted over all models.',
  };
}

/** Counts and rates of each tool. */
function toolsTable({ summary }: ReportSource): ReportTable {
  const shared = summary.anyOf.length > 0;
  return {
    title: 'Per tool',
    columns: [
      { title: 'Tool', name: 'tool_id', kind: 'code' },
      count('TP', 'tp'),
      ...(shared ? [count('One of several', 'any_of')] : []),
      count('FP', 'fp'),
      count('FN', 'fn'),
      rateColumn('Precision', 'precision'),
      rateColumn('Recall', 'recall'),
      rateColumn('F1', 'f1_score'),
    ],
    rows: () =>
      summary.perTool.map(({ toolId, tp, anyOf, fp, fn, precision, recall, f1Score }) => ({
        cells: [toolId, tp, ...(shared ? [anyOf] : []), fp, fn, precision, recall, f1Score],
      })),
  };
}

/** Expected calls that several tools satisfy: no tool's recall counts them. */
function anyOfTable({ summary }: ReportSource): ReportTable {
  return {
    title: 'Several tools allowed',
    note: 'Counted in no single tool’s recall.',
    columns: [
      { title: 'Tools', name: 'label', kind: 'code' },
      count('Passed', 'tp'),
      count('Missed', 'fn'),
      rateColumn('Recall', 'recall'),
    ],
    rows: () => summary.anyOf.map((row) => ({ cells: [row.label, row.tp, row.fn, row.recall] })),
  };
}
