import {
  answerText,
  comparisonHeadline,
  describeAnswer,
  sideName,
} from '../../../../src-shared/display/comparisonAnswer.ts';
import { clientName } from '../../../../src-shared/display/clientTexts.ts';
import { formatCount, formatPValue } from '../../../../src-shared/display/numbers.ts';
import { plainText } from '../../../../src-shared/display/verdictTexts.ts';
import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
} from '../../../../src-shared/domain/comparison.ts';
import { comparisonDocument } from '../documents/comparisonDocument.ts';
import { publish } from '../documents/published.ts';
import type { Mark, Report, ReportMatrix, ReportRow, ReportTable } from '../report.ts';

type ListName =
  'regressed' | 'fixed' | 'stillFailing' | 'tied' | 'notScored' | 'changed' | 'added' | 'removed';

/**
 * The lists of cases with their mark, most urgent first. `cell` is the matrix cell that counts
 * them.
 */
const lists: readonly {
  key: ListName;
  mark: Pick<Mark, 'sign' | 'word' | 'name' | 'tone'>;
  cell?: string;
}[] = [
  {
    key: 'regressed',
    mark: { sign: '✗', word: 'broken', name: 'regressed', tone: 'bad' },
    cell: '0-1',
  },
  { key: 'fixed', mark: { sign: '✓', word: 'fixed', tone: 'good' }, cell: '1-0' },
  { key: 'stillFailing', mark: { sign: '✗', word: 'still failing', tone: 'bad' }, cell: '1-1' },
  { key: 'tied', mark: { sign: '?', word: 'tied', tone: 'soft' } },
  { key: 'notScored', mark: { sign: '!', word: 'not scored', tone: 'warning' } },
  { key: 'changed', mark: { sign: '–', word: 'changed, not compared', tone: 'soft' } },
  { key: 'added', mark: { sign: '–', word: 'new, not compared', tone: 'soft' } },
  { key: 'removed', mark: { sign: '–', word: 'removed, not compared', tone: 'soft' } },
];

/** A candidate as "#12 model", or by its report file. */
const nameOf = (side: Pick<CandidateComparison, 'report' | 'number' | 'model'>): string =>
  `${sideName(side)} ${side.model}`;

/**
 * A comparison of candidates with a baseline, case by case, with the answers in the words of the
 * window.
 */
export function comparisonReport(comparison: Comparison, generated: string): Report {
  const { baseline, candidates, passedWhen } = comparison;
  return {
    subject: 'comparison',
    title: `Comparison with ${baseline.report === undefined ? 'evaluation ' : ''}${sideName(baseline)} · ${baseline.suiteName}`,
    generated,
    opening: {
      headline: comparisonHeadline(comparison),
      lines: candidates.map((candidate) => [
        `${sideName(candidate)} (`,
        { code: candidate.model },
        `): ${describeAnswer(candidate)}`,
      ]),
    },
    facts: [
      { name: 'Baseline', value: nameOf(baseline), untrusted: true },
      ...(baseline.unit === 'task'
        ? []
        : [
            {
              name: 'A run passes with',
              value:
                passedWhen === 'selection' ? 'the right tools' : 'the right tools and arguments',
            },
          ]),
    ],
    parts: [
      ...(comparison.clients === undefined
        ? []
        : [{ part: 'table' as const, ...clientsTable(comparison.clients) }]),
      { part: 'table', ...answersTable(candidates) },
      {
        part: 'note',
        text:
          `Over the unchanged ${baseline.unit}s that are scored on both sides. The difference is ` +
          `the candidate’s ${baseline.unit === 'task' ? 'success' : 'pass'} rate − the baseline’s, ` +
          'so 0.1 is 10 points. Intervals are 95%. p is of the sign-flip test over ' +
          `${baseline.unit}s (McNemar’s exact test with one repetition), adjusted by Holm over all ` +
          'candidates.',
      },
      ...candidates.map((candidate, at) => ({
        part: 'matrix' as const,
        ...outcomesMatrix(candidate, at, baseline),
      })),
      { part: 'table', ...conditionsTable(candidates) },
      { part: 'table', ...casesTable(candidates) },
    ],
    csv: casesTable(candidates),
    document: () => publish(comparisonDocument, comparison),
    alerts: () => [
      {
        level: 'notice' as const,
        title: plainText(comparisonHeadline(comparison)),
        message: candidates.map(describeAnswer).join('\n'),
      },
      ...candidates.flatMap((candidate) =>
        candidate.regressed.map((found) => ({
          level: 'notice' as const,
          title: `${found.caseKey}: broken in ${sideName(candidate)}`,
          message:
            `${found.query}\nbefore ${found.before.join(', ') || '–'}, after ` +
            (found.after.join(', ') || '–'),
        })),
      ),
    ],
  };
}

/** The rates of results that differ in how tools are presented. */
const clientsTable = (sides: NonNullable<Comparison['clients']>): ReportTable => ({
  title: 'By client',
  columns: [
    { title: 'Client', name: 'client', kind: 'word' },
    { title: 'Result', name: 'result', kind: 'text' },
    { title: 'Passed', name: 'passed', kind: 'rate' },
    { title: 'Tools hidden', name: 'hidden', kind: 'number' },
    { title: 'Descriptions cut', name: 'cut', kind: 'number' },
  ],
  rows: () =>
    sides.map((side) => ({
      cells: [clientName(side.client), nameOf(side), side.passed, side.hidden, side.cut],
    })),
});

