import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { isOfferedTools, plainName } from './fieldNames.ts';
import type { Change } from './suiteDraft.ts';

/** Names of a place in the list of tools, and those of a right answer that a number alone makes one. */
const namesIndex =
  /^(?:expected|correct|right|gold(?:en)?|target|answer|label)?(?:tools?|functions?)?(?:index(?:es)?|idx|indices)$/;
const namesAnswer =
  /^(?:answer|label|target|gold(?:en)?|groundtruth|(?:expected|correct|right|gold)(?:tool|function|answer)?)$/;

/** Several definitions of tools that a request offers, also if its field has the name of one tool. */
export const areDefinitions = (value: JsonValue): boolean =>
  Array.isArray(value) &&
  value.length > 1 &&
  value.every(
    (each) =>
      isJsonObject(each) &&
      typeof each['name'] === 'string' &&
      ['description', 'inputSchema', 'input_schema'].some((name) => name in each) &&
      !('arguments' in each || 'args' in each),
  );

/** The names of the tools that an object offers, in their order; null if it offers none. */
function offeredBy(object: JsonObject): string[] | null {
  for (const [name, list] of Object.entries(object)) {
    if (!isOfferedTools(name) || !Array.isArray(list) || list.length < 2) continue;
    const names = list.map((each) => {
      const inner = isJsonObject(each) && isJsonObject(each['function']) ? each['function'] : each;
      const tool = isJsonObject(inner) ? inner['name'] : inner;
      return typeof tool === 'string' ? tool : null;
    });
    if (names.every((each) => each !== null)) return names;
  }
  return null;
}

/**
 * A record whose right tool is a number: its place, from 0, in the list of tools that the record or
 * the document around it offers; -1 is none of them. A number without a place in it stays as it is.
 */
export function withIndexedTools(
  record: JsonObject,
  document: JsonValue,
): { value: JsonObject; changes: Change[] } {
  const tools = offeredBy(record) ?? (isJsonObject(document) ? offeredBy(document) : null);
  if (tools === null) return { value: record, changes: [] };
  const toolAt = (index: JsonValue): string | null | undefined =>
    index === -1 ? null : typeof index === 'number' ? tools[index] : undefined;
  const changes: Change[] = [];
  const entries = Object.entries(record).map(([name, value]): [string, JsonValue] => {
    const plain = plainName(name);
    if (!namesIndex.test(plain) && !namesAnswer.test(plain)) return [name, value];
    const found = Array.isArray(value) ? value.map(toolAt) : toolAt(value);
    if (
      found === undefined ||
      (Array.isArray(found) && (found.length === 0 || found.some((each) => each == null)))
    )
      return [name, value];
    const read = found as string | string[] | null;
    changes.push({
      what: `${name}: ${JSON.stringify(value)}`,
      why: `It is read as the place in the list of tools, from 0: ${read === null ? 'no tool' : [read].flat().join(', ')}.`,
    });
    return [Array.isArray(read) ? 'expected_tools' : 'expected_tool', read];
  });
  return { value: changes.length === 0 ? record : Object.fromEntries(entries), changes };
}
