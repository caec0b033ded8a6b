import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { isMatcher } from '../../../scoring/matchers.ts';
import { checkOf } from './argumentChecks.ts';
import type { SourceCall } from './sourceCalls.ts';
import { plainName } from './fieldNames.ts';
import type { Change } from './suiteDraft.ts';

interface Assertion {
  /** The place of its call, its tool, or null: the only call. */
  call: number | string | null;
  argument: string;
  word: string;
  operand: JsonValue;
}

const argumentNames =
  /^(?:arg|argument|argname|param|parameter|paramname|path|field|key|jsonpath)$/;
const callNames = /^(?:call|callindex|index|step|tool|toolname)$/;
const operatorNames =
  /^(?:op|operator|check|match|matcher|comparison|type|kind|mode|assert|assertion)$/;
const operandNames = /^(?:value|values|expected|operand|pattern|target)$/;
const silent = /^(?:description|note|notes|reason|message|id)$/;

/** An entry that says of one argument what it has to be; null for all else. */
function readAssertion(entry: JsonValue): Assertion | null {
  if (!isJsonObject(entry)) return null;
  const members = Object.entries(entry).filter(([name]) => !silent.test(plainName(name)));
  const take = (names: RegExp): [string, JsonValue] | undefined => {
    const at = members.findIndex(([name]) => names.test(plainName(name)));
    return at < 0 ? undefined : members.splice(at, 1)[0];
  };
  const [, argument] = take(argumentNames) ?? [];
  const [, call = null] = take(callNames) ?? [];
  const [, operator] = take(operatorNames) ?? [];
  const operand = take(operandNames);
  const [other, ...more] = members;
  if (typeof argument !== 'string' || more.length > 0) return null;
  const place = typeof call === 'number' || typeof call === 'string' ? call : null;
  if (typeof operator === 'string' && other === undefined)
    return { call: place, argument, word: operator, operand: operand?.[1] ?? true };
  // `{arg: "title", contains: "Dune"}`, or `{arg: "title", value: "Dune"}`.
  if (operator !== undefined) return null;
  if (other !== undefined && operand === undefined)
    return { call: place, argument, word: other[0], operand: other[1] };
  return operand === undefined || other !== undefined
    ? null
    : { call: place, argument, word: 'equals', operand: operand[1] };
}

/** `$.title` is the argument `title`; undefined for a place inside an argument. */
const ownName = (path: string): string | undefined =>
  /^(?:\$\.|args\.|arguments\.)?([\w-]+)$/.exec(path)?.[1];

/**
 * A list that says in each entry what one argument has to be, such as `[{arg: "title", contains:
 * "Dune"}]` or `[{call: 0, path: "$.title", operator: "equals", value: "Dune"}]`: the calls with these
 * checks. What a case can’t say is named. Null for all other values.
 */
export function withAssertions(
  given: JsonValue | undefined,
  calls: readonly SourceCall[],
): { calls: SourceCall[]; changes: Change[] } | null {
  const read = Array.isArray(given) ? given.map(readAssertion) : [];
  const assertions = read.filter((each) => each !== null);
  if (assertions.length === 0 || assertions.length < read.length) return null;
  const changes: Change[] = [];
  const parameters = calls.map((call): JsonObject => ({ ...call.parameters }));
  const places = assertions.flatMap(({ call }) => (typeof call === 'number' ? [call] : []));
  // Some count steps from 1.
  const first = !places.includes(0) && places.includes(calls.length) ? 1 : 0;
  for (const { call, argument, word, operand } of assertions) {
    const say = (why: string): void => void changes.push({ what: `${argument} ${word}`, why });
    const at =
      call === null
        ? 0
        : typeof call === 'number'
          ? call - first
          : calls.findIndex(({ tools }) => tools.some(({ tool }) => tool === call));
    const own = parameters[at];
    const name = ownName(argument);
    const isOfResult = typeof operand === 'string' && /^\$(?:CALL|\{|\w+[.[])/.test(operand);
    const matcher = isOfResult ? undefined : checkOf(word, operand, { schema: null, say });
    if (own === undefined || name === undefined || matcher === undefined) {
      say('Not imported. A case has no such check of an argument.');
      continue;
    }
    const before = own[name];
    own[name] = isMatcher(before) && isMatcher(matcher) ? { ...before, ...matcher } : matcher;
  }
  return {
    calls: calls.map((call, at) =>
      Object.keys(parameters[at] ?? {}).length === 0
        ? call
        : { ...call, parameters: parameters[at] ?? {}, isPartial: true },
    ),
    changes,
  };
}

/** Whether an entry of a list of checks speaks of an argument of a call, and not of the call. */
export const isOfArgument = (entry: JsonObject): boolean =>
  Object.keys(entry).some((name) => argumentNames.test(plainName(name)));
