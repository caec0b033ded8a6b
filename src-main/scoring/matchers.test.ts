import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import type { Judge } from './judge.ts';
import fc from 'fast-check';
import { acceptsAbsence, findDifference, isIgnored, isMatcher } from './matchers.ts';
import { memberSchema } from './schemaPlace.ts';
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
    ['$partial: a member too many', { $partial: { a: 1 } }, { a: 1, b: 2 }, true],
    ['$partial: another value', { $partial: { a: 1 } }, { a: 2, b: 2 }, false],
    ['$partial: a member too few', { $partial: { a: 1, b: 2 } }, { a: 1 }, false],
    ['$partial: any object', { $partial: {} }, { a: 1 }, true],
    ['$partial: no object', { $partial: {} }, [1], false],
    ['$partial: absent', { $partial: {} }, undefined, false],
    ['$partial: objects inside', { $partial: { a: { b: 1 } } }, { a: { b: 1, c: 2 }, d: 3 }, true],
    ['$partial: objects in lists', { $partial: { a: [{ b: 1 }] } }, { a: [{ b: 1, c: 2 }] }, true],
    ['$partial: lists keep length', { $partial: { a: [1] } }, { a: [1, 2] }, false],
    [
      '$partial: $eq compares all',
      { $partial: { a: { $eq: { b: 1 } } } },
      { a: { b: 1, c: 2 } },
      false,
    ],
    ['$partial: matchers inside', { $partial: { a: { $gte: 2 } } }, { a: 2, b: 1 }, true],
    ['$partial: absence inside', { $partial: { a: { $absent: true } } }, { b: 1 }, true],
    ['$partial: absence broken', { $partial: { a: { $absent: true } } }, { a: 1 }, false],
    ['$partial of a choice', { $partial: { $any: [{ a: 1 }, { b: 1 }] } }, { b: 1, c: 1 }, true],
    [
      '$any of $partial',
      { $any: [{ $partial: { a: 1 } }, { $partial: { b: 1 } }] },
      { b: 1, c: 1 },
      true,
    ],
    [
      '$contains of $partial',
      { $contains: { $partial: { a: 1 } } },
      [{ b: 1 }, { a: 1, b: 1 }],
      true,
    ],
    [
      '$partial ends where it ends',
      [{ $partial: { a: 1 } }, { a: 1 }],
      [
        { a: 1, b: 1 },
        { a: 1, b: 1 },
      ],
      false,
    ],
    ['$unordered: another order', { $unordered: ['a', 'b'] }, ['B', 'a'], true],
    ['$unordered: how often', { $unordered: ['a', 'a', 'b'] }, ['a', 'b', 'b'], false],
    ['$unordered: an element too many', { $unordered: ['a'] }, ['a', 'a'], false],
    ['$unordered: empty', { $unordered: [] }, [], true],
    ['$unordered: no list', { $unordered: ['a'] }, 'a', false],
    ['$unordered: absent', { $unordered: [] }, undefined, false],
    ['$unordered: matchers', { $unordered: [{ $gte: 2 }, { $gte: 1 }] }, [1, 2], true],
    [
      '$unordered: a matcher takes what another needs',
      { $unordered: [{ $gte: 1 }, 3, 1] },
      [3, 1, 2],
      true,
    ],
    [
      '$unordered: a chain of matchers',
      { $unordered: [{ $gte: 1 }, { $lte: 2 }, { $lte: 1 }] },
      [1, 2, 3],
      true,
    ],
    ['$unordered: no pairing', { $unordered: [{ $lte: 1 }, { $lte: 1 }] }, [1, 2], false],
    ['$unordered: letters that count', { $unordered: ['a', { $exact: 'A' }] }, ['A', 'a'], true],
    [
      '$unordered in $unordered',
      { $unordered: [{ $unordered: [1, 2] }, [3, 4]] },
      [
        [3, 4],
        [2, 1],
      ],
      true,
    ],
    ['$unordered: lists inside keep order', { $unordered: [[1, 2]] }, [[2, 1]], false],
    [
      '$unordered of $partial',
      { $unordered: [{ $partial: { a: 1 } }, { b: 1 }] },
      [{ b: 1 }, { a: 1, c: 1 }],
      true,
    ],
    [
      '$partial of $unordered',
      { $partial: { l: { $unordered: [{ a: 1 }] } } },
      { l: [{ a: 1, b: 2 }] },
      true,
    ],
    [
      '$partial of $unordered: an object takes what another needs',
      { $partial: { l: { $unordered: [{ a: 1 }, { a: 1, b: 2 }] } } },
      {
        l: [
          { a: 1, b: 2 },
          { a: 1, b: 3 },
        ],
      },
      true,
    ],
    ['$optional of $unordered', { $optional: { $unordered: [1, 2] } }, [2, 1], true],
    ['$unordered and $contains', { $unordered: [1, 2], $contains: 3 }, [2, 1], false],
    ['$default: absent', { $default: true }, undefined, true],
    ['$default: present, and no schema is known', { $default: true }, 1, false],
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

