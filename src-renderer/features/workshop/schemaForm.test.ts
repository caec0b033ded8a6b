import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import {
  givenType,
  keptKeywords,
  limitsOf,
  limitsSchema,
  limitsText,
  readProperties,
  typeOf,
  withLimits,
  withType,
  writeProperties,
} from './schemaForm.ts';

const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  description: 'All of it.',
  type: 'object',
  required: ['query', 'undescribed'],
  properties: {
    query: { type: 'string', description: 'What to find.', minLength: 1, 'x-own': { a: [1] } },
    limit: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
    either: { type: ['string', 'null'] },
    anything: true,
    place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    stops: { type: 'array', items: { type: 'object', properties: {} }, minItems: 1 },
    pair: { type: 'array', items: [{ type: 'string' }] },
  },
  allOf: [{ required: ['query'] }],
};

describe('the form of a schema', () => {
  it('writes what it read without a change, whatever the schema holds', () => {
    const properties = readProperties(schema) ?? [];
    expect(JSON.stringify(writeProperties(schema, properties))).toBe(JSON.stringify(schema));
    for (const { rules } of properties)
      if (typeof rules === 'object' && rules !== null && !Array.isArray(rules))
        expect(JSON.stringify(withLimits(rules, limitsOf(rules)))).toBe(JSON.stringify(rules));
  });

  it('names the keywords that it keeps without showing them', () => {
    expect(keptKeywords(schema)).toEqual(['description', 'allOf']);
    expect(keptKeywords({ type: 'string' })).toBeNull();
    expect(keptKeywords({ type: 'object', properties: [] })).toBeNull();
  });

  it('keeps what it has no input for in the form of limits', () => {
    const rules = schema['properties'] as Record<string, JsonObject>;
    expect(limitsOf(rules['query'] ?? {})).toEqual({ minLength: 1, 'x-own': { a: [1] } });
    expect([typeOf(rules['either'] ?? {}), limitsOf(rules['either'] ?? {})]).toEqual([
      null,
      { type: ['string', 'null'] },
    ]);
    expect(limitsOf(rules['pair'] ?? {})).toEqual({ items: [{ type: 'string' }] });
    expect(limitsOf(rules['stops'] ?? {})).toEqual({ minItems: 1 });
    expect(limitsOf(rules['place'] ?? {})).toEqual({});
  });

  it('removes required with its last name, and adds it with the first', () => {
    const one = writeProperties({ type: 'object' }, [{ name: 'a', required: true, rules: {} }]);
    expect(one).toEqual({ type: 'object', properties: { a: {} }, required: ['a'] });
    expect(writeProperties(one, [{ name: 'a', required: false, rules: {} }])).toEqual({
      type: 'object',
      properties: { a: {} },
    });
  });

  it('drops limits that another type can not have, and keeps the rest', () => {
    expect(
      withType({ type: 'integer', description: 'x', minimum: 1, default: 2, 'x-own': 1 }, 'string'),
    ).toEqual({ type: 'string', description: 'x', 'x-own': 1 });
    expect(withType({ type: 'integer', minimum: 1 }, 'number')).toEqual({
      type: 'number',
      minimum: 1,
    });
  });

  it('offers the values of an enum as defaults, and sums up the limits', () => {
    const rules = { type: 'string', enum: ['low', 'high'], default: 'low' };
    expect(limitsSchema(rules)['properties']).toMatchObject({
      default: { enum: ['low', 'high'] },
    });
    expect(limitsText(rules)).toBe('Default: "low". One of low, high.');
    expect(limitsText({ type: 'integer', minimum: 1, maximum: 5 })).toBe('1–5.');
    expect(limitsText({ type: 'boolean' })).toBeNull();
  });
});

it('shows a type that the form does not know as the schema has it', () => {
  expect(givenType({ type: ['string', 'null'] })).toBe('string or null');
  expect(givenType({ type: 'strng' })).toBe('strng');
  expect(givenType({})).toBe('any');
  expect(givenType({ type: [] })).toBe('[]');
});
