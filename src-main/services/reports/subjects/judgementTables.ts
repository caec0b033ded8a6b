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
import type { Mark, ReportPart } from '../report.ts';
import { field, tableOf, tables, type Field } from './tableOf.ts';

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
  const rows = [
    ...thresholds.map(({ model, threshold, value, outcome }) => ({
      check: describeThreshold(threshold),
      ...{ model, value: formatExact(value), before: null, outcome },
    })),
    ...clients.map(({ client, hidden, max, outcome }) => ({
      check: `${formatCount(max)} tools hidden in ${client} at most`,
      ...{ model: null, value: formatCount(hidden.length), before: null, outcome },
    })),
    ...references.flatMap((one) =>
      one.metrics.map(({ model, metric, baseline, value, tolerance, outcome }) => ({
        check: `${metric} within ${tolerance} of ${referenceName(one)}`,
        ...{ model, value: formatExact(value), before: formatExact(baseline), outcome },
      })),
    ),
    ...references.flatMap((one) =>
      one.comparisons.map(({ candidate, byTest, outcome }) => ({
        check: byTest
          ? `no worse than ${referenceName(one)}`
          : `${candidate.unit}s against ${referenceName(one)}`,
        model: candidate.model,
        value: formatExact(candidate.candidateRight.value),
        before: formatExact(candidate.baselineRight.value),
        outcome,
      })),
    ),
    ...references.flatMap((one) =>
      one.removedTools.map(({ tool, cases, passedInBaseline }) => ({
        check: `${tool} is offered`,
        model: null,
        value: `${formatCount(0)} of ${formatCount(cases.length)}`,
        before: `${formatCount(passedInBaseline)} of ${formatCount(cases.length)}`,
        outcome: 'failed' as const,
      })),
    ),
  ];
  if (rows.length === 0) return [];
  return tables(
    tableOf(
      'Checks',
      rows,
      [
        field('word', 'Check', 'check', ({ check }) => check),
        field('text', 'Model', 'model', ({ model }) => model ?? ''),
        field('word', 'Value', 'value', ({ value }) => value),
        field('word', 'Baseline', 'baseline', ({ before }) => before),
        field('mark', 'Outcome', 'outcome', ({ outcome }) => markOf(outcome)),
      ],
      { row: () => ({ important: true }) },
    ),
  );
}

/** The cases of each tool against the baseline: one ruined tool can hide in a suite. */
function toolParts(judgement: Judgement): ReportPart[] {
  const passedOf = ({ passed, scored }: { passed: number; scored: number }): string =>
    `${formatCount(passed)} of ${formatCount(scored)}`;
  return referencesOf(judgement).flatMap(({ comparisons, kind }): ReportPart[] => {
    const rows = comparisons.flatMap(({ candidate, perTool, byTest }) =>
      perTool.map((tool) => ({ ...tool, model: candidate.model, byTest })),
    );
    if (rows.length === 0) return [];
    return tables(
      tableOf(
        kind === 'release' ? 'Tools since the release' : 'Tools against the baseline',
        rows,
        [
          field('code', 'Expected tool', 'tool', ({ tool }) => tool),
          field('text', 'Model', 'model', ({ model }) => model),
          field('word', 'Passed before', 'baseline', ({ baseline }) => passedOf(baseline)),
          field('word', 'Passed now', 'now', ({ now }) => passedOf(now)),
          field('word', 'Adjusted p', 'adjusted_p_value', ({ adjustedP }) =>
            adjustedP === null ? '–' : formatPValue(adjustedP),
          ),
          field('mark', 'Outcome', 'outcome', ({ worse, byTest }) =>
            markOf(worse ? (byTest ? 'failed' : 'not_decided') : 'passed'),
          ),
        ],
        { row: ({ worse }) => ({ important: worse }) },
      ),
    );
  });
}

/** The pass rates of the last baselines. */
function trendParts({ trend = [] }: Judgement): ReportPart[] {
  if (trend.length < 2) return [];
  const rows = trend.flatMap(({ models, ...baseline }, at) => {
    const before = trend[at - 1];
    const isOther = before !== undefined && before.casesHash !== baseline.casesHash;
    return models.map((model) => ({ ...baseline, ...model, isOther }));
  });
  return tables(
    tableOf(
      'Last baselines',
      rows,
      [
        field('word', 'Created', 'created_at', ({ createdAt }) => neutralTime(createdAt)),
        field('text', 'Model', 'model', ({ model }) => model),
        field('word', 'Pass rate', 'pass_rate', ({ passRate }) => formatPercent(passRate)),
        field('word', 'Runs', 'n', ({ n }) => formatCount(n)),
        field('word', 'Cases', 'cases', ({ cases, isOther }) =>
          isOther ? `${formatCount(cases)}, other cases` : formatCount(cases),
        ),
      ],
      { row: () => ({ important: false }) },
    ),
  );
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
      candidate[list].map((changed) => ({ ...changed, model: candidate.model })),
    );
    // The two lists that a reader looks for are there even if they are empty.
    const isExpected = isFirst && (hasDifferences || list === 'fixed');
    if (rows.length === 0 && !isExpected) return [];
    const called = isTask ? 'text' : 'code';
    const differing: Field<(typeof rows)[number]>[] = [
      field('text', 'What differs', 'differences', ({ differences }) =>
        differences.map(({ text }) => text),
      ),
      field('text', isTask ? 'Expected' : 'Expected call', 'expected_calls', ({ differences }) =>
        differences.map(expectedText),
      ),
      field('text', isTask ? 'Actual' : 'Actual call', 'actual_calls', ({ after, differences }) =>
        differences.length === 0 ? after : differences.map(actualText),
      ),
    ];
    return tables(
      tableOf(
        title(things) + (kind === 'release' ? ' since the release' : ''),
        rows,
        [
          field('named', isTask ? 'Task' : 'Case', 'case_id', ({ caseKey, name }) => ({
            id: caseKey,
            name,
          })),
          ...(hasDifferences ? differing : []),
          field('text', isTask ? 'First turn' : 'Query', 'query', ({ query }) => query),
          field('text', 'Model', 'model', ({ model }) => model),
          field(
            called,
            `${isTask ? 'In' : 'Called in'} ${referenceName(reference)}`,
            'before',
            ({ before }) => before,
          ),
          !hasDifferences &&
            field(called, isTask ? 'Now' : 'Called now', 'after', ({ after }) => after),
        ],
        { emptyText: 'None.', row: () => ({ important: hasDifferences }) },
      ),
    );
  });
}
