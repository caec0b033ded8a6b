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
import type { Mark, Report, ReportMatrix, ReportTable } from '../report.ts';
import { factsFrom, field, tableOf, tables } from './tableOf.ts';

type ListName =
  'regressed' | 'fixed' | 'stillFailing' | 'tied' | 'notScored' | 'changed' | 'added' | 'removed';

/**
 * The lists of cases with their mark, most urgent first. `cell` is the matrix cell that counts
 * them.
 */
const lists: readonly {
  key: ListName;
  mark: Mark;
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
    facts: factsFrom(
      ['Baseline', nameOf(baseline), 'untrusted'],
      [
        'A run passes with',
        baseline.unit === 'task'
          ? null
          : passedWhen === 'selection'
            ? 'the right tools'
            : 'the right tools and arguments',
      ],
    ),
    parts: [
      ...tables(
        comparison.clients ? clientsTable(comparison.clients) : null,
        answersTable(candidates),
      ),
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
      ...tables(conditionsTable(candidates), casesTable(candidates)),
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
const clientsTable = (sides: NonNullable<Comparison['clients']>): ReportTable =>
  tableOf('By client', sides, [
    field('word', 'Client', 'client', ({ client }) => clientName(client)),
    field('text', 'Result', 'result', nameOf),
    field('rate', 'Passed', 'passed', ({ passed }) => passed),
    field('number', 'Tools hidden', 'hidden', ({ hidden }) => hidden),
    field('number', 'Descriptions cut', 'cut', ({ cut }) => cut),
  ]);

/** One row per candidate with the answer and the numbers behind it. */
const answersTable = (candidates: readonly CandidateComparison[]): ReportTable =>
  tableOf('Answers', candidates, [
    field('text', 'Candidate', 'candidate', nameOf),
    field('word', 'Answer', 'answer', answerText),
    field(
      'number',
      candidates[0]?.unit === 'task' ? 'Tasks' : 'Cases',
      'shared_cases',
      ({ sharedCases }) => sharedCases,
    ),
    field('rate', 'Baseline passed', 'baseline_right', ({ baselineRight }) => baselineRight),
    field('rate', 'Candidate passed', 'candidate_right', ({ candidateRight }) => candidateRight),
    field('difference', 'Difference', 'difference', ({ difference }) => difference),
    field('word', 'p', 'p', ({ adjustedP }) =>
      adjustedP === null ? null : formatPValue(adjustedP),
    ),
    field('number', 'Broken', 'regressed', ({ regressed }) => regressed.length),
    field('number', 'Fixed', 'fixed', ({ fixed }) => fixed.length),
    field('number', 'Still failing', 'still_failing', ({ stillFailing }) => stillFailing.length),
    field('number', 'Still passing', 'still_right', ({ stillRight }) => stillRight),
  ]);

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
const conditionsTable = (candidates: readonly CandidateComparison[]): ReportTable =>
  tableOf(
    'Other differences',
    candidates.flatMap((candidate) => {
      const differing = (what: string, which: string) => ({ candidate, what, which });
      return [
        ...(candidate.modelDiffers ? [differing('different model', candidate.model)] : []),
        ...candidate.conditions.map((condition) => differing('condition', condition)),
        ...(['added', 'removed', 'changed'] as const).flatMap((what) =>
          candidate.tools[what].map((tool) => differing(`tool ${what}`, tool)),
        ),
      ];
    }),
    [
      field('text', 'Candidate', 'candidate', ({ candidate }) => nameOf(candidate)),
      field('word', 'What', 'what', ({ what }) => what),
      field('text', 'Which', 'which', ({ which }) => which),
    ],
    { emptyText: 'Nothing else differs.' },
  );

/** All listed cases of all candidates; also the content of CSV. */
function casesTable(candidates: readonly CandidateComparison[]): ReportTable {
  const isTask = candidates[0]?.unit === 'task';
  const kind = isTask ? 'text' : 'code';
  return tableOf(
    isTask ? 'Tasks' : 'Cases',
    candidates.flatMap((candidate, at) =>
      lists.flatMap((list) =>
        candidate[list.key].map((found: ComparedCase) => ({ ...list, at, candidate, found })),
      ),
    ),
    [
      field('text', 'Candidate', 'candidate', ({ candidate }) => nameOf(candidate)),
      field('word', 'Answer', 'answer', ({ candidate }) => answerText(candidate)),
      field('mark', 'Outcome', 'outcome', ({ mark }) => mark),
      field('named', isTask ? 'Task' : 'Case', 'case_id', ({ found }) => ({
        id: found.caseKey,
        name: found.name,
      })),
      field('text', isTask ? 'First turn' : 'Query', 'query', ({ found }) => found.query),
      field(kind, isTask ? 'Before' : 'Called before', 'before', ({ found }) => found.before),
      field(kind, isTask ? 'After' : 'Called after', 'after', ({ found }) => found.after),
    ],
    {
      main: true,
      emptyText: isTask ? 'Every shared task still succeeds.' : 'Every shared case still passes.',
      note: isTask
        ? 'Tasks that still succeed are counted above and not listed.'
        : 'Cases that still pass are counted above and not listed.',
      row: ({ cell, at, key }) => ({
        ...(cell === undefined ? {} : { units: `${at}:${cell}` }),
        important: key === 'regressed',
      }),
    },
  );
}
