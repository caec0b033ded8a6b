import { describeThreshold } from '../../../../src-shared/metrics/gates.ts';
import { actualText, expectedText } from '../../../../src-shared/display/differenceTexts.ts';
import {
  gateOutcomeTexts,
  listedReferences,
  referenceName,
  referencesOf,
} from '../../../../src-shared/display/judgementTexts.ts';
import {
  formatCount,
  formatExact,
  formatPercent,
  formatPValue,
} from '../../../../src-shared/display/numbers.ts';
import { neutralTime } from '../../../../src-shared/display/dates.ts';
import type { GateOutcome } from '../../../../src-shared/domain/gate.ts';
import type { JudgedBaseline, Judgement } from '../../../../src-shared/domain/judgement.ts';
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
  const broken = caseParts(judgement, true);
  const cases = caseParts(judgement, false);
  const others = [...toolParts(judgement), ...trendParts(judgement)];
  // Of a failed check, the broken cases come first: they are what a reader has to act on.
  return judgement.result === 'failed'
    ? [...broken, ...limitParts(judgement), ...cases, ...others]
    : [...limitParts(judgement), ...broken, ...cases, ...others];
}

function limitParts({ thresholds, clients = [], ...others }: Judgement): ReportPart[] {
  const references = referencesOf(others);
  const rows: ReportRow[] = [
    ...thresholds.map(({ model, threshold, value, outcome }) => ({
      cells: [describeThreshold(threshold), model ?? '', formatExact(value), null, markOf(outcome)],
    })),
    ...clients.map(({ client, hidden, max, outcome }) => ({
      cells: [
        `${formatCount(max)} tools hidden in ${client} at most`,
        ...['', formatCount(hidden.length), null, markOf(outcome)],
      ],
    })),
    ...references.flatMap((one) =>
      one.metrics.map(({ model, metric, baseline: before, value, ...judged }) => ({
        cells: [
          `${metric} within ${judged.tolerance} of ${referenceName(one)}`,
          model ?? '',
          formatExact(value),
          formatExact(before),
          markOf(judged.outcome),
        ],
      })),
    ),
    ...references.flatMap((one) =>
      one.comparisons.map(({ candidate, byTest, outcome }) => ({
        cells: [
          byTest
            ? `no worse than ${referenceName(one)}`
            : `${candidate.unit}s against ${referenceName(one)}`,
          candidate.model,
          formatExact(candidate.candidateRight.value),
          formatExact(candidate.baselineRight.value),
          markOf(outcome),
        ],
      })),
    ),
    ...references.flatMap((one) =>
      one.removedTools.map(({ tool, cases, passedInBaseline }) => ({
        cells: [
          `${tool} is offered`,
          '',
          `${formatCount(0)} of ${formatCount(cases.length)}`,
          `${formatCount(passedInBaseline)} of ${formatCount(cases.length)}`,
          markOf('failed'),
        ],
      })),
    ),
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

/** The cases of each tool against the baseline: one ruined tool can hide in a suite. */
function toolParts(judgement: Judgement): ReportPart[] {
  return referencesOf(judgement).flatMap((one): ReportPart[] => {
    const rows = one.comparisons.flatMap(({ candidate, perTool, byTest }) =>
      perTool.map(({ tool, baseline, now, adjustedP, worse }) => ({
        cells: [
          tool,
          candidate.model,
          `${formatCount(baseline.passed)} of ${formatCount(baseline.scored)}`,
          `${formatCount(now.passed)} of ${formatCount(now.scored)}`,
          adjustedP === null ? '–' : formatPValue(adjustedP),
          worse ? markOf(byTest ? 'failed' : 'not_decided') : markOf('passed'),
        ],
        important: worse,
      })),
    );
    if (rows.length === 0) return [];
    return [
      {
        part: 'table',
        title: one.kind === 'release' ? 'Tools since the release' : 'Tools against the baseline',
        columns: [
          { title: 'Expected tool', name: 'tool', kind: 'code' },
          { title: 'Model', name: 'model', kind: 'text' },
          { title: 'Passed before', name: 'baseline', kind: 'word' },
          { title: 'Passed now', name: 'now', kind: 'word' },
          { title: 'Adjusted p', name: 'adjusted_p_value', kind: 'word' },
          { title: 'Outcome', name: 'outcome', kind: 'mark' },
        ],
        rows: () => rows,
      },
    ];
  });
}

/** The pass rates of the last baselines. */
function trendParts({ trend = [] }: Judgement): ReportPart[] {
  if (trend.length < 2) return [];
  return [
    {
      part: 'table',
      title: 'Last baselines',
      columns: [
        { title: 'Created', name: 'created_at', kind: 'word' },
        { title: 'Model', name: 'model', kind: 'text' },
        { title: 'Pass rate', name: 'pass_rate', kind: 'word' },
        { title: 'Runs', name: 'n', kind: 'word' },
        { title: 'Cases', name: 'cases', kind: 'word' },
      ],
      rows: () =>
        trend.flatMap(({ createdAt, casesHash, cases, models }, at) => {
          const before = trend[at - 1];
          const isOther = before !== undefined && before.casesHash !== casesHash;
          return models.map(({ model, passRate, n }) => ({
            cells: [
              neutralTime(createdAt),
              model,
              formatPercent(passRate),
              formatCount(n),
              `${formatCount(cases)}${isOther ? ', other cases' : ''}`,
            ],
            important: false,
          }));
        }),
    },
  ];
}

const caseLists = [
  { list: 'regressed', title: (things: string) => `Broken ${things}` },
  { list: 'fixed', title: (things: string) => `Fixed ${things}` },
  { list: 'changed', title: (things: string) => `Changed ${things}, not compared` },
  { list: 'added', title: (things: string) => `New ${things}, not compared` },
  { list: 'removed', title: (things: string) => `Removed ${things}, not compared` },
] as const;

/** Broken cases of each model, or fixed and other ones, with what was called before and now. */
const caseParts = (judgement: Judgement, isBroken: boolean): ReportPart[] =>
  listedReferences(judgement).flatMap((reference, at) =>
    casePartsOf(reference, isBroken, at === 0),
  );

function casePartsOf(reference: JudgedBaseline, isBroken: boolean, isFirst: boolean): ReportPart[] {
  const { comparisons, kind } = reference;
  const isTask = comparisons[0]?.candidate.unit === 'task';
  const things = isTask ? 'tasks' : 'cases';
  const lists = caseLists.filter(({ list }) => (list === 'regressed') === isBroken);
  return lists.flatMap(({ list, title }): ReportPart[] => {
    const hasDifferences = list === 'regressed';
    const rows = comparisons.flatMap(({ candidate }) =>
      candidate[list].map(({ caseKey, name, query, before, after, differences }) => ({
        cells: [
          { id: caseKey, name },
          ...(hasDifferences
            ? [
                differences.map(({ text }) => text),
                differences.map(expectedText),
                differences.length === 0 ? after : differences.map(actualText),
              ]
            : []),
          query,
          candidate.model,
          before,
          ...(hasDifferences ? [] : [after]),
        ],
        important: list === 'regressed',
      })),
    );
    // The two lists that a reader looks for are there even if they are empty.
    const isExpected = isFirst && (list === 'regressed' || list === 'fixed');
    if (rows.length === 0 && !isExpected) return [];
    return [
      {
        part: 'table',
        title: title(things) + (kind === 'release' ? ' since the release' : ''),
        emptyText: 'None.',
        columns: [
          { title: isTask ? 'Task' : 'Case', name: 'case_id', kind: 'named' },
          ...(hasDifferences
            ? ([
                { title: 'What differs', name: 'differences', kind: 'text' },
                {
                  title: isTask ? 'Expected' : 'Expected call',
                  name: 'expected_calls',
                  kind: 'text',
                },
                { title: isTask ? 'Actual' : 'Actual call', name: 'actual_calls', kind: 'text' },
              ] as const)
            : []),
          { title: isTask ? 'First turn' : 'Query', name: 'query', kind: 'text' },
          { title: 'Model', name: 'model', kind: 'text' },
          ...(isTask
            ? ([
                { title: `In ${referenceName(reference)}`, name: 'before', kind: 'text' },
                ...(hasDifferences
                  ? []
                  : ([{ title: 'Now', name: 'after', kind: 'text' }] as const)),
              ] as const)
            : ([
                { title: `Called in ${referenceName(reference)}`, name: 'before', kind: 'code' },
                ...(hasDifferences
                  ? []
                  : ([{ title: 'Called now', name: 'after', kind: 'code' }] as const)),
              ] as const)),
        ],
        rows: () => rows,
      },
    ];
  });
}