describe('$default', () => {
  const root: JsonObject = {
    properties: {
      unit: { type: 'string', default: 'metric' },
      limit: { $ref: '#/$defs/limit' },
      own: { $ref: '#/$defs/limit', default: 5 },
      both: { allOf: [{ type: 'integer' }, { default: 7 }] },
      either: { anyOf: [{ type: 'integer', default: 1 }, { type: 'null' }] },
      none: { type: 'string' },
      nothing: { default: null },
      list: { default: ['a', 'b'] },
      options: { properties: { unit: { default: 'k' }, limit: { $ref: '#/$defs/limit' } } },
      rows: { type: 'array', items: { properties: { n: { default: 1 } } } },
      pair: {
        prefixItems: [{ properties: { n: { default: 1 } } }],
        items: { properties: { n: { default: 2 } } },
      },
      tuple: {
        items: [{ properties: { n: { default: 1 } } }],
        additionalItems: { properties: { n: { default: 2 } } },
      },
      loop: { $ref: '#/properties/loop' },
    },
    $defs: { limit: { type: 'integer', default: 10 } },
  };
  const found = (name: string, expected: JsonValue, actual: JsonValue | undefined) =>
    findDifference(expected, actual, judge, memberSchema({ schema: root, root }, name));
  const d: JsonObject = { $default: true };

  it.each<[string, string, JsonValue, JsonValue | undefined, boolean]>([
    ['the default', 'unit', d, 'Metric', true],
    ['nothing', 'unit', d, undefined, true],
    ['another value', 'unit', d, 'imperial', false],
    ['null, which is present', 'unit', d, null, false],
    ['the default of a definition', 'limit', d, 10, true],
    ['its own default before that of a definition', 'own', d, 5, true],
    ['not that of the definition then', 'own', d, 10, false],
    ['the default in allOf', 'both', d, 7, true],
    ['no default of a branch', 'either', d, 1, false],
    ['only absence without a default', 'none', d, 'x', false],
    ['null as the default', 'nothing', d, null, true],
    ['a list as the default', 'list', d, ['a', 'b'], true],
    ['a list in another order', 'list', d, ['b', 'a'], false],
    ['only absence of a name without schema', 'unknown', d, 1, false],
    ['a reference to itself', 'loop', d, 1, false],
    ['a member', 'options', { unit: d, limit: d }, { unit: 'k', limit: 10 }, true],
    ['absent members', 'options', { unit: d, limit: d }, {}, true],
    ['a member of $partial', 'options', { $partial: { unit: d } }, { unit: 'k', other: 1 }, true],
    ['a wrong member', 'options', { unit: d }, { unit: 'c' }, false],
    ['elements', 'rows', [{ n: d }], [{ n: 1 }], true],
    ['elements of $unordered', 'rows', { $unordered: [{ n: d }, { n: 3 }] }, [{ n: 3 }, {}], true],
    ['an element for $contains', 'rows', { $contains: { n: d } }, [{ n: 3 }, { n: 1 }], true],
    ['elements by position', 'pair', [{ n: d }, { n: d }], [{ n: 1 }, { n: 2 }], true],
    [
      'elements by position in older drafts',
      'tuple',
      [{ n: d }, { n: d }],
      [{ n: 1 }, { n: 2 }],
      true,
    ],
    ['a choice', 'unit', { $any: [d, 'imperial'] }, 'imperial', true],
    ['a choice with the default', 'unit', { $any: [d, 'imperial'] }, 'metric', true],
  ])('accepts or refuses %s', (_title, name, expected, actual, verdict) => {
    expect(found(name, expected, actual) === null).toBe(verdict);
  });

  it('says which default it knows', () => {
    expect(found('unit', d, 'x')).toBe('expected nothing or the default "metric", got "x"');
    expect(found('none', d, 'x')).toBe(
      'expected to be absent, because the schema has no default, got "x"',
    );
  });
});

