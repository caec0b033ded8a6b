import { failureTexts } from '../domain/failureTexts.ts';
import type { CandidateComparison, ComparedCase } from '../domain/comparison.ts';
import { isBetterLow, type EvaluationUnit, type GateOutcome } from '../domain/gate.ts';
import type {
  ChangedCases,
  Judgement,
  JudgedBaseline,
  JudgedClient,
  JudgedComparison,
  JudgedGroup,
  JudgedMetric,
  JudgedTool,
  RemovedTool,
  RunTally,
  JudgedThreshold,
  JudgementResult,
  UnscoredGroup,
} from '../domain/judgement.ts';
import { minIntervalCases } from '../metrics/clusteredInterval.ts';
import { describeAnswer, sideName } from './comparisonAnswer.ts';
import { counted, formatCount, formatExact, formatPercent, formatPValue } from './numbers.ts';
import { taskFailureTexts } from './taskTexts.ts';
import type { QuoteName } from './verdictTexts.ts';

/** The result in one or two words, which open every report. */
export const judgementHeadlines: Readonly<Record<JudgementResult, string>> = {
  passed: 'Check passed',
  failed: 'Check failed',
  incomplete: 'No verdict',
};

export const gateOutcomeTexts: Readonly<Record<GateOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  not_decided: 'not decided',
};

/** A metric, or a bound of its interval: `selection_f1.low, the low end of its 95% interval,`. */
const metricName = ({ threshold: { metric, bound } }: JudgedThreshold): string =>
  bound === 'value' ? metric : `${metric}.${bound}, the ${bound} end of its 95% interval,`;

const ofModel = (model: string | null, text: string, quote: QuoteName): string =>
  model === null ? text : `${quote(model)}: ${text}`;
const same: QuoteName = (name) => name;

export function thresholdText(judged: JudgedThreshold, quote = same): string {
  const { threshold, value, outcome, model } = judged;
  const name = metricName(judged);
  if (outcome === 'not_decided') {
    const reason =
      threshold.bound === 'value'
        ? ''
        : `: an interval needs at least ${minIntervalCases} cases or tasks`;
    return ofModel(model, `${name} is not defined${reason}`, quote);
  }
  const isMinimum = threshold.side === 'min';
  const relation =
    outcome === 'failed'
      ? `, ${isMinimum ? 'below' : 'above'} ${threshold.limit}`
      : ` (${isMinimum ? 'minimum' : 'maximum'} ${threshold.limit})`;
  return ofModel(model, `${name} is ${formatExact(value)}${relation}`, quote);
}

export function metricText(
  { model, metric, baseline, value, tolerance, outcome }: JudgedMetric,
  quote = same,
): string {
  if (outcome === 'not_decided')
    return ofModel(
      model,
      `${metric} is not defined in ${baseline === null ? 'the baseline' : 'the report'}`,
      quote,
    );
  const change = `${metric} went from ${formatExact(baseline)} to ${formatExact(value)}`;
  return ofModel(
    model,
    outcome === 'failed'
      ? `${metric} ${isBetterLow(metric) ? 'rose' : 'fell'} from ${formatExact(baseline)} to ${formatExact(value)}, by more than ${tolerance}`
      : `${change}, within the tolerance of ${tolerance}`,
    quote,
  );
}

/** The result in one line. */
export const judgementHeadline = ({
  result,
  nothingToCompare,
  uncheckedTasks,
}: Judgement): string =>
  judgementHeadlines[result] +
  // Where there is no verdict, that isn't why.
  (nothingToCompare === true && result === 'passed' ? ': nothing to compare with yet' : '') +
  (uncheckedTasks === undefined
    ? ''
    : ` (${counted(uncheckedTasks, 'task')} of the suite not checked)`);

