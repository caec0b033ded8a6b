import type { CallDifference, ParameterDifference } from '../domain/callDifference.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { toolId } from '../domain/labels.ts';
import type { ActualCall } from '../domain/observation.ts';
import type { ParameterVerdict } from '../domain/score.ts';
import { alternatives, type ExpectedCall } from '../domain/testCase.ts';
import {
  actualName,
  callPairs,
  expectedArguments,
  expectedName,
  type CalledRun,
  type CallPair,
} from './callPairs.ts';
import { isMatcher } from './matcherWords.ts';

/** Longer values are cut in a sentence. */
export const maxValueLength = 80;
/** A longer value is kept as its beginning, so that a report stays a report. */
const maxKeptLength = 2_000;

/** What makes an argument wrong; other rows are right or decided nothing. */
const kinds: Readonly<
  Partial<Record<ParameterVerdict['verdict'], Exclude<ParameterDifference['kind'], 'schema'>>>
> = {
  wrong_value: 'value',
  missing: 'missing',
  unexpected: 'extra',
  hallucinated: 'made_up',
  unreadable: 'unreadable',
};

const schemaRemark = ' Against the schema: ';

/** How an argument differs; null if it doesn't. A right value may still violate the input schema. */
export const differenceKind = ({
  verdict,
  reason,
}: Pick<ParameterVerdict, 'verdict' | 'reason'>): ParameterDifference['kind'] | null =>
  kinds[verdict] ?? (reason.includes(schemaRemark) ? 'schema' : null);

/**
 * What is wrong with the calls of a failed run, in the order of the expected calls and then of the
 * calls that nothing expected; empty for calls that are right. The pairs and the reasons are those of
 * scoring (docs/rules.md §3), so that every output says the same.
 */
export function callDifferences(run: CalledRun): CallDifference[] {
  const { score, calls } = run;
  const isAnyExpected = run.case.expectedCalls.length > 0;
  const pairs = callPairs(run);
  const found = pairs.flatMap((pair): CallDifference[] => {
    const wrong = pair.verdicts.filter((row) => differenceKind(row) !== null);
    const parameters = wrong.map(parameterDifference);
    const differs = differingCall(pair, parameters, isAnyExpected, calls.length > 0);
    const first = wrong.map(({ name }) => name);
    return differs === null ? [] : [{ ...differs, ...bothCalls(pair, first), parameters }];
  });
  const [first] = pairs;
  // What a schema says of the arguments together is in no row.
  return found.length === 0 &&
    first !== undefined &&
    score?.classification === 'TP' &&
    score.parameterTypeConformance === false
    ? [
        {
          ...{ kind: 'arguments', text: 'the arguments are against the input schema' },
          ...bothCalls(first, []),
          parameters: [],
        },
      ]
    : found;
}

function bothCalls(
  pair: CallPair,
  first: readonly string[],
): Pick<CallDifference, 'expected' | 'called'> {
  const { expected, actual } = pair;
  const parameters = expectedArguments(pair);
  return {
    expected: expected && {
      tools: alternatives(expected).map(({ server, tool }) => toolId(server, tool)),
      parameters: parameters ? inOrder(parameters, first) : null,
    },
    called: actual && {
      tool: actualName(actual),
      arguments: actual.arguments && inOrder(actual.arguments, first),
    },
  };
}

/** What is wrong with one pair; null if nothing is. */
function differingCall(
  { kind, expected, actual }: CallPair,
  parameters: readonly ParameterDifference[],
  isAnyExpected: boolean,
  isAnyCalled: boolean,
): Pick<CallDifference, 'kind' | 'text'> | null {
  const wanted = expected === null ? '' : expectedName(expected);
  const called = actual === null ? '' : actualName(actual);
  const isMadeUp = actual !== null && (actual.server === null || actual.tool === null);
  switch (kind) {
    case 'allowed':
      return null;
    case 'matched':
      return parameters.length === 0
        ? null
        : { kind: 'arguments', text: parameters.map(({ text }) => text).join('; ') };
    case 'missing':
      return {
        kind: 'not_called',
        text: isAnyCalled ? `${wanted} was not called` : `expected ${wanted}, called no tool`,
      };
    case 'extra':
      return isMadeUp
        ? { kind: 'made_up_tool', text: `called ${called}, which was not offered` }
        : {
            kind: 'unneeded_call',
            text: isAnyExpected
              ? `called ${called} in addition to the expected calls`
              : `called ${called}, expected no call`,
          };
    case 'confused':
      if (isMadeUp)
        return {
          kind: 'made_up_tool',
          text: `expected ${wanted}, called ${called}, which was not offered`,
        };
      return isOneOf(actual, expected)
        ? { kind: 'out_of_order', text: `${called} was called out of order` }
        : { kind: 'wrong_tool', text: `expected ${wanted}, called ${called}` };
  }
}

