import { type JsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { findFields, noMap, plainName } from './fieldNames.ts';
import { flattenRecord } from './flattenRecord.ts';
import type { Change } from './suiteDraft.ts';
import { isEmpty, nonEmptyText } from './values.ts';

const isPhrase = (text: JsonValue | undefined): boolean =>
  typeof text === 'string' && /\S\s+\S/.test(text.trim());
const isWord = (text: JsonValue): boolean => typeof text === 'string' && /^[\w.:/-]+$/.test(text);
const isTexts = (list: JsonValue): list is string[] =>
  Array.isArray(list) && list.length > 0 && list.every((each) => typeof each === 'string');
const isMost = <Item>(list: readonly Item[], is: (item: Item) => boolean): boolean =>
  list.filter(is).length * 2 > list.length;

interface PlainRecord {
  value: JsonObject;
  /** Where it stands in its list or object. */
  at: string | number;
}

const maxCells = 10;

/** Rows of values without names, such as `["Is it there?", "find_book"]`; none if there is another entry. */
export function rowsOf(list: readonly JsonValue[]): PlainRecord[] {
  const rows = list.flatMap((row, at): PlainRecord[] =>
    Array.isArray(row) && row.length > 1 && row.length <= maxCells
      ? [{ at, value: Object.fromEntries(row.map((cell, no) => [`column ${no + 1}`, cell])) }]
      : [],
  );
  return rows.length === list.length &&
    rows.some(({ value }) => Object.values(value).some(isPhrase))
    ? rows
    : [];
}

/** Requests by tool, `{find_book: ["Is it there?"]}`, or tools by request, `{"Is it there?": "find_book"}`. */
export function pairsOf(entries: readonly (readonly [string, JsonValue])[]): PlainRecord[] {
  if (entries.length < 2) return [];
  const byTool = entries.flatMap(([tool, list]): PlainRecord[] =>
    isWord(tool) && isTexts(list)
      ? list.map((prompt) => ({ at: tool, value: { prompt, expected_tool: tool } }))
      : [],
  );
  if (entries.every(([tool, list]) => isWord(tool) && isTexts(list)))
    return isMost(byTool, ({ value }) => isPhrase(value['prompt'])) ? byTool : [];
  const areTools = entries.every(([, tool]) => tool === null || isWord(tool));
  return areTools && isMost(entries, ([prompt]) => isPhrase(prompt))
    ? entries.map(([prompt, tool]) => ({ at: prompt, value: { prompt, expected_tool: tool } }))
    : [];
}

const none =
  /^(?:negatives?|no(?:ne|tools?|call)|irrelevan(?:t|ce)|should(?:no|nt)t?(?:trigger|call\w*))(?:cases|tests|examples|prompts|queries)?$/;

/** Whether a list of this name has requests for which no tool should be called. */
export const isRequestsForNone = (name: string): boolean => none.test(plainName(name));

const conversations: ReadonlySet<string> = new Set([
  'turns',
  'steps',
  'conversation',
  'dialog',
  'dialogue',
  'interactions',
]);

/**
 * The turns of a conversation whose entries say each what is asked and expected: every one after the
 * requests before it. Null for other lists, and for one turn alone.
 */
export function turnsOf(
  name: string,
  list: readonly JsonObject[],
): { value: JsonObject; changes: readonly Change[] }[] | null {
  if (list.length < 2 || !conversations.has(plainName(name))) return null;
  const said: JsonObject[] = [];
  return list.map((value) => {
    const values = flattenRecord(value);
    const fields = findFields([...values.keys()], noMap);
    const asked = (fields.query ?? [])
      .map((each) => nonEmptyText(values.get(each)))
      .find((text) => text !== null);
    const hasOwn = (fields.messages ?? []).some((each) => !isEmpty(values.get(each)));
    const before = [...said];
    if (asked != null) said.push({ role: 'user', content: asked });
    return before.length === 0 || hasOwn
      ? { value, changes: [] }
      : {
          value: { ...value, messages: before },
          changes: [
            {
              what: name,
              why: 'Each of its turns is a case, after the requests of the turns before it. What the assistant said to them isn’t in the file.',
            },
          ],
        };
  });
}
