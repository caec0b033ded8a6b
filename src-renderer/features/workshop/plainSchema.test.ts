import { describe, expect, it } from 'vitest';
import { readPlainSchema, writePlainSchema } from './plainSchema.ts';

const schema = {
  type: 'object',
  properties: { text: { type: 'string', description: 'What.' }, count: { type: 'integer' } },
  required: ['text'],
  additionalProperties: false,
};

describe('plainSchema', () => {
  it('keeps an unchanged schema byte for byte', () => {
    const text = JSON.stringify(schema, null, 2);
    expect(writePlainSchema(text, readPlainSchema(text)!)).toBe(text);
  });

  it.each([
    ['a limit', { ...schema, properties: { text: { type: 'string', minLength: 1 } } }],
    ['a nested object', { ...schema, properties: { a: { type: 'object' } } }],
    ['several types', { ...schema, properties: { a: { type: ['string', 'null'] } } }],
    ['a combination', { ...schema, anyOf: [] }],
    ['a schema for further names', { ...schema, additionalProperties: { type: 'string' } }],
    ['another root', { type: 'array' }],
  ])('leaves %s to the JSON editor', (_what, given) => {
    expect(readPlainSchema(JSON.stringify(given))).toBeNull();
  });

  it('is null for incomplete JSON', () => {
    expect(readPlainSchema('{"type":')).toBeNull();
  });
});
