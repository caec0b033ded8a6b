import { describe, expect, it } from 'vitest';
import { schemaExample } from './schemaExample.ts';

describe('schemaExample', () => {
  it('drafts exactly the required names, each with the best value that the schema gives', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1 },
        kind: { enum: ['a', 'b'] },
        note: { type: 'string' },
        when: { type: ['string', 'null'], default: 'today' },
        list: { type: 'array' },
      },
      required: ['id', 'kind', 'when', 'list', 'unknown'],
    };
    expect(schemaExample(schema)).toEqual({
      id: 1,
      kind: 'a',
      when: 'today',
      list: [],
      unknown: null,
    });
  });

  it('T36: ends a schema that refers to itself', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' } },
          required: ['next'],
        },
      },
    };
    expect(JSON.stringify(schemaExample(schema)).length).toBeLessThan(200);
    expect(schemaExample({ $ref: '#/$ref' })).toEqual({});
  });

  it('T36: keeps a parameter called __proto__ as an ordinary name', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    ) as Parameters<typeof schemaExample>[0];
    expect(Object.keys(schemaExample(schema))).toEqual(['__proto__']);
  });
});