/** That a check left out the tasks of its suite, and what checks both; empty if it didn't. */
export const uncheckedLines = ({ uncheckedTasks }: Judgement, quote = same): string[] =>
  uncheckedTasks === undefined
    ? []
    : [
        `The suite also has ${counted(uncheckedTasks, 'task')}, and cases and tasks are checked apart. ` +
          'For both, name it twice in the project file: ' +
          quote(
            'suites: [{suite: FILE, name: cases, only: cases}, {suite: FILE, name: tasks, only: tasks}]',
          ),
      ];

const ofRuns = ({ passed, scored }: RunTally): string =>
  `${formatCount(passed)} of ${formatCount(scored)}`;

/** `2 of 8 passed, 8 of 8 before, p 0.031` */
const groupText = ({ now, baseline, adjustedP }: JudgedGroup): string =>
  `${ofRuns(now)} passed, ${ofRuns(baseline)} before` +
  (adjustedP === null ? '' : `, p ${formatPValue(adjustedP)}`);

/** `parcels:print_label: 2 of 8 passed, 8 of 8 before, p 0.031` */
export const toolText = (tool: JudgedTool, quote = same): string =>
  `${quote(tool.tool)}: ${groupText(tool)}`;

export const fewerChangedText = (changed: JudgedGroup, unit: EvaluationUnit): string =>
  `Fewer changed ${unit}s pass: ${groupText(changed)}`;

/** What became of cases that are not the same any more; empty if all are. */
function changedCasesTexts(
  { changed, removedFailing, removedPassing }: ChangedCases,
  unit: EvaluationUnit,
  quote = same,
): string[] {
  const removed = removedFailing.length + removedPassing;
  return [
    ...(changed === null
      ? []
      : [`Changed ${unit}s: ${groupText(changed)} (${counted(changed.cases, unit)})`]),
    ...(removed === 0
      ? []
      : [
          `Removed ${unit}s: ${formatCount(removedPassing)} passed in the baseline, ` +
            `${formatCount(removedFailing.length)} did not` +
            (removedFailing.length === 0 ? '' : `: ${firstOf(removedFailing.map(quote))}`),
        ]),
  ];
}

export function removedToolText(
  { tool, cases, passedInBaseline, likelyNewName }: RemovedTool,
  unit: EvaluationUnit,
  quote = same,
): string {
  const expect = counted(cases.length, `${unit} expects`, `${unit}s expect`);
  const hint =
    likelyNewName === null
      ? ''
      : ` ${quote(likelyNewName)} has the same description and parameters: if it is the same tool, ` +
        'add it to `renamed` in the project file.';
  return (
    `${quote(tool)} is no longer offered, and ${expect} it: ` +
    `${formatCount(passedInBaseline)} of ${formatCount(cases.length)} passed before.${hint}`
  );
}

/** `5 cases disagreed with the baseline and were asked again, up to 5 times in all (20 more runs)` */
function askedAgainTexts({ askedAgain, baseline, release }: Judgement): string[] {
  if (askedAgain === undefined) return [];
  const [first] = referencesOf({ baseline, release });
  const unit = first?.comparisons[0]?.candidate.unit ?? 'case';
  const { cases, runs, upTo } = askedAgain;
  return [
    cases === 0
      ? `No ${unit} was asked again`
      : `${counted(cases, unit)} disagreed with the baseline and ${cases === 1 ? 'was' : 'were'} asked ` +
        `again, up to ${formatCount(upTo)} times in all (${counted(runs, 'more run')})`,
  ];
}

/** The pass rates of the last baselines of each model, and the one of now. */
function trendTexts({ trend = [], baseline }: Judgement, quote = same): string[] {
  if (trend.length < 2) return [];
  const labels = [...new Set(trend.flatMap(({ models }) => models.map(({ model }) => model)))];
  return labels.map((label) => {
    const rates = trend.flatMap(({ models, casesHash }, at) => {
      const own = models.find(({ model }) => model === label);
      if (own === undefined) return [];
      const before = trend[at - 1];
      const mark = before === undefined || before.casesHash === casesHash ? '' : '*';
      return [`${own.passRate === null ? '–' : formatPercent(own.passRate)}${mark}`];
    });
    const others = rates.some((rate) => rate.endsWith('*')) ? ' (* other cases than before)' : '';
    const things = baseline?.comparisons[0]?.candidate.unit === 'task' ? 'Success' : 'Pass';
    return `${things} rate of ${quote(label)} in the last ${counted(rates.length, 'baseline')}: ${rates.join(', ')}${others}`;
  });
}