describe('$unordered', () => {
  it('names an element without a partner and the one that is left over', () => {
    expect(findDifference({ $unordered: ['a', 'b'] }, ['c', 'a'], judge)).toBe(
      'no element is left for "b", and "c" is left over',
    );
  });

  it('accepts any order of what a plain list accepts, and nothing of another content', () => {
    const item = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'A', 'b'));
    const lists = fc
      .array(item, { maxLength: 8 })
      .chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
      );
    fc.assert(
      fc.property(lists, item, ([list, shuffled], other) => {
        expect(matches({ $unordered: list }, shuffled)).toBe(true);
        const counts = (values: JsonValue[]) =>
          JSON.stringify(values.map((each) => JSON.stringify(each).toLowerCase()).sort());
        const changed = [other, ...shuffled.slice(1)];
        if (list.length > 0)
          expect(matches({ $unordered: list }, changed)).toBe(counts(changed) === counts(list));
      }),
    );
  });

  it('pairs 300 elements with 300 matchers', () => {
    const bounds = Array.from({ length: 300 }, (_, at) => ({ $gte: at }));
    const values = Array.from({ length: 300 }, (_, at) => at);
    expect(matches({ $unordered: bounds }, values)).toBe(true);
    expect(matches({ $unordered: bounds }, [...values.slice(1), 0.5])).toBe(true);
    expect(matches({ $unordered: bounds }, [...values.slice(0, -1), 298])).toBe(false);
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
    ['$partial of a value', { a: { $partial: 1 } }, '/a/$partial', /needs an object/],
    ['$partial of a list', { a: { $partial: [{}] } }, '/a/$partial', /needs an object/],
    ['$unordered of a value', { a: { $unordered: 'x' } }, '/a/$unordered', /needs a list/],
    ['$default with a value', { a: { $default: 'x' } }, '/a/$default', /takes only true/],
    [
      '$default as an element',
      { a: { $unordered: [{ $default: true }] } },
      '/a/$unordered/0/$default',
      /can't be used in a list/,
    ],
    [
      '$absent on a required member of $partial',
      { filter: { $partial: { name: { $absent: true } } } },
      '/filter/$partial/name/$absent',
      /can never hold/,
    ],
    [
      'a fault inside $partial',
      { a: { $partial: { b: { $nope: 1 } } } },
      '/a/$partial/b/$nope',
      /isn't a matcher/,
    ],
    [
      'a fault inside $unordered',
      { rows: { $unordered: [{ name: { $absent: true } }] } },
      '/rows/$unordered/0/name/$absent',
      /can never hold/,
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
    expect(validateMatchers({ id: { $default: true } }, null)).toEqual([]);
    expect(validateMatchers({ a: { $partial: { b: { $default: true } } } }, 'none')).toEqual([
      {
        path: '/a/$partial/b/$default',
        message: '$default needs an argument of a tool: nothing else has a default.',
      },
    ]);
  });

  it('T36: rejects expectations nested deeper than 256 levels and reads deep schemas', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 6000; level += 1) deep = { a: deep };
    expect(validateMatchers(deep, null)[0]?.message).toMatch(/nested deeper than 256/);
    expect(validateMatchers({ a: 1 }, deep)).toEqual([]);
  });
});