const isOneOf = (actual: ActualCall | null, expected: ExpectedCall | null): boolean =>
  actual !== null &&
  expected !== null &&
  alternatives(expected).some(
    ({ server, tool }) => server === actual.server && tool === actual.tool,
  );

function parameterDifference(row: ParameterVerdict): ParameterDifference {
  const { name, expected, actual, reason } = row;
  const kind = differenceKind(row) ?? 'value';
  const { path, rest } =
    kind === 'value'
      ? // What the schema says besides is in the expected value.
        placeOf(
          expected,
          actual,
          withoutRemark(reason)
            .replace(/^Wrong: /, '')
            .replace(/\.$/, ''),
        )
      : { path: '', rest: restOf(kind, actual, reason) };
  return {
    name: `${name}${path}`,
    kind,
    ...(expected !== undefined && { expected: kept(expected) }),
    ...(actual !== undefined && { actual: kept(actual) }),
    text: `${name}${path}: ${rest}`,
  };
}

const withoutRemark = (reason: string): string => reason.split(schemaRemark, 1)[0] ?? '';

function restOf(
  kind: Exclude<ParameterDifference['kind'], 'value'>,
  actual: JsonValue | undefined,
  reason: string,
): string {
  switch (kind) {
    case 'missing':
      return reason.replace(/^Left out; /, 'missing, ').replace(/\.$/, '');
    case 'extra':
      // `$absent` says itself what it expected.
      return reason.startsWith('Wrong: expected')
        ? reason.replace(/^Wrong: /, '').replace(/\.$/, '')
        : `not expected, got ${valueText(actual)}`;
    case 'made_up':
      return `the input schema has no such parameter, got ${valueText(actual)}`;
    case 'unreadable':
      return reason.replace(/^Arguments unreadable: /, 'unreadable, ').replace(/\.$/, '');
    case 'schema': {
      const remark = reason.slice(reason.indexOf(schemaRemark) + schemaRemark.length);
      return `against the input schema, ${remark.replace(/\.$/, '')}`;
    }
  }
}

/**
 * Where in an argument a reason of the scorer places the difference, as a path, and what it says of
 * it. The scorer writes `items: [1]: sku: expected …`. A name only counts as a place if one of the
 * values has it there, because texts of values may look like places.
 */
function placeOf(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  found: string,
): { path: string; rest: string } {
  let [left, right, rest, path] = [operandOf(expected), actual, found, ''];
  for (;;) {
    const index: string | undefined = /^\[(\d+)\]: /.exec(rest)?.[1];
    if (index !== undefined && Array.isArray(left)) {
      path += `[${index}]`;
      rest = rest.slice(index.length + 4);
      [left, right] = [
        operandOf(left[Number(index)]),
        Array.isArray(right) ? right[Number(index)] : undefined,
      ];
      continue;
    }
    const key = isJsonObject(left)
      ? Object.keys({ ...left, ...(isJsonObject(right) ? right : {}) })
          .filter((name) => rest.startsWith(`${name}: `))
          .sort((a, b) => b.length - a.length)[0]
      : undefined;
    if (key === undefined || !isJsonObject(left)) return { path, rest };
    path += `.${key}`;
    rest = rest.slice(key.length + 2);
    [left, right] = [operandOf(left[key]), isJsonObject(right) ? right[key] : undefined];
  }
}

/** The value in which a matcher looks for differences: those of `$partial` and `$optional` have places. */
function operandOf(value: JsonValue | undefined): JsonValue | undefined {
  if (!isMatcher(value) || !isJsonObject(value)) return value;
  const operand = value['$partial'] ?? value['$optional'];
  return operand === undefined ? undefined : operandOf(operand);
}

export const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;

export const valueText = (value: JsonValue | undefined): string =>
  value === undefined ? 'nothing' : cut(JSON.stringify(value), maxValueLength);

/** The value; of one whose JSON has more than 2,000 characters, their beginning. */
export function kept(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= maxKeptLength ? value : cut(text, maxKeptLength);
}

/** The named members first; long values are cut. */
function inOrder(values: JsonObject, first: readonly string[]): JsonObject {
  const own = first.filter((name) => Object.hasOwn(values, name));
  return Object.fromEntries(
    [...new Set([...own, ...Object.keys(values)])].map((name) => [
      name,
      kept(values[name] ?? null),
    ]),
  );
}
