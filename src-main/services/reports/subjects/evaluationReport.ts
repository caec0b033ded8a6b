import { runColumns } from '../../../../src-shared/domain/runColumns.ts';
import type { RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { failureTexts } from '../../../../src-shared/domain/failureTexts.ts';
import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import type {
  Alert,
  Cell,
  Column,
  Mark,
  Report,
  ReportMatrix,
  ReportPart,
  ReportTable,
} from '../report.ts';
import { evaluationDocument } from './evaluationDocument.ts';
import { evaluationTests } from './evaluationTests.ts';
import { confusedPairs, factsOf, intervalNote, reportedMetrics } from './evaluationFacts.ts';
import { nameModels, outcomeOf, type ReportSource, type RunOutcomeWord } from './reportSource.ts';

const maxConfusions = 50;
const untrustedFacts: readonly string[] = ['Suite', 'State', 'Tools shown'];

/** The report of an evaluation; its runs are read page by page. */
export function evaluationReport(source: ReportSource): Report {
  const { evaluation, summary, models, generated } = source;
  return {
    subject: 'evaluation',
    title: `Evaluation #${evaluation.number} · ${evaluation.suiteName}`,
    generated,
    facts: [
      ...factsOf(evaluation, summary).map(([name, value]) => ({
        name,
        value,
        untrusted: untrustedFacts.includes(name),
      })),
      { name: 'Models', value: models.map(({ label }) => label).join(', '), untrusted: true },
    ],
    parts: [
      { part: 'table', ...metricsTable(source) },
      { part: 'note', text: intervalNote },
      ...(models.length > 1 ? [{ part: 'table' as const, ...byModel(source) }] : []),
      ...matrixParts(source),
      { part: 'table', ...perTool(source) },
      { part: 'table', ...casesTable(source) },
    ],
    csv: runTable(source),
    document: evaluationDocument(source),
    tests: () => evaluationTests(source),
    alerts: () => alertsOf(source),
  };
}

const rateColumn = (title: string, name: string): Column => ({ title, name, kind: 'rate' });
const count = (title: string, name: string): Column => ({ title, name, kind: 'number' });

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
function byModel({ models }: ReportSource): ReportTable {
  const names: [string, (estimates: ReportSource['summary']['metrics']) => Estimate][] = [
    ['Precision', (own) => own.selectionPrecision],
    ['Recall', (own) => own.selectionRecall],
    ['F1', (own) => own.selectionF1],
    ['Parameters', (own) => own.parameterAccuracy],
  ];
  return {
    title: 'By model',
    columns: [
      { title: 'Model', name: 'model', kind: 'text' },
      ...names.map(([title]) => rateColumn(title, title.toLowerCase())),
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
    `${expected} expected, ${selected} selected: ${n}`;
  const picture: ReportMatrix = {
    title: 'Confusion matrix',
    note: 'Rows: expected. Columns: selected. A call each.',
    corner: 'expected ↓ selected →',
    rows: labels,
    columns: labels,
    cell: (row, column) => {
      const n = matrix[row]?.[column] ?? 0;
      if (n === 0) return { shown: '·', weight: 0 };
      return {
        shown: String(n),
        weight: n / largest,
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
      { title: 'Selected', name: 'selected', kind: 'code' },
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

function perTool({ summary }: ReportSource): ReportTable {
  return {
    title: 'Per tool',
    columns: [
      { title: 'Tool', name: 'tool_id', kind: 'code' },
      count('TP', 'tp'),
      count('FP', 'fp'),
      count('FN', 'fn'),
      rateColumn('Precision', 'precision'),
      rateColumn('Recall', 'recall'),
      rateColumn('F1', 'f1_score'),
    ],
    rows: () =>
      summary.perTool.map((row) => ({
        cells: [row.toolId, row.tp, row.fp, row.fn, row.precision, row.recall, row.f1Score],
      })),
  };
}

const marks: Readonly<Record<RunOutcomeWord, Pick<Mark, 'sign' | 'tone'>>> = {
  right: { sign: '✓', tone: 'right' },
  wrong: { sign: '✗', tone: 'wrong' },
  'not decided': { sign: '?', tone: 'soft' },
  'not scored': { sign: '!', tone: 'failed' },
  'not run': { sign: '–', tone: 'soft' },
};

/** A column with the value that a run has in it. */
interface RunColumn {
  column: Column;
  value: (run: RunRow) => Cell;
}

/** The runs as people read them; columns that are the same for all runs are left out. */
function casesTable(source: ReportSource): ReportTable {
  const { evaluation, models, summary } = source;
  const labels = nameModels(models.map(({ settings }) => settings));
  const indexOf = new Map(summary.confusion.labels.map((label, index) => [label, index]));
  const columns: RunColumn[] = [
    {
      column: { title: 'Case', name: 'case', kind: 'named' },
      value: ({ caseKey, caseName }) => ({ id: caseKey, name: caseName }),
    },
    { column: { title: 'Query', name: 'query', kind: 'text' }, value: ({ query }) => query },
    ...(models.length > 1
      ? [
          {
            column: { title: 'Model', name: 'model', kind: 'text' as const },
            value: (run: RunRow) => labels.get(run.modelSettingsId) ?? '',
          },
        ]
      : []),
    ...(evaluation.settings.repetitions > 1
      ? [{ column: count('No.', 'repetition'), value: (run: RunRow) => run.repetition }]
      : []),
    {
      column: { title: 'Expected', name: 'expected', kind: 'code' },
      value: ({ expected }) => expected,
    },
    {
      column: { title: 'Selected', name: 'selected', kind: 'code' },
      value: ({ selected }) => selected,
    },
    {
      column: { title: 'Outcome', name: 'outcome', kind: 'mark' },
      value: (run) => markOf(run, source),
    },
    ...runColumns.flatMap(({ name, value, report }): RunColumn[] =>
      report === undefined ? [] : [{ column: { ...report, name, kind: 'number' }, value }],
    ),
  ];
  return {
    title: 'Cases',
    main: true,
    columns: columns.map(({ column }) => column),
    async *rows() {
      for await (const run of source.runs()) {
        yield {
          cells: columns.map(({ value }) => value(run)),
          units: run.units
            .map(
              ({ expected, selected }) =>
                `${indexOf.get(expected) ?? -1}-${indexOf.get(selected) ?? -1}`,
            )
            .join(' '),
          important: outcomeOf(run, evaluation.settings.passedWhen) !== 'right',
        };
      }
    },
  };
}

/** The outcome of a run, with the reason when it was not scored. */
function markOf(run: RunRow, { evaluation }: ReportSource): Mark {
  const word = outcomeOf(run, evaluation.settings.passedWhen);
  const failureDetails =
    run.status === 'failed'
      ? {
          ...(run.failure === null ? {} : { note: failureTexts[run.failure] }),
          ...(run.errorMessage === null ? {} : { text: run.errorMessage }),
        }
      : {};
  return {
    word,
    ...marks[word],
    ...(run.classification === null ? {} : { note: run.classification }),
    ...failureDetails,
  };
}

/** All fields of every run; the content of CSV. */
function runTable(source: ReportSource): ReportTable {
  const { evaluation } = source;
  const labels = nameModels(evaluation.models);
  const column = (
    name: string,
    kind: 'text' | 'code' | 'word',
    value: (run: RunRow) => Cell,
  ): RunColumn => ({ column: { title: name, name, kind }, value });
  const columns: RunColumn[] = [
    column('evaluation', 'word', () => evaluation.number),
    column('suite', 'text', () => evaluation.suiteName),
    column('case_id', 'text', ({ caseKey }) => caseKey),
    column('name', 'text', ({ caseName }) => caseName),
    column('query', 'text', ({ query }) => query),
    column('tags', 'code', ({ tags }) => tags),
    column('model', 'text', ({ modelSettingsId }) => labels.get(modelSettingsId) ?? ''),
    column('repetition', 'word', ({ repetition }) => repetition),
    column('attempt', 'word', ({ attempt }) => attempt),
    column('status', 'word', ({ status }) => status),
    column('outcome', 'word', (run) => outcomeOf(run, evaluation.settings.passedWhen)),
    column('classification', 'word', ({ classification }) => classification),
    column('passed', 'word', ({ passed }) => passed),
    column('expected', 'code', ({ expected }) => expected),
    column('selected', 'code', ({ selected }) => selected),
    ...runColumns.map(({ name, value }) => column(name, 'word', value)),
    column('failure', 'word', ({ failure }) => failure),
    column('error', 'text', ({ errorMessage }) => errorMessage),
    column('run_id', 'word', ({ runId }) => runId),
  ];
  return {
    title: 'Runs',
    columns: columns.map((each) => each.column),
    async *rows() {
      for await (const run of source.runs())
        yield { cells: columns.map(({ value }) => value(run)) };
    },
  };
}

/** Failed runs as errors, unscored ones as warnings. */
async function* alertsOf(source: ReportSource): AsyncIterable<Alert> {
  for await (const run of source.runs()) {
    const word = outcomeOf(run, source.evaluation.settings.passedWhen);
    if (word === 'wrong')
      yield {
        level: 'error',
        title: `${run.caseKey}: wrong`,
        message:
          `${run.query}\nexpected ${run.expected.join(', ')}, selected ` +
          `${run.selected.join(', ') || '–'}`,
      };
    else if (word === 'not scored')
      yield {
        level: 'warning',
        title: `${run.caseKey}: not scored`,
        message: run.errorMessage ?? (run.failure === null ? '' : failureTexts[run.failure]),
      };
  }
}
