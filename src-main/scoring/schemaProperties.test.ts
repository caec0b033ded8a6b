import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { resolveReference } from './schema/schemaReferences.ts';
import { schemaProperties } from './schemaProperties.ts';

const names = (schema: JsonObject): string[] => [...schemaProperties(schema).properties.keys()];
const required = (schema: JsonObject): string[] => [...schemaProperties(schema).required].sort();

describe('schemaProperties', () => {
  it('finds names behind references, branches and conditions', () => {
    const schema: JsonObject = {
      properties: { own: {} },
      $ref: '#/$defs/base',
      allOf: [{ properties: { all: {} } }],
      anyOf: [{ properties: { any: {} } }, { $ref: '#/$defs/deep' }],
      oneOf: [{ properties: { one: {} } }],
      if: { properties: { condition: {} } },
      then: { properties: { then: {} } },
      else: { properties: { else: {} } },
      dependentSchemas: { own: { properties: { dependent: {} } } },
      not: { properties: { never: {} } },
      $defs: {
        base: { properties: { base: {} } },
        deep: { allOf: [{ properties: { deep: {} } }] },
        unused: { properties: { unused: {} } },
      },
    };
    expect(names(schema).sort()).toEqual([
      'all',
      'any',
      'base',
      'condition',
      'deep',
      'dependent',
      'else',
      'one',
      'own',
      'then',
    ]);
  });

  it('leaves out names of nested objects', () => {
    expect(names({ properties: { filter: { properties: { inner: {} } } } })).toEqual(['filter']);
  });

  it('ends on recursive references', () => {
    const schema: JsonObject = {
      $ref: '#/$defs/a',
      $defs: {
        a: { allOf: [{ $ref: '#/$defs/b' }], properties: { x: {} } },
        b: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#' }] },
      },
    };
    expect(names(schema)).toEqual(['x']);
    expect(required(schema)).toEqual([]);
  });

  it('T36: visits shared references once', () => {
    const $defs: JsonObject = {};
    for (let level = 0; level < 60; level += 1) {
      $defs[`d${level}`] = {
        required: [`r${level}`],
        allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }],
      };
    }
    expect(required({ $ref: '#/$defs/d0', $defs })).toHaveLength(60);
  });

  it('collects names that every branch requires', () => {
    expect(
      required({
        required: ['own', 5],
        allOf: [{ required: ['all'] }],
        $ref: '#/$defs/r',
        anyOf: [{ required: ['common', 'left'] }, { required: ['common', 'right'] }],
        oneOf: [{ required: ['single'] }],
        then: { required: ['then'] },
        $defs: { r: { required: ['reference'] } },
      }),
    ).toEqual(['all', 'common', 'own', 'reference', 'single']);
  });

  it('is open only where additional or unevaluated properties are explicitly allowed', () => {
    expect(schemaProperties({ additionalProperties: true }).open).toBe(true);
    expect(schemaProperties({ additionalProperties: { type: 'string' } }).open).toBe(true);
    expect(schemaProperties({ allOf: [{ unevaluatedProperties: {} }] }).open).toBe(true);
    expect(schemaProperties({ additionalProperties: false }).open).toBe(false);
    expect(schemaProperties({}).open).toBe(false);
    expect(
      schemaProperties({
        patternProperties: { '^x-': {} },
        anyOf: [{ patternProperties: { '^y-': {} } }],
      }).patterns,
    ).toEqual(['^x-', '^y-']);
  });

  it('ignores keywords of the wrong type', () => {
    const schema = JSON.parse(
      '{"properties":[],"required":"x","allOf":{},"anyOf":5,"$ref":7,"patternProperties":null,"if":true,"oneOf":[]}',
    ) as JsonObject;
    expect(names(schema)).toEqual([]);
    expect(required(schema)).toEqual([]);
  });

  it('T36: handles 6,000 levels, 100,000 names and __proto__', () => {
    let deep: JsonObject = { properties: { bottom: {} } };
    for (let level = 0; level < 6000; level += 1) deep = { allOf: [deep], anyOf: [deep] };
    expect(names(deep)).toEqual(['bottom']);
    expect(required(deep)).toEqual([]);
    const wide: JsonObject = {
      properties: Object.fromEntries(
        Array.from({ length: 100_000 }, (_, index) => [`p${index}`, {}]),
      ),
      allOf: Array.from({ length: 150_000 }, () => ({})),
    };
    expect(names(wide)).toHaveLength(100_000);
    expect(names(JSON.parse('{"properties":{"__proto__":{}}}') as JsonObject)).toEqual([
      '__proto__',
    ]);
  });
});

describe('resolveReference', () => {
  const root: JsonObject = {
    $id: 'https://example.test/root.json',
    $defs: {
      'a/b': { title: 'slash' },
      '~t': { title: 'tilde' },
      named: { $anchor: 'here', title: 'anchor' },
      sub: { $id: 'sub.json', title: 'sub', $defs: { x: { title: 'x' } } },
    },
    definitions: { old: { $id: '#old', title: 'old' } },
    list: [{ title: 'first' }],
  };
  it.each<[string, string | undefined]>([
    ['#', undefined],
    ['#/$defs/a~1b', 'slash'],
    ['#/$defs/~0t', 'tilde'],
    ['#/%24defs/named', 'anchor'],
    ['#here', 'anchor'],
    ['#old', 'old'],
    ['sub.json', 'sub'],
    ['sub.json#/$defs/x', 'x'],
    ['https://example.test/root.json#/list/0', 'first'],
  ])('resolves the local reference %s', (reference, title) => {
    const target = resolveReference(root, reference) as JsonObject;
    expect(target).toBeDefined();
    expect(target['title']).toBe(title);
  });

  it('does not follow remote or dangling references', () => {
    for (const reference of [
      'http://127.0.0.1:1/x.json',
      '#/$defs/none',
      '#nowhere',
      '#/toString',
      'other.json#here',
      '#/%',
    ]) {
      expect(resolveReference(root, reference)).toBeUndefined();
    }
  });
});
