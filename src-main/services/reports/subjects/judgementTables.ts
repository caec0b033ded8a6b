import { describeThreshold } from '../../../../src-shared/metrics/gates.ts';
import { gateOutcomeTexts } from '../../../../src-shared/display/judgementTexts.ts';
import {
  actualCallText,
  expectedCallText,
} from '../../../../src-shared/display/callDifferences.ts';
import { formatExact } from '../../../../src-shared/display/numbers.ts';
import type { GateOutcome } from '../../../../src-shared/domain/gate.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import type { Mark, ReportPart, ReportRow } from '../report.ts';

const marks: Readonly<Record<GateOutcome, Pick<Mark, 'sign' | 'tone'>>> = {
  passed: { sign: '✓', tone: 'good' },
  failed: { sign: '✗', tone: 'bad' },
  not_decided: { sign: '?', tone: 'warning' },
};
const markOf = (outcome: GateOutcome): Mark => ({
  ...marks[outcome],
  word: gateOutcomeTexts[outcome],
  name: outcome,
});

/** The tables behind a judgement: what was asked, the answer, and the cases that changed. */
export function judgementParts(judgement: Judgement): ReportPart[] {
  const cases = caseParts(judgement);
  // Of a failed check, the broken cases come first: they are what a reader has to act on.
  return judgement.result === 'failed'
    ? [...cases.slice(0, 1), ...limitParts(judgement), ...cases.slice(1)]
    : [...limitParts(judgement), ...cases];
}

function limitParts({ thresholds, baseline }: Judgement): ReportPart[] {
  const rows: ReportRow[] = [
    ...thresholds.map(({ model, threshold, value, outcome }) => ({
      cells: [describeThreshold(threshold), model ?? '', formatExact(value), null, markOf(outcome)],
    })),
    ...(baseline?.metrics ?? []).map(({ model, metric, baseline: before, value, ...judged }) => ({
      cells: [
        `${metric} within ${judged.tolerance} of the baseline`,
        model ?? '',
        formatExact(value),
        formatExact(before),
        markOf(judged.outcome),
      ],
    })),
    ...(baseline?.comparisons ?? []).map(({ candidate, byTest, outcome }) => ({
      cells: [
        byTest ? 'no worse than the baseline' : `${candidate.unit}s against the baseline`,
        candidate.model,
        formatExact(candidate.candidateRight.value),
        formatExact(candidate.baselineRight.value),
        markOf(outcome),
      ],
    })),
  ];
  if (rows.length === 0) return [];
  return [
    {
      part: 'table',
      title: 'Checks',
      columns: [
        { title: 'Check', name: 'check', kind: 'word' },
        { title: 'Model', name: 'model', kind: 'text' },
        { title: 'Value', name: 'value', kind: 'word' },
        { title: 'Baseline', name: 'baseline', kind: 'word' },
        { title: 'Outcome', name: 'outcome', kind: 'mark' },
      ],
      rows: () => rows.map((row) => ({ ...row, important: true })),
    },
  ];
}

/** Broken and fixed cases of each model, with what was called before and now. */
function caseParts({ baseline }: Judgement): ReportPart[] {
  if (baseline === null) return [];
  const { comparisons } = baseline;
  const isTask = comparisons[0]?.candidate.unit === 'task';
  const things = isTask ? 'tasks' : 'cases';
  const lists = [
    { list: 'regressed', title: `Broken ${things}` },
    { list: 'fixed', title: `Fixed ${things}` },
    { list: 'changed', title: `Changed ${things}, not compared` },
    { list: 'added', title: `New ${things}, not compared` },
    { list: 'removed', title: `Removed ${things}, not compared` },
  ] as const;
  return lists.flatMap(({ list, title }): ReportPart[] => {
    const hasCalls = list === 'regressed' && !isTask;
    const rows = comparisons.flatMap(({ candidate }) =>
      candidate[list].map(({ caseKey, name, query, before, after, differences }) => ({
        cells: [
          { id: caseKey, name },
          ...(hasCalls
            ? [
                differences.map(({ text }) => text),
                differences.map(expectedCallText),
                differences.length === 0 ? after : differences.map(actualCallText),
              ]
            : []),
          query,
          candidate.model,
          before,
          ...(hasCalls ? [] : [after]),
        ],
        important: list === 'regressed',
      })),
    );
    // The two lists that a reader looks for are there even if they are empty.
    if (rows.length === 0 && list !== 'regressed' && list !== 'fixed') return [];
    return [
      {
        part: 'table',
        title,
        emptyText: 'None.',
        columns: [
          { title: isTask ? 'Task' : 'Case', name: 'case_id', kind: 'named' },
          ...(hasCalls
            ? ([
                { title: 'What differs', name: 'differences', kind: 'text' },
                { title: 'Expected call', name: 'expected_calls', kind: 'text' },
                { title: 'Actual call', name: 'actual_calls', kind: 'text' },
              ] as const)
            : []),
          { title: isTask ? 'First turn' : 'Query', name: 'query', kind: 'text' },
          { title: 'Model', name: 'model', kind: 'text' },
          ...(isTask
            ? ([
                { title: 'In the baseline', name: 'before', kind: 'text' },
                { title: 'Now', name: 'after', kind: 'text' },
              ] as const)
            : ([
                { title: 'Called in the baseline', name: 'before', kind: 'code' },
                ...(hasCalls
                  ? []
                  : ([{ title: 'Called now', name: 'after', kind: 'code' }] as const)),
              ] as const)),
        ],
        rows: () => rows,
      },
    ];
  });
}
