import type { MappedField } from '../../../../src-shared/contract/suites.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { isOfArgument } from './argumentAssertions.ts';
import { countAt } from './callCounts.ts';
import { plainName } from './fieldNames.ts';
import { turnLists, wrappers } from './fieldNameTable.ts';
import { fieldOfWords, isSequence } from './namePatterns.ts';
import type { Change } from './suiteDraft.ts';

/** A record in plain fields, with what was understood of it in a way that is worth saying. */
export interface ExpandedRecord {
  value: JsonObject;
  changes: Change[];
}

const kindKeys = ['type', 'kind', 'check', 'assert', 'assertion', 'evaluator', 'grader', 'metric'];
const toolKeys =
  'tool tool_name toolName tools name function value expected expected_sequence sequence'.split(
    ' ',
  );
const argumentKeys = 'arguments args expected_args params parameters input with'.split(' ');

/** `ToolSequence` needs no word for what is expected among checks. */
const fieldOfKind = (kind: string): MappedField | undefined =>
  fieldOfWords(kind, true) ??
  (isSequence(kind) ? fieldOfWords(`expected ${kind}`, true) : undefined) ??
  (/^(?:call(?:ed|s)?|use[ds]?|invoke[ds]?)$/i.test(kind) ? 'expected_calls' : undefined);

const isTool = (value: JsonValue): boolean =>
  isJsonObject(value) && ['tool', 'tool_name', 'toolName', 'tools'].some((key) => key in value);

/** Whether a check is of a turn before the last one, `turn: 0`, of a record with several. */
function isOfEarlierTurn(check: JsonObject, record: JsonObject): boolean {
  const turn = check['turn'] ?? check['turn_index'];
  const turns = turnLists.flatMap((name) => (Array.isArray(record[name]) ? [record[name]] : []))[0];
  return typeof turn === 'number' && turns !== undefined && turn >= 0 && turn < turns.length - 1;
}

const find = (object: JsonObject, keys: readonly string[]): JsonValue | undefined =>
  keys.map((key) => object[key]).find((value) => value !== undefined && value !== null);

/** A check that says under `key` what it is. */
function withKind(each: JsonValue): JsonValue {
  if (!isJsonObject(each) || typeof each['key'] !== 'string') return each;
  const { key, ...rest } = each as JsonObject & { key: string };
  return find(rest, kindKeys) === undefined && fieldOfKind(key) !== undefined
    ? { type: key, ...rest }
    : each;
}

/** Objects of a check in which its tool may be. */
const innerKeys = ['args', 'arguments', 'params', 'parameters', 'config', 'with', 'options'];

/**
 * `{ToolWasCalled: {tool_name: find_book}}` of mcp-eval (https://github.com/lastmile-ai/mcp-eval) as a
 * check with its type, and `{key: tool_called, args: {tool: find_book}}` with what is in the object.
 */
function spelledOut(given: JsonValue): JsonValue {
  const each = withKind(given);
  const inner = isJsonObject(each) ? innerKeys.find((key) => isTool(each[key] ?? null)) : undefined;
  if (isJsonObject(each) && inner !== undefined && find(each, toolKeys) === undefined) {
    const { [inner]: said, ...rest } = each;
    return { ...rest, ...(isJsonObject(said ?? null) && (said as JsonObject)) };
  }
  const [[type, said] = ['', null], ...more] = isJsonObject(each) ? Object.entries(each) : [];
  if (more.length > 0 || !/^[A-Z][a-z]+[A-Z]/.test(type)) return each;
  return isJsonObject(said) ? { type, ...said } : { type, tools: said };
}

