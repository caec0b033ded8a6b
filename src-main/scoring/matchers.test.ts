import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { Judge } from './judge.ts';
import { acceptsAbsence, findDifference, isIgnored, isMatcher } from './matchers.ts';
import { validateMatchers } from './validateMatchers.ts';

const judge: Judge = {
  validate: () => ({ outcome: 'conforms' }),
  cannotDecide: () => null,
  matchesRegex: (pattern, text) =>
    pattern === 'slow'
      ? { outcome: 'undecided', reason: 'too slow' }
      : new RegExp(pattern, 'u').test(text),
};
const matches = (expected: JsonValue, actual: JsonValue | undefined): boolean =>
  findDifference(expected, actual, judge) === null;

describe('findDifference', () => {
  it.each<[string, JsonValue, JsonValue | undefined, boolean]>([
    ['a literal string, normalised', 'Milk ', 'milk', true],
    ['text for a number', 5, '5', false],
    ['a literal that is absent', null, undefined, false],
    ['null that is present', null, null, true],
    ['$any: a value of the list', { $any: ['a', 2] }, 'A', true],
    ['$any: none of the list', { $any: ['a', 2] }, 'b', false],
    ['$any: a matcher of the list', { $any: ['a', { $gte: 3 }] }, 4, true],
    ['$any: absence in the list', { $any: ['a', { $absent: true }] }, undefined, true],
    ['$regex: unanchored', { $regex: 'b+' }, 'abbc', true],
    ['$regex: raw, not normalised', { $regex: '^a' }, 'A', false],
    ['$regex: no string', { $regex: '5' }, 5, false],
    ['$regex: no pattern', { $regex: 5 }, '5', false],
    ['$regex: absent', { $regex: '.*' }, undefined, false],
    ['$contains: a part of the text, normalised', { $contains: 'MILK' }, 'buy milk now', true],
    ['$contains: not a part', { $contains: 'bread' }, 'buy milk', false],
    ['$contains: an element', { $contains: 'Milk' }, ['bread', 'milk'], true],
    ['$contains: no element', { $contains: 'mil' }, ['bread', 'milk'], false],
    ['$contains: a matcher of an element', { $contains: { $gte: 5 } }, [1, 7], true],
    ['$contains: a number in a text', { $contains: 5 }, '5', false],
    ['$contains: an object', { $contains: 'a' }, { a: 1 }, false],
    ['$gte: the bound itself', { $gte: 3 }, 3, true],
    ['$gte: below', { $gte: 3 }, 2.9, false],
    ['$gte: text', { $gte: 3 }, '4', false],
    ['$gte: no number to compare with', { $gte: '3' }, 4, false],
    ['$lte: the bound itself', { $lte: 3 }, 3, true],
    ['$lte: above', { $lte: 3 }, 3.1, false],
    ['$gte and $lte: both hold', { $gte: 1, $lte: 3 }, 2, true],
    ['$gte and $lte: one fails', { $gte: 1, $lte: 3 }, 4, false],
    ['$absent: absent', { $absent: true }, undefined, true],
    ['$absent: null is present', { $absent: true }, null, false],
    ['$optional: absent', { $optional: 'x' }, undefined, true],
    ['$optional: equal', { $optional: 'x' }, 'X', true],
    ['$optional: other', { $optional: 'x' }, 'y', false],
    ['$optional: a matcher', { $optional: { $gte: 2 } }, 1, false],
    ['$ignore: anything', { $ignore: true }, { a: 1 }, true],
    ['$ignore: nothing', { $ignore: true }, undefined, true],
    ['$exact: the same text', { $exact: 'A' }, 'A', true],
    ['$exact: another case', { $exact: 'A' }, 'a', false],
    ['$exact: absent', { $exact: 'A' }, undefined, false],
    ['$eq: a literal object with $ keys', { $eq: { $any: 1 } }, { $any: 1 }, true],
    ['$eq: normalised', { $eq: 'A' }, 'a', true],
    ['$eq: other', { $eq: { $any: [1] } }, 1, false],
    ['several keys must all hold', { $regex: '^a', $contains: 'z' }, 'abc', false],
    ['an unknown key never matches', { $like: 'a' }, 'a', false],
    ['{} is a literal', {}, {}, true],
    ['{} is not anything', {}, { a: 1 }, false],
    ['mixed keys are a literal', { $any: [1], b: 2 }, { $any: [1], b: 2 }, true],
    ['a matcher inside an object', { a: { $gte: 1 } }, { a: 2 }, true],
    ['a matcher inside an array', [{ $any: [1, 2] }, 'x'], [2, 'X'], true],
    ['an array of another length', [1], [1, 1], false],
    ['an array for a value', [1], 1, false],
    ['an object for a value', { a: 1 }, 1, false],
    ['an optional member that is absent', { a: 1, b: { $optional: 2 } }, { a: 1 }, true],
    ['a member that has to be absent', { a: 1, b: { $absent: true } }, { a: 1, b: null }, false],
    ['an ignored member', { a: 1, b: { $ignore: true } }, { a: 1, b: [] }, true],
    ['a member too many', { a: 1 }, { a: 1, b: 2 }, false],
    ['a member too few', { a: 1, b: 2 }, { a: 1 }, false],
    ['depth', { a: [{ b: { c: { $contains: 'x' } } }] }, { a: [{ b: { c: 'axb' } }] }, true],
  ])('decides %s', (_title, expected, actual, verdict) => {
    expect(matches(expected, actual)).toBe(verdict);
  });

  it('names the place, the expected value and the actual value', () => {
    expect(findDifference({ a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }] }, judge)).toBe(
      'a: [1]: b: expected "x", got "y"',
    );
    expect(findDifference({ $gte: 3 }, 2, judge)).toBe('expected at least 3, got 2');
    expect(findDifference({ a: 1 }, { a: 1, b: 2 }, judge)).toBe('b: not expected, got 2');
  });

  it('T36: counts an undecided pattern as a difference and gives its reason', () => {
    expect(findDifference({ $regex: 'slow' }, 'x', judge)).toBe('too slow');
  });

  it('T36: rejects values nested deeper than 256 levels on either side', () => {
    let deep: JsonValue = 'x';
    for (let level = 0; level < 6000; level += 1) deep = [deep];
    expect(findDifference(deep, 'x', judge)).toContain('nested deeper than 256');
    expect(findDifference('x', deep, judge)).toContain('nested deeper than 256');
    expect(findDifference({ $ignore: true }, deep, judge)).toBeNull();
  });

  it('gives the same reason for any order of properties', () => {
    expect(findDifference({ a: 1, b: 2 }, { a: 0, b: 0 }, judge)).toBe(
      findDifference({ b: 2, a: 1 }, { b: 0, a: 0 }, judge),
    );
  });
});

