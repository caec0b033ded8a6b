import { describe, expect, it } from 'vitest';
import { readJsonParts } from './jsonParts.ts';

const small = { minLength: 10, partLength: 12 };

/** The document that the parts make together. */
function join(text: string): unknown {
  const long = readJsonParts(text, small);
  if (long === undefined) return undefined;
  const documents = [...long.parts()];
  const listOf = (document: unknown): unknown[] => {
    let value = document as Record<string, unknown>;
    for (const name of long.path) value = value[name] as Record<string, unknown>;
    return value as unknown as unknown[];
  };
  let count = 0;
  for (const part of documents) {
    expect(part.from).toBe(count);
    expect(listOf(part.document)).toHaveLength(part.count);
    count += part.count;
  }
  expect(documents.length).toBeGreaterThan(1);
  const all = documents.flatMap(({ document }) => listOf(document));
  const whole = structuredClone(documents[0]?.document);
  if (long.path.length === 0) return all;
  listOf(whole).splice(0, Infinity, ...all);
  return whole;
}

const entry = '{"q": "a, ]\\" b", "t": ["x", [1]], "n": {"m": []}}';
const many = Array.from({ length: 9 }, () => entry).join(',\n');

it.each([
  ['a list', `[${many}]`],
  ['a list after space', ` \n[ ${many} ]\n`],
  ['a list in an object', `{"v": 1, "cases": [${many}], "after": {"k": [1, 2]}}`],
  ['a list in objects', `{"a": {"b b": {"\\"c": [${many}]}}, "d": 1}`],
  ['entries of all kinds', `[${many}, null, "x", [[1]], {}]`],
])('reads %s as the whole text is read', (_, text) => {
  expect(join(text)).toEqual(JSON.parse(text));
});

it('keeps every digit of a number', () => {
  expect(JSON.stringify(join(`[${many}, 12345678901234567890123]`))).toContain(
    '12345678901234567890123',
  );
});

describe('leaves a text to who reads all of it', () => {
  it.each([
    ['a comma without an entry', `[${many},]`],
    ['two commas', `[${many},,${many}]`],
    ['a comma first', `[,${many}]`],
    ['another bracket', `[${many}}`],
    ['no end', `[${many}`],
    ['a text without its end', `[${many}, "x]`],
    ['something behind its end', `[${many}] x`],
    ['a name twice in an entry', `[${many}, {"a": 1, "a": 2}]`],
    ['the list twice', `{"cases": [${many}], "cases": [1]}`],
    ['half a character', `[${many}, "\\ud800"]`],
    ['a name that is not allowed', `[${many}, {"__proto__": 1}]`],
    ['depth', `[${many}, ${'['.repeat(300)}${']'.repeat(300)}]`],
    ['two long lists', `{"a": [${many}], "b": [${many}]}`],
    ['a list in a list', `[[${many}]]`],
    ['no list', `{"a": {"q": "${'x'.repeat(200)}"}}`],
    ['YAML', `cases: [${many}]`],
  ])('with %s', (_, text) => {
    expect(readJsonParts(text, small)).toBeUndefined();
  });
});

it.each(['[', '{"a":', '"', '\\"', '[,', ']', '{"a":[1,'])(
  'refuses megabytes of %s in linear time',
  (part) => {
    const began = process.cpuUsage().user;
    expect(readJsonParts(`[${part.repeat(6_000_000 / part.length)}`)).toBeUndefined();
    expect(process.cpuUsage().user - began).toBeLessThan(5_000_000);
  },
);