/** What the comparison of a model with its baseline says, without the cases. */
export function comparisonLine(
  { baseline, candidate, byTest }: JudgedComparison,
  maxBroken: number | null,
  quote = same,
): string {
  const broken = candidate.regressed.length;
  const tooMany =
    maxBroken !== null && broken > maxBroken
      ? `${counted(broken, `broken ${candidate.unit}`)}, and ${formatCount(maxBroken)} allowed. `
      : '';
  const answer = byTest
    ? // A check is planned again with `--estimate`, which says what more repetitions would find.
      describeAnswer({
        ...candidate,
        needed: candidate.needed && { ...candidate.needed, repetitions: undefined },
      })
    : `${formatCount(broken)} broken, ${formatCount(candidate.fixed.length)} fixed.`;
  return `${quote(candidate.model)} vs. ${quote(sideName(baseline))}: ${tooMany}${answer}`;
}

const maxHiddenNamed = 5;

/** `Claude Code 2.1.197: 2 of 12 tools don't reach the model, and 0 may: a:x, a:y. …` */
export function hiddenToolsText(
  { client, version, tools, hidden, max }: JudgedClient,
  quote = same,
): string {
  const name = version === null ? client : `${client} ${version}`;
  const count = `${formatCount(hidden.length)} of ${counted(tools, 'tool')}`;
  const verb = hidden.length === 1 ? "doesn't" : "don't";
  if (hidden.length <= max)
    return `${name}: ${count} ${verb} reach the model (maximum ${formatCount(max)})`;
  const more = hidden.length - maxHiddenNamed;
  const names = hidden
    .slice(0, maxHiddenNamed)
    .map(({ tool }) => quote(tool))
    .join(', ');
  return (
    `${name}: ${count} ${verb} reach the model, and ${formatCount(max)} may: ` +
    `${names}${more > 0 ? ` and ${formatCount(more)} more` : ''}. ${quote(hidden[0]?.reason ?? '')}`
  );
}

/** Why a run has no score, of cases and of tasks. */
export const causeTexts = {
  ...taskFailureTexts,
  ...failureTexts,
  schema: 'the schema can’t decide whether the arguments are right',
};

/** Why runs have no score: `The model’s service failed: HTTP 500 (59 runs)`. */
export function unscoredText({ failure, message, runs }: UnscoredGroup, quote = same): string {
  const cause =
    failure === null ? 'not started, because the evaluation ended' : causeTexts[failure];
  const addsNothing = message === null || message === '' || message === cause;
  const text = addsNothing ? cause : `${cause}: ${quote(message)}`;
  return `${text} (${counted(runs, 'run')})`;
}

/** The reasons of one kind of outcome, one sentence each. */
function reasonsOf(
  { thresholds, baseline, release, clients = [] }: Judgement,
  wanted: GateOutcome,
  quote = same,
): string[] {
  const is = ({ outcome }: { outcome: GateOutcome }) => outcome === wanted;
  return [
    ...thresholds.filter(is).map((one) => thresholdText(one, quote)),
    ...clients.filter(is).map((one) => hiddenToolsText(one, quote)),
    ...referencesOf({ baseline, release }).flatMap((one) => [
      ...one.comparisons.filter(is).map((each) => comparisonLine(each, one.maxBroken, quote)),
      ...(wanted === 'failed' ? failedParts(one, quote) : []),
      ...one.metrics.filter(is).map((each) => metricText(each, quote)),
    ]),
  ];
}

