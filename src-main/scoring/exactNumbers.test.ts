import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src-shared/domain/exactNumber.ts';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { AjvJudge } from './ajvJudge.ts';
import { isAcceptable } from './bfcl.ts';
import { describe as inWords } from './describe.ts';
import { findDifference } from './matchers.ts';
import { equalValues } from './normalise.ts';
import { checkSchema, checkValue } from './schemaCheck.ts';
import { validateMatchers } from './validateMatchers.ts';

const judge = new AjvJudge();
const object = (text: string) => parseJson(text) as JsonObject;
const conforms = (property: string, value: string) =>
  judge.validate(object(`{"properties":{"a":${property}}}`), object(`{"a":${value}}`)).outcome ===
  'conforms';

const big = '123456789012345678';
const next = '123456789012345679';

describe('conformance with numbers of any size', () => {
  it.each<[property: string, fits: string[], fails: string[]]>([
    ['{"multipleOf":0.01}', ['19.99', '0', '-0.07', '1e3'], ['19.995', '0.001']],
    [`{"multipleOf":${big}}`, [big, '246913578024691356'], [next]],
    [`{"maximum":${big}}`, [big, '5', '-1e400'], [next, '1e400', '123456789012345678.1']],
    [`{"minimum":${next}}`, [next, '1e400'], [big, '0']],
    [`{"exclusiveMaximum":${next}}`, [big], [next]],
    [`{"exclusiveMinimum":0.1}`, ['0.1000000000000000055511151231257827'], ['0.1', '0.10']],
    [`{"const":${big}}`, [big, `${big}.0`], [next]],
    [`{"enum":[${big},"x",[${next}]]}`, [big, `[${next}]`], [next, `[${big}]`, `"${big}"`]],
    ['{"type":"integer"}', [big, '1e400'], ['123456789012345678.5', '1.00000000000000000001']],
    ['{"type":"number"}', [big, '1.00000000000000000001'], [`"${big}"`]],
    ['{"type":"string"}', [], [big]],
    ['{"uniqueItems":true}', [`[${big},${next}]`], [`[${big},${big}.0]`, '[1,1.0]']],
    [`{"items":{"properties":{"b":{"maximum":${big}}}}}`, [`[{"b":${big}}]`], [`[{"b":${next}}]`]],
  ])('judges %s', (property, fits, fails) => {
    for (const value of fits) expect([value, conforms(property, value)]).toEqual([value, true]);
    for (const value of fails) expect([value, conforms(property, value)]).toEqual([value, false]);
  });

  it('names limits and values with all digits', () => {
    const found = judge.validate(
      object(`{"properties":{"a":{"maximum":${big}}}}`),
      object(`{"a":${next}}`),
    );
    expect(found).toMatchObject({ outcome: 'violates', reason: `/a must be <= ${big}`, name: 'a' });
    expect(
      checkSchema(object(`{"properties":{"a":{"maximum":${big},"multipleOf":1e-400}}}`)),
    ).toEqual([]);
    expect(checkValue(object(`{"enum":[${big}]}`), object('{}'), 'It')[0]?.message).toContain(big);
  });
});

describe('comparison of numbers of any size', () => {
  const value = (text: string) => object(`{"a":${text}}`)['a'] ?? null;
  const matches = (expected: string, actual: string) =>
    findDifference(value(expected), value(actual), judge) === null;

  it('is by decimal value', () => {
    expect(matches(big, next)).toBe(false);
    expect(matches(big, '1.23456789012345678e17')).toBe(true);
    expect(matches('1', '1.0')).toBe(true);
    expect(matches('1', '1e0')).toBe(true);
    expect(matches('0.3', '0.30000000000000004')).toBe(false);
    expect(matches('0.1', '0.1000000000000000055511151231257827')).toBe(false);
    expect(equalValues(value(`{"b":[${big}]}`), value(`{"b":[${big}]}`))).toBe(true);
    expect(isAcceptable([value(big)], value(next))).toBe(false);
    expect(isAcceptable([value(big)], value(big))).toBe(true);
    expect(matches(`{"$gte":${next}}`, big)).toBe(false);
    expect(matches(`{"$lte":${big}}`, big)).toBe(true);
    expect(matches(`{"$any":[1,${big}]}`, next)).toBe(false);
  });

  it('is explained with all digits', () => {
    expect(findDifference(value(big), value(next), judge)).toBe(`expected ${big}, got ${next}`);
    expect(findDifference(value(`{"$gte":${next}}`), value(big), judge)).toBe(
      `expected at least ${next}, got ${big}`,
    );
    expect(inWords(value(`[${big}]`))).toBe(`[${big}]`);
    expect(validateMatchers(object(`{"a":{"$gte":${next},"$lte":${big}}}`), null)).toEqual([
      { path: '/a', message: `No number is at least ${next} and at most ${big}.` },
    ]);
  });
});
