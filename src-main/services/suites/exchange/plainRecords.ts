import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { findFields, noMap, plainName, saysExpectation } from './fieldNames.ts';
import { turnLists } from './fieldNameTable.ts';
import { flattenRecord } from './flattenRecord.ts';
import { areActions } from './namePatterns.ts';
import type { Change } from './suiteDraft.ts';
import { countWords, isEmpty, nonEmptyText, objectOf } from './values.ts';

const isPhrase = (text: JsonValue | undefined): boolean =>
  typeof text === 'string' && countWords(text) > 1;
const isWord = (text: JsonValue): boolean => typeof text === 'string' && /^[\w.:/-]+$/.test(text);
export const isTexts = (list: JsonValue): list is string[] =>
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

export type KnowsTool = (name: string) => boolean;

/** Words of an object that may stand next to the names of tools, and their lists. */
const isOtherList = (name: string): boolean =>
  findFields([name], noMap).query !== undefined || isRequestList(name);

/**
 * Requests by tool, `{find_book: ["Is it there?"]}`, or tools by request,
 * `{"Is it there?": "find_book"}`. Below the name of a known tool there may also be one text, objects
 * that ask, or an object with lists of both kinds: `{find_book: {positive: […], negative: […]}}`.
 */
export function pairsOf(
  entries: readonly (readonly [string, JsonValue])[],
  isKnown: KnowsTool,
  mayBeUnknown: boolean,
): PlainRecord[] {
  const known = entries.filter(([tool, value]) => isKnown(tool) && requestsIn(value) !== null);
  if (known.length > 0 && isMost(known, ([, value]) => (requestsIn(value) ?? []).some(mayAsk)))
    return entries.flatMap(([tool, value]) => {
      const isNone = isRequestsForNone(tool);
      const isOfTool = isKnown(tool) || isNone || (isWord(tool) && !isOtherList(tool));
      const requests = isKnown(tool) || Array.isArray(value) ? requestsIn(value) : null;
      return isOfTool ? byTool(isNone ? 'none' : tool, tool, requests ?? []) : [];
    });
  if (entries.length < 2 || !mayBeUnknown) return [];
  const ofTexts = entries.flatMap(([tool, list]) =>
    isWord(tool) && isTexts(list)
      ? byTool(isRequestsForNone(tool) ? 'none' : tool, tool, list)
      : [],
  );
  if (entries.every(([tool, list]) => isWord(tool) && isTexts(list)))
    return isMost(ofTexts, ({ value }) => isPhrase(value['prompt'])) ? ofTexts : [];
  // An object below the name of a tool may be that of anything, but for its lists of requests.
  const lists = entries.map(([tool, value]) => [tool, onlyRequests(value)] as const);
  if (lists.every(([, list]) => list !== null) && areActions(lists.map(([tool]) => tool)))
    return lists.flatMap(([tool, list]) => byTool(tool, tool, list ?? []));
  if (!isMost(entries, ([prompt]) => isPhrase(prompt))) return [];
  const areTools = entries.every(([, tool]) => tool === null || isWord(tool));
  const say = entries.every(([, value]) => isJsonObject(value) && !mayAsk(value) && expects(value));
  if (!areTools && !say) return [];
  return entries.map(([prompt, value]) => {
    const own: JsonObject = say ? { ...objectOf(value), prompt } : { prompt, expected_tool: value };
    return { at: prompt, value: own };
  });
}

const expects = (value: JsonObject): boolean =>
  saysExpectation(findFields([...flattenRecord(value).keys()], noMap));

/** The texts of an object with one list of requests, `{prompts: […]}`; null for everything else. */
function onlyRequests(value: JsonValue): string[] | null {
  const lists = Object.entries(objectOf(value)).filter(([, each]) => Array.isArray(each));
  const [[name, list] = ['', null], ...more] = lists;
  return more.length === 0 && isRequestList(name) && list !== null && isTexts(list) ? list : null;
}