/** The baseline and the fixed reference, as far as there are any. */
export const referencesOf = ({
  baseline,
  release,
}: Pick<Judgement, 'baseline' | 'release'>): JudgedBaseline[] => [
  ...(baseline ? [baseline] : []),
  ...(release ? [release] : []),
];

/** True if the comparison fails a check: all of its cases, one tool, or a removed tool. */
export const failsCheck = (
  { removedTools }: JudgedBaseline,
  { outcome, perTool, byTest }: JudgedComparison,
): boolean =>
  outcome === 'failed' || (byTest && perTool.some(({ worse }) => worse)) || removedTools.length > 0;

/**
 * The references whose cases are listed: the newest baseline and, where it fails the check or is the
 * only one, the release. Next to a baseline, the release has only the broken cases that broke before.
 */
export function listedReferences(judgement: Judgement): JudgedBaseline[] {
  const { baseline, release } = judgement;
  if (baseline === null || release === undefined) return referencesOf(judgement);
  const isListed = (candidate: CandidateComparison, caseKey: string) =>
    baseline.comparisons.some(
      (one) =>
        one.candidate.modelSettingsId === candidate.modelSettingsId &&
        one.candidate.regressed.some((each) => each.caseKey === caseKey),
    );
  const comparisons = release.comparisons
    .filter((one) => failsCheck(release, one))
    .map((one) => {
      const { candidate } = one;
      const regressed = candidate.regressed.filter(({ caseKey }) => !isListed(candidate, caseKey));
      const others = { fixed: [], changed: [], added: [], removed: [] };
      return { ...one, candidate: { ...candidate, ...others, regressed } };
    });
  return [baseline, { ...release, comparisons }];
}

/** What a check calls it. */
export const referenceName = ({ kind }: Pick<JudgedBaseline, 'kind'>): string =>
  kind === 'release' ? 'the release' : 'the baseline';

/** Why a baseline fails a result besides the whole of its cases: one tool, changed cases. */
function failedParts(one: JudgedBaseline, quote: QuoteName): string[] {
  const { comparisons, removedTools } = one;
  const several = comparisons.length > 1;
  const side = comparisons[0] && sideName(comparisons[0].baseline);
  const since = one.kind === 'release' && side !== undefined ? ` (since ${quote(side)})` : '';
  return [
    ...comparisons.flatMap(({ candidate, perTool, changedCases, byTest }) => {
      if (!byTest) return [];
      const model = several ? candidate.model : null;
      const { changed } = changedCases;
      return [
        ...perTool.filter(({ worse }) => worse).map((tool) => toolText(tool, quote)),
        ...(changed?.worse === true ? [fewerChangedText(changed, candidate.unit)] : []),
      ].map((text) => ofModel(model, text + since, quote));
    }),
    ...removedTools.map(
      (tool) => removedToolText(tool, comparisons[0]?.candidate.unit ?? 'case', quote) + since,
    ),
  ];
}

export const failedReasons = (judgement: Judgement, quote = same): string[] =>
  reasonsOf(judgement, 'failed', quote);

/** Why there is no verdict; runs without a score come first. */
export function undecidedReasons(judgement: Judgement, quote = same): string[] {
  const { unscoredRuns, allowFailed } = judgement;
  const unscored =
    unscoredRuns > allowFailed
      ? [
          `${counted(unscoredRuns, 'run is', 'runs are')} not scored` +
            (allowFailed > 0 ? `, and ${formatCount(allowFailed)} may be` : ''),
        ]
      : [];
  return [...unscored, ...reasonsOf(judgement, 'not_decided', quote)];
}

/** False if nothing was asked of the result, and nothing kept it from being complete. */
export const isWorthShowing = (judgement: Judgement): boolean =>
  judgement.result !== 'passed' ||
  judgement.thresholds.length > 0 ||
  judgement.clients !== undefined ||
  judgement.allowFailed > 0 ||
  judgement.incomparable !== null ||
  judgement.nothingToCompare === true ||
  referencesOf(judgement).length > 0;

