import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { isOfArgument } from './argumentAssertions.ts';
import { plainName } from './fieldNames.ts';
import { wrappers } from './fieldNameTable.ts';
import { fieldOfWords, isSequence } from './namePatterns.ts';
import type { Change } from './suiteDraft.ts';

/** A record in plain fields, with what was understood of it in a way that is worth saying. */
export interface ExpandedRecord {
  value: JsonObject;
  changes: Change[];
}

const kindKeys = ['type', 'kind', 'check', 'assertion', 'evaluator', 'grader'];
const toolKeys = [
  'tool',
  'tool_name',
  'toolName',
  'tools',
  'name',
  'function',
  'value',
  'expected',
];
const argumentKeys = ['arguments', 'args', 'params', 'parameters', 'input', 'with'];

const find = (object: JsonObject, keys: readonly string[]): JsonValue | undefined =>
  keys.map((key) => object[key]).find((value) => value !== undefined && value !== null);

/**
 * A record with a list of checks that say by a word what each is, such as `expectations: [{type:
 * tool_called, tool: find_book}]`: those about tools become fields of the record, all others stay in
 * the list. Records without such a list stay as they are.
 */
export function withTypedChecks({ value: record, changes }: ExpandedRecord): ExpandedRecord {
  for (const [name, list] of Object.entries(record)) {
    if (!Array.isArray(list) || !wrappers.expecting.includes(plainName(name))) continue;
    const calls: JsonObject[] = [];
    const never: JsonValue[] = [];
    const left: JsonValue[] = [];
    const said: JsonObject = {};
    for (const each of list) {
      const kind = isJsonObject(each) ? find(each, kindKeys) : undefined;
      const field = typeof kind === 'string' ? fieldOfWords(kind, true) : undefined;
      const tools = isJsonObject(each) ? [find(each, toolKeys) ?? []].flat() : [];
      if (!isJsonObject(each) || field === undefined || isOfArgument(each)) left.push(each);
      else if (field === 'no_tool' && tools.length === 0) said['no_tool'] = true;
      else if (tools.length === 0) left.push(each);
      else if (field === 'forbidden_tools' || field === 'no_tool') never.push(...tools);
      else if (field === 'tool' || field === 'expected_calls') {
        const given = find(each, argumentKeys);
        for (const tool of tools)
          calls.push({
            name: tool,
            ...(isJsonObject(given ?? null) && { arguments: given ?? {} }),
          });
        if (typeof kind === 'string' && isSequence(kind) && tools.length > 1)
          said['order_dependent'] = true;
      } else left.push(each);
    }
    if (calls.length + never.length + Object.keys(said).length === 0) continue;
    const { [name]: _taken, ...rest } = record;
    return {
      value: {
        ...rest,
        ...said,
        ...(calls.length > 0 && { expected_calls: calls, arguments_mode: 'at-least' }),
        ...(never.length > 0 && { forbidden_tools: never }),
        ...(left.length > 0 && { [name]: left }),
      },
      changes,
    };
  }
  return { value: record, changes };
}