describe('absence in matchers', () => {
  it('tells optional and ignored values from required ones', () => {
    const mayBeAbsent: JsonValue[] = [
      { $absent: true },
      { $optional: 1 },
      { $ignore: true },
      { $any: [1, { $absent: true }] },
    ];
    const mustBeThere: JsonValue[] = [
      1,
      'x',
      null,
      {},
      [],
      { a: { $absent: true } },
      { $any: [1] },
      { $gte: 1 },
      { $absent: true, $gte: 1 },
    ];
    expect(mayBeAbsent.filter((each) => !acceptsAbsence(each))).toEqual([]);
    expect(mustBeThere.filter((each) => acceptsAbsence(each))).toEqual([]);
    const anything: JsonValue[] = [{ $ignore: true }, { $ignore: true, $gte: 1 }, 1];
    expect(anything.map((each) => isIgnored(each))).toEqual([true, false, false]);
    const literals: JsonValue[] = [{}, [], null, 'x', { $a: 1, b: 1 }];
    expect(literals.filter((each) => isMatcher(each))).toEqual([]);
    expect(isMatcher({ $a: 1 })).toBe(true);
  });
});

describe('validateMatchers', () => {
  const schema: JsonObject = {
    properties: {
      id: { type: 'string' },
      filter: { $ref: '#/$defs/filter' },
      rows: { type: 'array', items: { $ref: '#/$defs/filter' } },
    },
    required: ['id'],
    $defs: { filter: { properties: { name: {} }, required: ['name'] } },
  };

  it.each<[string, JsonObject, string, RegExp]>([
    [
      'an unknown key',
      { a: { $like: 1 } },
      '/a/$like',
      /\$like isn't a matcher\. Known matchers are \$any, /,
    ],
    [
      'an unknown key beside a known one',
      { a: [{ $gte: 1, $lt: 2 }] },
      '/a/0/$lt',
      /\$lt isn't a matcher/,
    ],
    ['a key with a slash', { 'a/b~c': { $x: 1 } }, '/a~1b~0c/$x', /isn't a matcher/],
    [
      'a pattern that does not compile',
      { a: { $regex: '(' } },
      '/a/$regex',
      /valid ECMAScript pattern/,
    ],
    ['a pattern that is no text', { a: { $regex: 1 } }, '/a/$regex', /needs a pattern as a string/],
    ['an empty choice', { a: { $any: [] } }, '/a/$any', /at least one value/],
    ['a choice that is no list', { a: { $any: 'x' } }, '/a/$any', /at least one value/],
    ['a bound that is no number', { a: { $gte: '1' } }, '/a/$gte', /needs a number/],
    [
      'bounds that exclude each other',
      { a: { $gte: 3, $lte: 2 } },
      '/a',
      /No number is at least 3 and at most 2/,
    ],
    ['$absent: false', { a: { $absent: false } }, '/a/$absent', /takes only true/],
    ['$ignore with a value', { a: { $ignore: 'x' } }, '/a/$ignore', /takes only true/],
    [
      '$absent on a required name',
      { id: { $absent: true } },
      '/id/$absent',
      /the schema requires can never hold/,
    ],
    [
      '$absent on a name required deeper, through a reference',
      { filter: { name: { $absent: true } } },
      '/filter/name/$absent',
      /can never hold/,
    ],
    [
      '$absent on a name required in a list',
      { rows: [{ name: { $absent: true } }] },
      '/rows/0/name/$absent',
      /can never hold/,
    ],
    [
      '$absent as an element',
      { a: [{ $absent: true }] },
      '/a/0/$absent',
      /can't be used in a list/,
    ],
    [
      'a fault inside a choice',
      { a: { $any: [{ $nope: 1 }] } },
      '/a/$any/0/$nope',
      /isn't a matcher/,
    ],
    [
      'a fault inside $optional',
      { a: { $optional: { $regex: '[' } } },
      '/a/$optional/$regex',
      /isn't a valid/,
    ],
    [
      'a fault inside $contains',
      { a: { $contains: { $nope: 1 } } },
      '/a/$contains/$nope',
      /isn't a matcher/,
    ],
  ])('rejects %s', (_title, parameters, path, message) => {
    const problems = validateMatchers(parameters, schema);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path).toBe(path);
    expect(problems[0]?.message).toMatch(message);
  });

  it('accepts valid matchers', () => {
    const parameters: JsonObject = {
      id: { $any: ['a', { $regex: '^x', $contains: 'y' }] },
      filter: { name: 'x', other: { $absent: true } },
      note: { $optional: { $gte: 1, $lte: 1 } },
      raw: { $eq: { $like: 1 } },
      exact: { $exact: { $like: 1 } },
      due: { $absent: true },
      rest: { $ignore: true },
      choice: { $any: [1, { $absent: true }] },
      list: { $contains: 'x' },
    };
    expect(validateMatchers(parameters, schema)).toEqual([]);
    expect(validateMatchers({ id: { $absent: true } }, null)).toEqual([]);
  });

  it('T36: rejects expectations nested deeper than 256 levels and reads deep schemas', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 6000; level += 1) deep = { a: deep };
    expect(validateMatchers(deep, null)[0]?.message).toMatch(/nested deeper than 256/);
    expect(validateMatchers({ a: 1 }, deep)).toEqual([]);
  });
});
