import { NO_TOOL, PHANTOM, toolId } from '../../src-shared/domain/labels.ts';
import type { ParameterVerdict, Score } from '../../src-shared/domain/score.ts';
import {
  alternatives,
  defaultArgumentsMode,
  rightCalls,
} from '../../src-shared/domain/testCase.ts';

import { acceptableFor } from './bfcl.ts';
import { classify, confusionUnits, labelOf } from './classify.ts';
import type { Comparison, Wanted } from './compareArguments.ts';
import { categorise } from './confidence.ts';
import { findFaults } from './confusions.ts';
import { MAX_DEPTH } from './depth.ts';
import type { Judge } from './judge.ts';
import {
  idOf,
  matchCalls,
  toCallMatches,
  type Fit,
  type Matching,
  type Pair,
} from './matchCalls.ts';
import { compareCall, matchParameters, type CallScore } from './matchParameters.ts';
import { reasonInWords, type Findings } from './reasoning.ts';
import { recommend } from './recommendations.ts';
import type { OfferedTool, ScoreInput } from './scoreInput.ts';

const SCORER_VERSION = 5;

/**
 * Identifies what made a stored score: equal fingerprints give equal scores for equal observations
 * and settings.
 */
export function scorerFingerprint(options: { highConfidence?: number } = {}): string {
  const settings =
    options.highConfidence === undefined ? '' : ` high-confidence=${options.highConfidence}`;
  return `touchstone-scorer/${SCORER_VERSION} depth=${MAX_DEPTH}${settings}`;
}

const indexes = new WeakMap<readonly OfferedTool[], ReadonlyMap<string, OfferedTool>>();

function indexTools(tools: readonly OfferedTool[]): ReadonlyMap<string, OfferedTool> {
  let index = indexes.get(tools);
  if (!index) indexes.set(tools, (index = new Map(tools.map((tool) => [tool.toolId, tool]))));
  return index;
}

const offeredIds = new WeakMap<ReadonlyMap<string, OfferedTool>, ReadonlySet<string>>();

function idsOfTools(tools: ReadonlyMap<string, OfferedTool>): ReadonlySet<string> {
  let ids = offeredIds.get(tools);
  if (!ids) offeredIds.set(tools, (ids = new Set(tools.keys())));
  return ids;
}

/** What decides about the arguments of a call: of several right calls of its tool, each decides. */
function wantedOf(input: ScoreInput, expectedIndex: number, id: string): Wanted[] {
  const call = input.expectation.expectedCalls[expectedIndex];
  if (!call) return [{ by: 'schema' }];
  const acceptable = acceptableFor(
    input.acceptable,
    expectedIndex,
    alternatives(call).map((t) => t.tool),
  );
  if (acceptable) return [{ by: 'acceptable', acceptable }];
  const mode = input.expectation.argumentsMode ?? defaultArgumentsMode;
  return rightCalls(call)
    .filter(({ server, tool }) => toolId(server, tool) === id)
    .map(({ parameters }) =>
      parameters === undefined ? { by: 'schema' } : { by: 'parameters', parameters, mode },
    );
}

/** A call compared with what was wanted of it. */
interface Compared {
  wanted: Wanted;
  comparison: Comparison;
}

const isFull = ({ comparison: { matched, expected } }: Compared): boolean => matched === expected;

/** Of several right calls the one that matches in full, else with the most arguments; else the first. */
const closest = (best: Compared, next: Compared): Compared =>
  isFull(best) || (!isFull(next) && next.comparison.matched <= best.comparison.matched)
    ? best
    : next;

interface PairScore {
  pair: Pair;
  score: CallScore;
}

/**
 * Pairing and scoring both need the comparison of arguments, so each pair is compared once and
 * cached.
 */