/** One row per candidate with the answer and the numbers behind it. */
function answersTable(candidates: readonly CandidateComparison[]): ReportTable {
  return {
    title: 'Answers',
    columns: [
      { title: 'Candidate', name: 'candidate', kind: 'text' },
      { title: 'Answer', name: 'answer', kind: 'word' },
      {
        title: candidates[0]?.unit === 'task' ? 'Tasks' : 'Cases',
        name: 'shared_cases',
        kind: 'number',
      },
      { title: 'Baseline passed', name: 'baseline_right', kind: 'rate' },
      { title: 'Candidate passed', name: 'candidate_right', kind: 'rate' },
      { title: 'Difference', name: 'difference', kind: 'difference' },
      { title: 'p', name: 'p', kind: 'word' },
      { title: 'Broken', name: 'regressed', kind: 'number' },
      { title: 'Fixed', name: 'fixed', kind: 'number' },
      { title: 'Still failing', name: 'still_failing', kind: 'number' },
      { title: 'Still passing', name: 'still_right', kind: 'number' },
    ],
    rows: () =>
      candidates.map((candidate) => ({
        cells: [
          nameOf(candidate),
          answerText(candidate),
          candidate.sharedCases,
          candidate.baselineRight,
          candidate.candidateRight,
          candidate.difference,
          candidate.adjustedP === null ? null : formatPValue(candidate.adjustedP),
          candidate.regressed.length,
          candidate.fixed.length,
          candidate.stillFailing.length,
          candidate.stillRight,
        ],
      })),
  };
}

/**
 * The 2 × 2 table of McNemar's test. Cells link to their cases; cases that stayed correct are only
 * counted.
 */
function outcomesMatrix(
  candidate: CandidateComparison,
  at: number,
  baseline: Comparison['baseline'],
): ReportMatrix {
  const fields = [
    [candidate.stillRight, candidate.regressed.length],
    [candidate.fixed.length, candidate.stillFailing.length],
  ];
  const maxCount = Math.max(1, ...fields.flat());
  const sides = ['passed', 'failed'];
  return {
    title: `${sideName(candidate)} against ${sideName(baseline)}`,
    note: `Rows: the baseline. Columns: ${sideName(candidate)}. Each cell counts ${baseline.unit}s.`,
    corner: 'baseline ↓ candidate →',
    rows: sides,
    columns: sides,
    cell: (row, column) => {
      const n = fields[row]?.[column] ?? 0;
      const open =
        n > 0 && (row > 0 || column > 0)
          ? {
              link: {
                cell: `${at}:${row}-${column}`,
                label:
                  `${sideName(candidate)}: ${sides[row] ?? ''} before, ${sides[column] ?? ''} after: ` +
                  formatCount(n),
              },
            }
          : {};
      return { shown: formatCount(n), weight: n / maxCount, ...open };
    },
  };
}

/** Everything else that differs between the sides, because it may explain a difference. */
function conditionsTable(candidates: readonly CandidateComparison[]): ReportTable {
  const rows = candidates.flatMap((candidate): [string, string, string][] => [
    ...(candidate.modelDiffers
      ? [[nameOf(candidate), 'different model', candidate.model] satisfies [string, string, string]]
      : []),
    ...candidate.conditions.map((condition): [string, string, string] => [
      nameOf(candidate),
      'condition',
      condition,
    ]),
    ...(['added', 'removed', 'changed'] as const).flatMap((what) =>
      candidate.tools[what].map((tool): [string, string, string] => [
        nameOf(candidate),
        `tool ${what}`,
        tool,
      ]),
    ),
  ]);
  return {
    title: 'Other differences',
    emptyText: 'Nothing else differs.',
    columns: [
      { title: 'Candidate', name: 'candidate', kind: 'text' },
      { title: 'What', name: 'what', kind: 'word' },
      { title: 'Which', name: 'which', kind: 'text' },
    ],
    rows: () => rows.map((cells) => ({ cells })),
  };
}

/** All listed cases of all candidates; also the content of CSV. */
function casesTable(candidates: readonly CandidateComparison[]): ReportTable {
  const isTask = candidates[0]?.unit === 'task';
  const row = (
    candidate: CandidateComparison,
    at: number,
    found: ComparedCase,
    { mark, cell, key }: (typeof lists)[number],
  ): ReportRow => ({
    cells: [
      nameOf(candidate),
      answerText(candidate),
      { ...mark },
      { id: found.caseKey, name: found.name },
      found.query,
      found.before,
      found.after,
    ],
    ...(cell === undefined ? {} : { units: `${at}:${cell}` }),
    important: key === 'regressed',
  });
  return {
    title: isTask ? 'Tasks' : 'Cases',
    main: true,
    emptyText: isTask ? 'Every shared task still succeeds.' : 'Every shared case still passes.',
    note: isTask
      ? 'Tasks that still succeed are counted above and not listed.'
      : 'Cases that still pass are counted above and not listed.',
    columns: [
      { title: 'Candidate', name: 'candidate', kind: 'text' },
      { title: 'Answer', name: 'answer', kind: 'word' },
      { title: 'Outcome', name: 'outcome', kind: 'mark' },
      { title: isTask ? 'Task' : 'Case', name: 'case_id', kind: 'named' },
      { title: isTask ? 'First turn' : 'Query', name: 'query', kind: 'text' },
      ...(isTask
        ? ([
            { title: 'Before', name: 'before', kind: 'text' },
            { title: 'After', name: 'after', kind: 'text' },
          ] as const)
        : ([
            { title: 'Called before', name: 'before', kind: 'code' },
            { title: 'Called after', name: 'after', kind: 'code' },
          ] as const)),
    ],
    rows: () =>
      candidates.flatMap((candidate, at) =>
        lists.flatMap((list) =>
          candidate[list.key].map((found) => row(candidate, at, found, list)),
        ),
      ),
  };
}
