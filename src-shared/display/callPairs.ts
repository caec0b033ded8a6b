import type { ActualCall } from '../domain/observation.ts';
import type { ParameterVerdict, Score } from '../domain/score.ts';
import { toolId } from '../domain/labels.ts';
import type { JsonObject } from '../domain/json.ts';
import {
  alternatives,
  hasOwnArguments,
  rightCalls,
  type ExpectedCall,
} from '../domain/testCase.ts';

export interface CallPair {
  key: string;
  expected: ExpectedCall | null;
  actual: ActualCall | null;
  /**
   * `matched`: same tool. `confused`: another tool instead. `missing`, `extra`: only one side.
   * `allowed`: neither correct nor wrong.
   */
  kind: 'matched' | 'confused' | 'missing' | 'extra' | 'allowed';
  verdicts: ParameterVerdict[];
}

/** What was expected of a run, what it called, and how scoring paired both. */
export interface CalledRun {
  case: { expectedCalls: readonly ExpectedCall[] };
  calls: readonly ActualCall[];
  score: Pick<
    Score,
    'classification' | 'matches' | 'parameters' | 'parameterTypeConformance'
  > | null;
}

/**
 * Pairs expected and actual calls as scoring did. An expected call without a match is paired with
 * the next unmatched call in order, as in the confusion matrix. Without a score (a run that
 * failed), calls are listed in the order of both lists.
 */
export function callPairs({ score, calls, case: { expectedCalls } }: CalledRun): CallPair[] {
  const partner = new Map<number, number>();
  const allowed = new Set<number>();
  for (const match of score?.matches ?? []) {
    if (match.allowed && match.actualIndex !== null) allowed.add(match.actualIndex);
    else if (match.expectedIndex !== null && match.actualIndex !== null)
      partner.set(match.expectedIndex, match.actualIndex);
  }
  const taken = new Set(partner.values());
  const free = calls
    .map((_, index) => index)
    .filter((index) => !taken.has(index) && !allowed.has(index));
  const pairs = expectedCalls.map((expected, index): CallPair => {
    const matched = partner.get(index);
    const at = matched ?? free.shift();
    return {
      key: `expected ${index}`,
      expected,
      actual: at === undefined ? null : (calls[at] ?? null),
      kind: matched !== undefined ? 'matched' : at === undefined ? 'missing' : 'confused',
      verdicts:
        matched === undefined
          ? []
          : (score?.parameters ?? []).filter(
              (row) => row.expectedIndex === index && row.actualIndex === matched,
            ),
    };
  });
  const rest = [...free, ...allowed].sort((a, b) => a - b);
  return [
    ...pairs,
    ...rest.map((index): CallPair => ({
      key: `actual ${index}`,
      expected: null,
      actual: calls[index] ?? null,
      kind: allowed.has(index) ? 'allowed' : 'extra',
      verdicts: [],
    })),
  ];
}

/**
 * The arguments that an actual call is compared with; undefined if the case names none. Of right calls
 * with arguments of their own, those that scoring took: its rows hold each of their values.
 */
export function expectedArguments({
  expected,
  actual,
  verdicts,
}: Pick<CallPair, 'expected' | 'actual' | 'verdicts'>): JsonObject | undefined {
  if (expected === null) return undefined;
  if (!hasOwnArguments(expected)) return expected.parameters;
  const ofTool = rightCalls(expected).filter(
    ({ server, tool }) => server === actual?.server && tool === actual.tool,
  );
  const values = new Map(
    verdicts.flatMap(({ name, expected: value }) =>
      value === undefined ? [] : [[name, JSON.stringify(value)] as const],
    ),
  );
  return ofTool.find(({ parameters = {} }) => {
    const given = Object.entries(parameters);
    return (
      given.length === values.size &&
      given.every(([name, value]) => values.get(name) === JSON.stringify(value))
    );
  })?.parameters;
}

/** The expected tools, with their servers unless all tools are of one server. */
export function expectedName(call: ExpectedCall, severalServers = true): string {
  return alternatives(call)
    .map(({ server, tool }) => (severalServers ? toolId(server, tool) : tool))
    .join(' or ');
}

/** A call's tool ID, or the name as the model wrote it if it reached no tool. */
export function actualName({ server, tool, name }: ActualCall, severalServers = true): string {
  if (server === null || tool === null) return name;
  return severalServers ? toolId(server, tool) : tool;
}