/** The lists of checks of a record, also in an object of what is expected: `expect: {checks: […]}`. */
function listsOfChecks(
  record: JsonObject,
): { name: string; list: JsonValue[]; rest: JsonObject }[] {
  const isOfChecks = (name: string): boolean =>
    name === 'evaluators' || wrappers.expecting.includes(plainName(name));
  return Object.entries(record).flatMap(([name, value]) => {
    if (typeof value !== 'object' || !isOfChecks(name)) return [];
    const { [name]: _taken, ...rest } = record;
    if (Array.isArray(value)) return [{ name, list: value, rest }];
    if (!isJsonObject(value)) return [];
    return listsOfChecks(value).map(({ name: inner, list, rest: others }) => ({
      name: inner,
      list,
      rest: { ...rest, ...(Object.keys(others).length > 0 && { [name]: others }) },
    }));
  });
}

/**
 * A record with a list of checks that say by a word what each is, such as `expectations: [{type:
 * tool_called, tool: find_book}]`: those about tools become fields of the record, all others stay in
 * the list. Records without such a list stay as they are.
 */
export function withTypedChecks({ value: record, changes }: ExpandedRecord): ExpandedRecord {
  for (const { name, list, rest } of listsOfChecks(record)) {
    const calls: JsonObject[] = [];
    const sequence = new Set<JsonObject>();
    const never: JsonValue[] = [];
    const left: JsonValue[] = [];
    const said: JsonObject = {};
    const found: Change[] = [];
    let isOrdered = false;
    for (const given of list) {
      const each = spelledOut(given);
      const kind = isJsonObject(each) ? find(each, kindKeys) : undefined;
      const field = typeof kind === 'string' ? fieldOfKind(kind) : undefined;
      const tools = isJsonObject(each) ? [find(each, toolKeys) ?? []].flat() : [];
      const args = isJsonObject(each) ? find(each, argumentKeys) : undefined;
      // `tool_param_equals` says of its tool, which another check says is called, with what.
      const isOfValues =
        field === 'parameters' &&
        typeof kind === 'string' &&
        /equals?$/i.test(kind) &&
        isJsonObject(args ?? null);
      if (isOfValues && tools.length === 1)
        calls.push({ name: tools[0] ?? null, arguments: args ?? {} });
      else if (
        !isJsonObject(each) ||
        field === undefined ||
        isOfArgument(each) ||
        isOfEarlierTurn(each, record)
      )
        left.push(given);
      else if (field === 'tool' && tools.length === 0 && Array.isArray(each['any_of']))
        calls.push({ any_of: each['any_of'] });
      else if (field === 'no_tool' && tools.length === 0) said['no_tool'] = true;
      else if (tools.length === 0) left.push(given);
      else if (field === 'forbidden_tools' || field === 'no_tool') never.push(...tools);
      else if (field === 'tool' || field === 'expected_calls') {
        const isInOrder = typeof kind === 'string' && isSequence(kind);
        const counts = Object.entries(each).flatMap(([key, count]) => countAt(key, count) ?? []);
        const least = Math.max(1, ...counts.map((count) => count.least));
        for (const { more } of counts) if (more !== null) found.push({ what: name, why: more });
        for (const tool of tools.flatMap((tool) => Array.from({ length: least }, () => tool))) {
          const call = {
            name: tool,
            ...(isJsonObject(args ?? null) && { arguments: args ?? {} }),
          };
          calls.push(call);
          if (isInOrder) sequence.add(call);
        }
        isOrdered ||= isInOrder;
      } else left.push(given);
    }
    // A call that is checked for its arguments, or its place, as well is one call.
    const once = calls.filter(
      (call) =>
        'arguments' in call ||
        (!calls.some((other) => other['name'] === call['name'] && 'arguments' in other) &&
          (sequence.has(call) || ![...sequence].some((other) => other['name'] === call['name']))),
    );
    if (calls.length + never.length + Object.keys(said).length === 0) continue;
    return {
      value: {
        ...rest,
        ...said,
        ...(isOrdered && once.length > 1 && { order_dependent: true }),
        ...(once.length > 0 && { expected_calls: once, arguments_mode: 'at-least' }),
        ...(never.length > 0 && { forbidden_tools: never }),
        ...(left.length > 0 && { [name]: left }),
      },
      changes: [...changes, ...found],
    };
  }
  return { value: record, changes };
}