/** That the result starts a new baseline, and every reason why; empty if it doesn't. */
export const newBaselineLines = ({ incomparable }: Judgement, quote = same): string[] =>
  incomparable === null
    ? []
    : [
        `New baseline: ${quote(incomparable.name)} can’t be compared with this result`,
        ...incomparable.differences.map(quote),
      ];

/**
 * The result and its reasons as lines of plain text; the first one is the headline. What differs in
 * broken cases is left out where a list of them follows.
 */
export function judgementLines(
  judgement: Judgement,
  quote = same,
  { differences = true }: { differences?: boolean } = {},
): string[] {
  const { result, baseline } = judgement;
  const reasons = [
    ...undecidedReasons(judgement, quote),
    ...(result === 'incomplete' ? judgement.unscored.map((one) => unscoredText(one, quote)) : []),
    ...failedReasons(judgement, quote),
    ...(result === 'passed' ? reasonsOf(judgement, 'passed', quote) : []),
  ];
  const allowed =
    result === 'passed' && judgement.unscoredRuns > 0
      ? [`${counted(judgement.unscoredRuns, 'run is', 'runs are')} not scored, which is allowed`]
      : [];
  const cases = listedReferences(judgement).flatMap(({ kind, name, comparisons }) =>
    comparisons.flatMap(({ candidate }) =>
      (['regressed', 'fixed'] as const).flatMap((list) =>
        candidate[list].length === 0
          ? []
          : [
              (list === 'regressed' ? 'Broken' : 'Fixed') +
                (kind === 'release' ? ` since ${quote(name)}: ` : ': ') +
                firstOf(candidate[list].map(({ caseKey }) => quote(caseKey))),
              ...(list === 'regressed' && differences
                ? brokenLines(candidate.regressed, quote)
                : []),
            ],
      ),
    ),
  );
  const changed = (baseline?.comparisons ?? []).flatMap(({ candidate, changedCases }) =>
    changedCasesTexts(changedCases, candidate.unit, quote).map((text) =>
      ofModel((baseline?.comparisons.length ?? 0) > 1 ? candidate.model : null, text, quote),
    ),
  );
  const renamed =
    baseline === null || baseline.renamed.length === 0
      ? []
      : [
          `Tools renamed: ${firstOf(baseline.renamed.map(({ from, to }) => `${quote(from)} → ${quote(to)}`))}`,
        ];
  return [
    judgementHeadline(judgement),
    ...newBaselineLines(judgement, quote),
    ...reasons,
    ...allowed,
    ...cases,
    ...changed,
    ...uncheckedLines(judgement, quote),
    ...askedAgainTexts(judgement),
    ...trendTexts(judgement, quote),
    ...renamed,
    ...changedTools(judgement, quote),
  ];
}

const maxExplained = 10;

/** What differs in the calls of the first broken cases: `c11: day: expected "monday", got "saturday"`. */
function brokenLines(broken: readonly ComparedCase[], quote: QuoteName): string[] {
  const known = broken.filter(({ differences }) => differences.length > 0);
  return known
    .slice(0, maxExplained)
    .map(
      ({ caseKey, differences }) =>
        `${quote(caseKey)}: ${quote(differences.map(({ text }) => text).join('; '))}`,
    );
}

/** The tools that differ from the baseline: what a change of the result follows from. */
function changedTools({ baseline }: Judgement, quote: QuoteName): string[] {
  // Every model of an evaluation is offered the same tools.
  const tools = baseline?.comparisons[0]?.candidate.tools;
  if (tools === undefined) return [];
  return (['changed', 'added', 'removed'] as const).flatMap((what) =>
    tools[what].length === 0
      ? []
      : [`Tools ${what}: ${firstOf(tools[what].map((id) => quote(id)))}`],
  );
}

const maxNamed = 20;

function firstOf(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}
