import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import { isToolLabel, splitToolId, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import type {
  BaselinePoint,
  ChangedCases,
  JudgedGroup,
  JudgedTool,
  RemovedTool,
  RunTally,
} from '../../../src-shared/domain/judgement.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import { discreteHolm } from '../../../src-shared/metrics/discreteHolm.ts';
import { caseOutcome } from '../../../src-shared/metrics/pairing.ts';
import { signFlip } from '../../../src-shared/metrics/signFlip.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { comparePairs, type PairComparison, type SidePair } from '../results/compare.ts';
import { pairCases, type CasePairs } from '../results/pairCases.ts';
import type { Side, SideItem, Tally } from '../results/side.ts';
import { pairModels } from './comparability.ts';
import type { EvaluationReportFile } from './reportFile.ts';
import { isLost, itemsOf, reportSide, type IsRemoved, type NamedReport } from './reportSides.ts';

/** A baseline and the result that is held against it, with the tools under one name. */
export interface ReportPair {
  baseline: NamedReport;
  now: NamedReport;
}

/** One model against its baseline, with the parts that have a test of their own. */
export interface ReferenceComparison extends PairComparison {
  perTool: JudgedTool[];
  changedCases: ChangedCases;
}

/** At or below this adjusted p-value a group counts as worse. */
const SIGNIFICANCE = 0.05;

/**
 * Compares each model of a result with its own in each baseline, or all models together (docs/rules.md
 * §3, Gates). The whole of the cases has one family of tests over all models and baselines; tools and
 * changed cases have another. Models without a partner are left out.
 */
export function compareReferences(
  references: readonly ReportPair[],
  { pooled, when }: { pooled: boolean; when: PassedWhen },
): ReferenceComparison[][] {
  const sides = references.map(({ baseline, now }) =>
    (pooled
      ? [{ before: null, after: null }]
      : pairModels(baseline.report.models, now.report.models).pairs
    ).map(({ before, after }): SidePair & { expected: ReadonlyMap<string, string[]> } => ({
      before: reportSide(baseline, before),
      after: reportSide(now, after, removedIn(baseline.report, now.report)),
      expected: expectedOf(now.report),
    })),
  );
  const all = sides.flat();
  const compared = comparePairs(all, when);
  const split = all.map((pair) => splitGroups(pair, when));
  const tested = split.flatMap(({ tools, changed }) => [
    ...tools.map(({ group }) => group),
    ...(changed === null ? [] : [changed]),
  ]);
  const worse = testGroups(tested);
  const judged = (group: Group): JudgedGroup => ({
    cases: group.differences.length,
    baseline: group.baseline,
    now: group.now,
    ...(worse.get(group) ?? { pValue: null, adjustedP: null, worse: false }),
  });
  let at = 0;
  return sides.map((own) =>
    own.map((): ReferenceComparison => {
      const [comparison, groups] = [compared[at], split[at]];
      at += 1;
      if (comparison === undefined || groups === undefined) throw new Error('Each pair has both.');
      return {
        ...comparison,
        perTool: groups.tools.map(({ tool, group }) => ({ tool, ...judged(group) })),
        changedCases: {
          changed: groups.changed && judged(groups.changed),
          removedFailing: groups.removedFailing,
          removedPassing: groups.removedPassing,
        },
      };
    }),
  );
}

/** Cases of one kind, with the difference of pass shares of each that is scored on both sides. */
interface Group {
  differences: number[];
  baseline: RunTally;
  now: RunTally;
}

const emptyGroup = (): Group => ({
  differences: [],
  baseline: { passed: 0, scored: 0 },
  now: { passed: 0, scored: 0 },
});

function addTo(group: Group, old: Tally, now: Tally): void {
  if (old.scored === 0 || now.scored === 0) return;
  group.differences.push(now.right / now.scored - old.right / old.scored);
  for (const [sum, tally] of [
    [group.baseline, old],
    [group.now, now],
  ] as const) {
    sum.passed += tally.right;
    sum.scored += tally.scored;
  }
}

export const byContent = {
  before: ({ content }: SideItem): string => content,
  after: ({ content }: SideItem): string => content,
};

function splitGroups(
  { before, after, expected }: SidePair & { expected: ReadonlyMap<string, string[]> },
  when: PassedWhen,
) {
  const pairs: CasePairs<SideItem> = pairCases(before.items, after.items, byContent);
  const tally = (side: Side, item: SideItem): Tally => side.tally(item, when);
  const tools = new Map<string, Group>();
  for (const pair of pairs.shared)
    for (const tool of new Set(expected.get(pair.after.caseKey ?? '') ?? [])) {
      const group = tools.get(tool) ?? emptyGroup();
      tools.set(tool, group);
      addTo(group, tally(before, pair.before), tally(after, pair.after));
    }
  const changed = emptyGroup();
  for (const pair of pairs.changed)
    addTo(changed, tally(before, pair.before), tally(after, pair.after));
  const removed = pairs.removed.map((item) => {
    const { right, scored } = tally(before, item);
    return { key: item.caseKey ?? '', outcome: caseOutcome(right, scored) };
  });
  return {
    tools: [...tools]
      .map(([tool, group]) => ({ tool, group }))
      .filter(({ group }) => group.differences.length > 0)
      .sort((a, b) => compareText(a.tool, b.tool)),
    changed: changed.differences.length === 0 ? null : changed,
    removedFailing: removed.filter(({ outcome }) => outcome !== 'passed').map(({ key }) => key),
    removedPassing: removed.filter(({ outcome }) => outcome === 'passed').length,
  };
}

/** The paired test of each group, adjusted over all of them. */
function testGroups(groups: readonly Group[]) {
  const tests = groups.flatMap((group) => {
    const test = signFlip(group.differences);
    return test === null ? [] : [{ group, test }];
  });
  const adjusted = discreteHolm(
    tests.map(({ group, test }) => {
      const sizes = group.differences.filter((d) => d !== 0).map((d) => Math.abs(d).toFixed(9));
      return { p: test.p, differing: sizes.length, equalSizes: new Set(sizes).size <= 1 };
    }),
  );
  return new Map(
    tests.map(({ group, test }, at) => {
      const adjustedP = adjusted[at] ?? 1;
      const worse = adjustedP <= SIGNIFICANCE && test.value < 0;
      return [group, { pValue: test.p, adjustedP, worse }];
    }),
  );
}

const expectedOf = ({ runs }: EvaluationReportFile): Map<string, string[]> =>
  new Map(runs.map(({ case_id: key, expected }) => [key, expected]));

/** Ids of the tools, and their names alone: a check of a task may name a tool without its server. */
const idsOf = ({ tools }: EvaluationReportFile): ReadonlySet<string> =>
  new Set(tools.flatMap(({ tool_id: id }) => [id, splitToolId(id).tool]));

/** Tells the labels of tools that the baseline offered and that are offered no more. */
export function removedIn(before: EvaluationReportFile, now: EvaluationReportFile): IsRemoved {
  const [old, current] = [idsOf(before), idsOf(now)];
  return (label) => {
    if (!isToolLabel(label)) return false;
    const tools = toolsOfLabel(label);
    return tools.some((id) => old.has(id)) && !tools.some((id) => current.has(id));
  };
}

/**
 * The tools that cases expect, that the baseline offered and that are offered no more. A new tool
 * with the same description and parameters is likely the same tool under another name.
 */
export function removedTools(
  { baseline: { report: before }, now: { report: now } }: ReportPair,
  when: PassedWhen,
): RemovedTool[] {
  const isRemoved = removedIn(before, now);
  const side = reportSide({ name: '', isFile: true, report: before }, null);
  const items = new Map(itemsOf(before).map((item) => [item.caseKey, item]));
  const found = new Map<string, RemovedTool>();
  for (const [key, expected] of expectedOf(now))
    for (const label of new Set(expected.filter(isRemoved))) {
      const own = found.get(label) ?? {
        tool: label,
        cases: [],
        passedInBaseline: 0,
        likelyNewName: likelyNewName(label, before, now),
      };
      found.set(label, own);
      own.cases.push(key);
      const item = items.get(key);
      const tally = item && side.tally(item, when);
      if (tally && caseOutcome(tally.right, tally.scored) === 'passed') own.passedInBaseline += 1;
    }
  return [...found.values()];
}

function likelyNewName(
  label: string,
  before: EvaluationReportFile,
  now: EvaluationReportFile,
): string | null {
  const old = before.tools.find(({ tool_id: id }) => id === label);
  const known = idsOf(before);
  const alike = now.tools.filter(
    ({ tool_id: id, text_hash: text }) => text === old?.text_hash && !known.has(id),
  );
  return alike.length === 1 ? (alike[0]?.tool_id ?? null) : null;
}

/** The runs whose case lost its only tool: they failed, and do not lack a score. */
export const lostRuns = ({ baseline, now }: ReportPair): number => {
  const isRemoved = removedIn(baseline.report, now.report);
  return now.report.runs.filter((run) => isLost(run, isRemoved)).length;
};

/** Baselines that a series keeps. */
const maxPoints = 10;

/** The last ten baselines, the newest of which is this one. */
export function trendTo({ report }: NamedReport): BaselinePoint[] {
  const items = itemsOf(report);
  const metric = report.unit === 'task' ? 'success_rate' : 'pass_rate';
  const point: BaselinePoint = {
    createdAt: report.created_at,
    casesHash: sha256(
      items
        .map(({ caseKey, content }) => `${caseKey ?? ''} ${content}`)
        .toSorted(compareText)
        .join('\n'),
    ),
    cases: items.length,
    models: report.models.map(({ label, metrics }) => ({
      model: label,
      passRate: metrics[metric]?.value ?? null,
      n: metrics[metric]?.n ?? 0,
    })),
  };
  return [...report.trend, point].slice(-maxPoints);
}
