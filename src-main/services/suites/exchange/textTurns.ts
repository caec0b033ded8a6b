import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { plainName } from './fieldNames.ts';
import { fieldNames, turnLists, wrappers } from './fieldNameTable.ts';
import { fieldOfWords } from './namePatterns.ts';
import type { Change } from './suiteDraft.ts';

/** Where programs keep what a user says in turn, as texts alone. */
const turnNames: ReadonlySet<string> = new Set([
  ...turnLists,
  'inputs',
  'userinputs',
  'userturns',
  'usermessages',
  'messages',
]);
const expecting: ReadonlySet<string> = new Set([
  ...wrappers.expecting,
  ...fieldNames.tool,
  ...fieldNames.expected_calls,
]);

const isTexts = (value: JsonValue | undefined): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each === 'string' && each.trim() !== '');

/** Whether a value says something of each of several turns, and isn't one list for all of them. */
const isPerTurn = (value: JsonValue, count: number): value is JsonValue[] =>
  count > 1 && Array.isArray(value) && value.length === count;

/** `check_turn: last`: what is expected is expected of the last turn. */
const isForLast = ([name, value]: [string, JsonValue]): boolean =>
  /^(?:check|judge|eval|score|assert|target)\w*turns?$/.test(plainName(name)) &&
  (value === 'last' || value === 'final' || value === -1);

/**
 * A record whose turns are texts of the user, such as `{turns: ["Hi", "Is it there?"], expected:
 * ["find_book"]}`. Where the list of what is expected is as long, each turn is a case; else the last
 * turn is what is asked. Null for other records.
 */
export function withTextTurns(
  record: JsonObject,
): { value: JsonObject; changes: Change[] }[] | null {
  const found = Object.entries(record).find(
    ([name, value]) => turnNames.has(plainName(name)) && isTexts(value),
  );
  if (found === undefined) return null;
  const [name, turns] = found as [string, string[]];
  const { [name]: _taken, ...others } = record;
  const rest = Object.fromEntries(Object.entries(others).filter((each) => !isForLast(each)));
  const before = (at: number): JsonObject =>
    at === 0 ? {} : { messages: turns.slice(0, at).map((content) => ({ role: 'user', content })) };
  const isSaid = Object.keys(rest).length < Object.keys(others).length;
  const lists = Object.entries(isSaid ? {} : rest).filter(
    ([each, value]) =>
      isPerTurn(value, turns.length) &&
      (expecting.has(plainName(each)) || fieldOfWords(each) === 'expected_calls'),
  ) as [string, JsonValue[]][];
  if (lists.length === 0) {
    const last = turns.length - 1;
    return [
      {
        value: { ...rest, query: turns[last] ?? '', ...before(last) },
        changes: [
          {
            what: name,
            why: 'Its texts are read as turns of the user. The last one is what is asked, and all that is expected is expected of it. What the assistant said to the others isn’t in the file.',
          },
        ],
      },
    ];
  }
  return turns.map((query, at) => ({
    value: {
      ...rest,
      ...Object.fromEntries(lists.map(([each, list]) => [each, list[at] ?? []])),
      query,
      ...before(at),
    },
    changes: [
      {
        what: name,
        why: 'Each of its texts is a case, after the texts before it: the list of what is expected has one entry for each. What the assistant said to them isn’t in the file.',
      },
    ],
  }));
}
