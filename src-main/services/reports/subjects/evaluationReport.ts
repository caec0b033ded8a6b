import { isCorrectUnit } from '../../../../src-shared/domain/labels.ts';
import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import type { Column, Report, ReportMatrix, ReportPart, ReportTable } from '../report.ts';
import { buildEvaluationDocument } from './buildEvaluationDocument.ts';
import { alertsOf, casesTable, runReportTable } from './evaluationRuns.ts';
import { evaluationTests } from './evaluationTests.ts';
import { confusedPairs, factsOf, intervalNote, reportedMetrics } from './evaluationFacts.ts';
import type { ReportSource } from './reportSource.ts';

/** Beyond this, the matrix itself is easier to read than a list. */
const maxConfusions = 50;
/** Facts whose values contain text from users or servers. */
const untrustedFacts: readonly string[] = ['Suite', 'State', 'Tools shown'];

/** The report of an evaluation; its runs are read page by page. */
export function evaluationReport(source: ReportSource): Report {
  const { evaluation, summary, models, generated, verdict } = source;
  return {
    subject: 'evaluation',
    title: `Evaluation #${evaluation.number} · ${evaluation.suiteName}`,
    generated,
    verdict,
    facts: [
      ...factsOf(evaluation, summary, verdict).map(([name, value]) => ({
        name,
        value,
        untrusted: untrustedFacts.includes(name),
      })),
      { name: 'Models', value: models.map(({ label }) => label).join(', '), untrusted: true },
    ],
    parts: [
      { part: 'table', ...metricsTable(source) },
      { part: 'note', text: intervalNote },
      ...(models.length > 1 ? [{ part: 'table' as const, ...modelsTable(source) }] : []),
      ...matrixParts(source),
      { part: 'table', ...toolsTable(source) },
      ...(summary.anyOf.length > 0 ? [{ part: 'table' as const, ...anyOfTable(source) }] : []),
      { part: 'table', ...casesTable(source) },
    ],
    csv: runReportTable(source),
    document: buildEvaluationDocument(source),
    tests: () => evaluationTests(source),
    alerts: () => alertsOf(source),
  };
}

const rateColumn = (title: string, name: string): Column => ({ title, name, kind: 'rate' });
const count = (title: string, name: string): Column => ({ title, name, kind: 'number' });

/** The metrics with their definitions, so that a report can be read on its own. */
function metricsTable({ summary }: ReportSource): ReportTable {
  return {
    title: 'Metrics',
    columns: [
      { title: 'Metric', name: 'metric', kind: 'word' },
      rateColumn('Value, 95 %, n', 'value'),
      { title: 'What it is', name: 'meaning', kind: 'word' },
    ],
    rows: () =>
      reportedMetrics.map(({ key, name, meaning }) => ({
        cells: [name, summary.metrics[key], meaning],
      })),
  };
}

/** One row per model, for evaluations of several. */
function modelsTable({ models }: ReportSource): ReportTable {
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
      count('Not scored', 'failed'),
    ],
    rows: () =>
      models.map(({ label, summary: { metrics, counts } }) => ({
        cells: [label, ...names.map(([, value]) => value(metrics)), counts.failed],
      })),
  };
}

/**
 * The confusion matrix and its largest confusions. Cells link to the runs that they count, by the
 * indexes of row and column.
 */
function matrixParts({ summary }: ReportSource): ReportPart[] {
  const { labels, matrix } = summary.confusion;
  const indexOf = new Map(labels.map((label, index) => [label, index]));
  const largest = matrix.flat().reduce((most, n) => Math.max(most, n), 1);
  const words = (expected: string, selected: string, n: number): string =>
    `${expected} expected, ${selected} called: ${n}`;
  const picture: ReportMatrix = {
    title: 'Confusion matrix',
    note: 'Rows: expected. Columns: called. Each cell counts calls.',
    corner: 'expected ↓ called →',
    rows: labels,
    columns: labels,
    cell: (row, column) => {
      const n = matrix[row]?.[column] ?? 0;
      if (n === 0) return { shown: '·', weight: 0 };
      return {
        shown: String(n),
        weight: n / largest,
        correct:
          row === column ||
          isCorrectUnit({ expected: labels[row] ?? '', selected: labels[column] ?? '' }),
        link: {
          cell: `${row}-${column}`,
          label: words(labels[row] ?? '', labels[column] ?? '', n),
        },
      };
    },
  };
  const pairs = confusedPairs(summary);
  const list: ReportTable = {
    title: 'Most confused',
    emptyText: 'Nothing was confused.',
    columns: [
      { title: 'Expected', name: 'expected', kind: 'code' },
      { title: 'Called', name: 'called', kind: 'code' },
      { title: 'Calls', name: 'calls', kind: 'link' },
    ],
    rows: () =>
      pairs.slice(0, maxConfusions).map(({ expected, selected, n }) => ({
        cells: [
          expected,
          selected,
          {
            n,
            cell: `${indexOf.get(expected) ?? -1}-${indexOf.get(selected) ?? -1}`,
            label: words(expected, selected, n),
          },
        ],
      })),
    ...(pairs.length > maxConfusions
      ? { note: `${pairs.length - maxConfusions} more pairs.` }
      : {}),
  };
  return [
    { part: 'matrix', ...picture },
    { part: 'table', ...list },
  ];
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