/** What is below the name of a tool as requests: texts and objects. Null if it is something else. */
function requestsIn(value: JsonValue): readonly (string | JsonObject)[] | null {
  if (typeof value === 'string') return isPhrase(value) ? [value] : null;
  if (isJsonObject(value)) return mayAsk(value) ? [value] : null;
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.every((each) => typeof each === 'string' || (isJsonObject(each) && mayAsk(each)))
    ? (value as (string | JsonObject)[])
    : null;
}

const mayAsk = (request: string | JsonObject): boolean =>
  typeof request === 'string'
    ? isPhrase(request)
    : Object.keys(request).some(isOtherList) || bothKinds(request) !== null;

const byTool = (
  tool: string,
  at: string,
  requests: readonly (string | JsonObject)[],
): PlainRecord[] =>
  requests.map((each) => ({
    at,
    value: {
      ...(typeof each === 'string' ? { prompt: each } : each),
      expected_tool: tool,
    } as JsonObject,
  }));

/** Names of lists of texts that a person may say for the same. */
const requestLists: ReadonlySet<string> = new Set(
  ['queries', 'prompts', 'questions', 'utterances', 'requests', 'phrases', 'userqueries'].concat([
    'userprompts',
    'testqueries',
    'testprompts',
    'samplequeries',
    'sampleprompts',
    'examples',
  ]),
);

export const isRequestList = (name: string): boolean => requestLists.has(plainName(name));

const kind = '(?:cases|tests|examples|prompts|queries|utterances|requests)?$';
const positive = new RegExp(
  `^(?:positives?|should(?:trigger|call|use|match|invoke|activate)|triggers?|match(?:es|ing)?)${kind}`,
);
const negative = new RegExp(
  `^(?:negatives?|should(?:not|nt)(?:trigger|call|use|match|invoke|activate)|(?:no|not|non)(?:triggers?|match(?:es|ing)?))${kind}`,
);

/**
 * The requests of a tool for which it should be called, and those for which it should not, in two
 * lists. Null if the record has neither.
 */
export function bothKinds(
  record: JsonObject,
): { requests: { value: JsonValue; isNegative: boolean }[]; rest: JsonObject } | null {
  const requests: { value: JsonValue; isNegative: boolean }[] = [];
  const rest: JsonObject = {};
  let isFound = false;
  for (const [name, list] of Object.entries(record)) {
    const isNegative = negative.test(plainName(name));
    const isList =
      Array.isArray(list) &&
      list.every((each) => typeof each === 'string' || isJsonObject(each)) &&
      (isNegative || positive.test(plainName(name)));
    if (!isList) rest[name] = list;
    else {
      isFound ||= list.length > 0;
      for (const value of list) requests.push({ value, isNegative });
    }
  }
  return isFound ? { requests, rest } : null;
}

const none =
  /^(?:negatives?|no(?:ne|tools?|call)|abst(?:ain|entions?)|irrelevan(?:t|ce)|should(?:no|nt)t?(?:trigger|call\w*))(?:cases|tests|evals|examples|prompts|queries)?$/;

/** Whether a list of this name has requests for which no tool should be called. */
export const isRequestsForNone = (name: string): boolean => none.test(plainName(name));

const conversations: ReadonlySet<string> = new Set([...turnLists, 'steps', 'interactions']);
export const isTurnList = (name: string): boolean => conversations.has(plainName(name));

/** What is said of a turn after others of which only the requests are known. */
export const turnsAlone =
  'Each of its turns is a case, after the requests of the turns before it. What the assistant said to them isn’t in the file.';

/**
 * The turns of a conversation whose entries say each what is asked and expected: every one after the
 * requests before it. Null for other lists, and for one turn alone.
 */
export function turnsOf(
  name: string,
  list: readonly JsonObject[],
): { value: JsonObject; changes: readonly Change[] }[] | null {
  if (list.length < 2 || !isTurnList(name)) return null;
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
          changes: [{ what: name, why: turnsAlone }],
        };
  });
}
