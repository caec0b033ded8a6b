import { describe, expect, it } from 'vitest';
import { schemaExample, schemaParameters } from './schemaExample.ts';

describe('schemaExample', () => {
  it('a draft without a required name, or with an optional one, would be refused or would mislead', () => {
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

  it('T36: a schema that refers to itself would hang the window', () => {
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

  it('T36: a parameter called __proto__ would vanish or poison the draft', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    ) as Parameters<typeof schemaExample>[0];
    expect(Object.keys(schemaExample(schema))).toEqual(['__proto__']);
  });

  it('schemas without properties would take the tool table down', () => {
    expect(schemaParameters({})).toEqual([]);
    expect(schemaParameters({ properties: { b: {}, a: {} }, required: ['a'] })).toEqual([
      { name: 'a', required: true },
      { name: 'b', required: false },
    ]);
  });
});