function createComparer(
  input: ScoreInput,
  tools: ReadonlyMap<string, OfferedTool>,
  ids: readonly (string | null)[],
  judge: Judge,
) {
  const done = new Map<string, Compared>();
  const compare = (expectedIndex: number, actualIndex: number): Compared => {
    const key = `${expectedIndex} ${actualIndex}`;
    const call = input.calls[actualIndex];
    const id = ids[actualIndex] ?? '';
    const schema = tools.get(id)?.inputSchema ?? {};
    let compared = done.get(key);
    if (!compared) {
      compared = call
        ? wantedOf(input, expectedIndex, id)
            .map((wanted) => ({ wanted, comparison: compareCall(wanted, call, schema, judge) }))
            .reduce(closest)
        : {
            wanted: { by: 'schema' },
            comparison: { rows: [], expected: 0, matched: 0, wantedNames: [] },
          };
      done.set(key, compared);
    }
    return compared;
  };
  const fit = (expectedIndex: number, actualIndex: number): Fit => {
    const { matched, expected } = compare(expectedIndex, actualIndex).comparison;
    const readable = input.calls[actualIndex]?.arguments !== null;
    return { full: readable && matched === expected, matched, expected };
  };
  const score = (pair: Pair, decide: Judge): PairScore[] => {
    const call = input.calls[pair.actualIndex];
    const tool = tools.get(pair.toolId);
    if (!call || !tool) return [];
    const { wanted, comparison } = compare(pair.expectedIndex, pair.actualIndex);
    return [{ pair, score: matchParameters(wanted, call, tool.inputSchema, decide, comparison) }];
  };
  return { fit, score };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

/**
 * Names as they are stored: plain for one call, `tool.name` for several matched calls, each name
 * once.
 */
function namesOver(
  scored: readonly PairScore[],
  tools: ReadonlyMap<string, OfferedTool>,
  names: (score: CallScore) => string[],
): string[] {
  const several = scored.length > 1;
  return [
    ...new Set(
      scored.flatMap(({ pair, score }) =>
        names(score).map((n) => (several ? `${tools.get(pair.toolId)?.name ?? ''}.${n}` : n)),
      ),
    ),
  ];
}

type ParameterScores = Pick<
  Score,
  | 'parameterCompleteness'
  | 'parameterCorrectness'
  | 'parameterTypeConformance'
  | 'hallucinatedParameters'
  | 'missingParameters'
  | 'matchedParameters'
  | 'expectedParameters'
  | 'passed'
>;

function fixedScores(value: 0 | 1): ParameterScores {
  return {
    parameterCompleteness: value,
    parameterCorrectness: value,
    parameterTypeConformance: value === 1,
    hallucinatedParameters: [],
    missingParameters: [],
    matchedParameters: 0,
    expectedParameters: 0,
    passed: value === 1,
  };
}

/**
 * Several calls: sums over sums, and conformance only if all conform. If one call is undecided, so is
 * the run, whatever else is wrong with it: otherwise only right runs would be left out.
 */
function sumScores(
  scored: readonly PairScore[],
  tools: ReadonlyMap<string, OfferedTool>,
): ParameterScores {
  let [present, required, matched, expected] = [0, 0, 0, 0];
  for (const { score } of scored) {
    present += score.present;
    // Unreadable arguments are at least one missing parameter, even if none is required.
    required += Math.max(score.required, score.readable ? 0 : 1);
    matched += score.matched;
    expected += score.expected;
  }
  const verdicts = scored.map(({ score }) => score.conforms);
  const conforms = verdicts.includes(null) ? null : !verdicts.includes(false);
  const hallucinated = namesOver(scored, tools, (score) => score.hallucinated);
  const good = present === required && matched === expected && hallucinated.length === 0;
  return {
    parameterCompleteness: ratio(present, required),
    parameterCorrectness: ratio(matched, expected),
    parameterTypeConformance: conforms,
    hallucinatedParameters: hallucinated,
    missingParameters: namesOver(scored, tools, (score) => score.missing),
    matchedParameters: matched,
    expectedParameters: expected,
    passed: conforms === null ? null : good && conforms,
  };
}

/**
 * Why a run is neither passed nor failed; null if it is. Either the schema of a tool that the case
 * accepts can't decide any arguments, and then no run of the case counts, because only wrong choices
 * could; or it can't decide those of a matched call.
 */
function undecidedBy(
  input: ScoreInput,
  tools: ReadonlyMap<string, OfferedTool>,
  scored: readonly PairScore[],
  judge: Judge,
): string | null {
  const say = (id: string, reason: string): string =>
    `The input schema of ${id} can't decide these arguments. ${reason}`;
  for (const call of input.expectation.expectedCalls)
    for (const { server, tool } of alternatives(call)) {
      const id = toolId(server, tool);
      const schema = tools.get(id)?.inputSchema;
      const reason = schema === undefined ? null : judge.cannotDecide(schema);
      if (reason !== null) return say(id, reason);
    }
  const found = scored.find(({ score }) => score.conforms === null);
  return found === undefined ? null : say(found.pair.toolId, found.score.conformanceReason ?? '');
}

function toVerdicts(scored: readonly PairScore[]): ParameterVerdict[] {
  return scored.flatMap(({ pair, score }) => score.rows.map((row) => ({ ...pair, ...row })));
}

/** A judge for calls with fixed scores: their rows are shown, but their schema isn't evaluated. */
function withoutValidation(judge: Judge): Judge {
  return {
    validate: () => ({ outcome: 'conforms' }),
    cannotDecide: (schema) => judge.cannotDecide(schema),
    matchesRegex: (pattern, text) => judge.matchesRegex(pattern, text),
  };
}

function gatherFindings(
  input: ScoreInput,
  tools: ReadonlyMap<string, OfferedTool>,
  ids: readonly (string | null)[],
  matching: Matching,
  units: Score['units'],
  scored: readonly PairScore[],
): Findings {
  const ignored = new Set(matching.allowed);
  const made = ids.flatMap((id, index) =>
    ignored.has(index) ? [] : [id ?? (input.calls[index]?.name || PHANTOM)],
  );
  return {
    classification: classify(input.expectation.expectedCalls.length, matching),
    expected: input.expectation.expectedCalls.map(labelOf).filter((label) => label !== NO_TOOL),
    made,
    phantoms: [
      ...new Set(ids.flatMap((id, index) => (id === null ? [input.calls[index]?.name ?? ''] : []))),
    ],
    faults: findFaults(
      units,
      input.query,
      tools,
      input.expectation.expectedCalls.map((each) => rightCalls(each)[0]?.parameters ?? null),
    ),
    scored: scored.map(({ pair, score }) => ({ toolId: pair.toolId, score })),
  };
}

/**
 * Scores one run (docs/rules.md §3). Pure, and independent of the order of properties. Whatever
 * requires running a foreign pattern or schema is delegated to `judge`. FP and FN store 0, 0,
 * false; TN stores 1, 1, true; the parameter rows of an FN's matched calls are kept for display.
 * Never throws for JSON of any shape or depth.
 */
export function scoreRun(input: ScoreInput, judge: Judge): Score {
  const tools = indexTools(input.tools);
  const ids = input.calls.map((call) => idOf(call, idsOfTools(tools)));
  const comparer = createComparer(input, tools, ids, judge);
  const matching = matchCalls(input.expectation, ids, comparer.fit);
  const { expectedCalls } = input.expectation;
  const classification = classify(expectedCalls.length, matching);
  const units = confusionUnits(expectedCalls, ids, matching);
  const right = classification === 'TP' || classification === 'TN';
  const decide = classification === 'TP' ? judge : withoutValidation(judge);
  const scored = matching.pairs.flatMap((pair) => comparer.score(pair, decide));
  const undecided = undecidedBy(input, tools, scored, judge);
  const parameterScores =
    classification === 'TP' ? sumScores(scored, tools) : fixedScores(right ? 1 : 0);
  const findings = gatherFindings(input, tools, ids, matching, units, scored);
  const confidenceCategory = categorise(input.confidence, right, input.highConfidence);
  const own = input.modelReasoning?.trim() ?? '';
  return {
    classification,
    toolSelectionCorrect: right,
    ...parameterScores,
    passed: undecided === null ? parameterScores.passed : null,
    undecided,
    parameters: toVerdicts(scored),
    matches: toCallMatches(matching),
    units,
    confidenceCategory,
    reasoning: own === '' ? reasonInWords(findings) : own,
    recommendations: recommend({
      findings,
      expectedCalls: input.expectation.expectedCalls,
      query: input.query,
      tools: input.tools,
      category: confidenceCategory,
      undecided,
    }),
  };
}
