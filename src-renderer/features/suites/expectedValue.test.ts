import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import {
  between,
  boundsOf,
  matcherOf,
  matchersFor,
  operandsOf,
  withMatcher,
} from './expectedValue.ts';

describe('the matcher of an expected value', () => {
  it.each<[JsonValue | undefined, string]>([
    [undefined, 'schema'],
    ['milk', 'equals'],
    [{ street: 'Elm' }, 'equals'],
    [{}, 'equals'],
    [{ $any: ['low', 'high'] }, 'any'],
    [{ $any: [{ $gte: 1 }] }, 'json'],
    [{ $contains: 'milk' }, 'contains'],
    [{ $regex: '^2026' }, 'pattern'],
    [{ $gte: 1 }, 'between'],
    [{ $gte: 1, $lte: 3 }, 'between'],
    [{ $gte: 1, $contains: 'x' }, 'json'],
    [{ $optional: 20 }, 'optional'],
    [{ $optional: { $any: [1] } }, 'json'],
    [{ $partial: { city: 'Paris' } }, 'partial'],
    [{ $partial: 'Paris' }, 'json'],
    [{ $unordered: ['a', 'b'] }, 'unordered'],
    [{ $default: true }, 'default'],
    [{ $absent: true }, 'absent'],
    [{ $ignore: true }, 'ignore'],
    [{ $eq: { $ref: 'x' } }, 'json'],
  ])('of %j is %s', (value, kind) => {
    expect(matcherOf(value)).toBe(kind);
  });

  it('keeps an entered value when another matcher is chosen', () => {
    expect(withMatcher('milk', 'any', '')).toEqual({ $any: ['milk'] });
    expect(withMatcher({ $any: ['milk', 'bread'] }, 'equals', '')).toBe('milk');
    expect(withMatcher('milk', 'contains', '')).toEqual({ $contains: 'milk' });
    expect(withMatcher(4, 'between', 0)).toEqual({ $gte: 4, $lte: 4 });
    expect(withMatcher({ $gte: 1, $lte: 3 }, 'any', 0)).toEqual({ $any: [1, 3] });
    expect(withMatcher('milk', 'schema', '')).toBeUndefined();
    expect(withMatcher({ a: 1 }, 'partial', null)).toEqual({ $partial: { a: 1 } });
    expect(withMatcher(['b', 'a'], 'unordered', [])).toEqual({ $unordered: ['b', 'a'] });
    expect(withMatcher({ $unordered: ['b'] }, 'equals', [])).toEqual(['b']);
    expect(withMatcher('milk', 'default', '')).toEqual({ $default: true });
  });

  it('starts from the example where nothing was entered', () => {
    expect(withMatcher(undefined, 'equals', 'low')).toBe('low');
    expect(withMatcher({ $absent: true }, 'optional', 3)).toEqual({ $optional: 3 });
    expect(withMatcher(undefined, 'any', '')).toEqual({ $any: [] });
  });

  it('leaves out an open bound', () => {
    expect(between(1, null)).toEqual({ $gte: 1 });
    expect(between(null, null)).toBeUndefined();
    expect(boundsOf({ $lte: 5 })).toEqual({ low: null, high: 5 });
  });

  it('offers number matchers for numbers only, and patterns for text only', () => {
    expect(matchersFor('integer')).toContain('between');
    expect(matchersFor('text')).not.toContain('between');
    expect(matchersFor('boolean')).toEqual([
      ...['schema', 'equals', 'optional', 'default', 'absent', 'ignore'],
    ]);
    expect(matchersFor('texts')).toContain('unordered');
    expect(matchersFor('json')).toEqual(expect.arrayContaining(['partial', 'unordered']));
  });

  it('lists the values of a matcher', () => {
    expect(operandsOf({ $any: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(operandsOf({ $ignore: true })).toEqual([]);
    expect(operandsOf(undefined)).toEqual([]);
  });
});
