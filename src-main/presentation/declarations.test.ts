import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { identifier, typeText } from './declarations.ts';

const text = { type: 'string' };
const either = { type: ['string', 'null'] };
const open = '{ [key: string]: unknown; }';

/** Each as Codex 0.169.0 declares it. */
const properties: Record<string, [schema: JsonObject | boolean, type: string]> = {
  'a constant': [{ const: 1 }, '1'],
  'values of any kind': [{ enum: ['a | b', 1, null, { b: 1 }] }, '"a | b" | 1 | null | {"b":1}'],
  'no values': [{ enum: [] }, 'unknown'],
  'true and false': [{ type: 'array', items: false }, 'Array<never>'],
  'several types': [{ type: ['null', 'integer'] }, 'null | number'],
  'no type': [{ minimum: 1 }, 'unknown'],
  'a type that is none': [{ type: 'any' }, 'unknown'],
  'an empty list of types': [{ type: [] }, 'unknown'],
  'an object by its members': [{ properties: { q: true } }, '{ q?: unknown; }'],
  'an object by what it requires': [{ required: ['a'] }, open],
  'a list by its items': [{ items: { type: 'integer' } }, 'Array<number>'],
  'a list of anything': [{ type: 'array' }, 'unknown[]'],
  'a tuple': [{ type: 'array', prefixItems: [text, { type: 'number' }] }, '[string, number]'],
  'a tuple with items': [{ prefixItems: [text], items: { type: 'boolean' } }, 'Array<boolean>'],
  'a closed object': [{ type: 'object', additionalProperties: false }, '{}'],
  'a map beside members': [
    { type: 'object', properties: { x: text }, additionalProperties: either },
    '{ x?: string; [key: string]: string | null; }',
  ],
  'names in order, quoted where they must be': [
    { properties: { b: text, $a: text, 'a b': text, ü: text }, required: ['b', 'gone'] },
    '{ $a?: string; "a b"?: string; b: string; "ü"?: string; }',
  ],
  'a union in a union': [
    { anyOf: [{ anyOf: [text, { type: 'null' }] }, { allOf: [text, { type: 'number' }] }] },
    'string | null | string & number',
  ],
  'unions in an intersection': [
    { allOf: [{ enum: ['x', 'y'] }, either, { const: 1 }] },
    '("x" | "y") & (string | null) & 1',
  ],
  'an intersection of one': [{ allOf: [either] }, '(string | null)'],
  'a union before the members beside it': [
    { anyOf: [text, { required: ['k'] }], type: 'object', properties: { k: {} } },
    `string | ${open}`,
  ],
  'a reference': [{ $ref: '#/$defs/U', title: 'T' }, 'string | number'],
  'a reference beside a type': [
    { $ref: '#/$defs/U', type: 'string' },
    '(string | number) & (string)',
  ],
  'a reference with signs': [{ $ref: '#/$defs/a~1b' }, 'null'],
  'a reference that leads nowhere': [{ $ref: '#/gone' }, 'unknown'],
  'a reference that leads nowhere beside a type': [{ $ref: '#/gone', type: 'string' }, 'string'],
  'a reference to elsewhere': [{ $ref: 'https://example.com/schema' }, 'unknown'],
  'a reference into itself': [{ $ref: '#/$defs/D' }, '{ d?: { d?: unknown; }; }'],
};

describe('a declaration to code', () => {
  it.each(Object.entries(properties))('has the type of %s', (_, [schema, type]) => {
    const root = {
      type: 'object',
      properties: { it: schema },
      required: ['it'],
      $defs: {
        U: { type: ['string', 'number'] },
        D: { type: 'object', properties: { d: { $ref: '#/$defs/D' } } },
        'a/b': { type: 'null' },
      },
    };
    expect(typeText(root)).toBe(`{ it: ${type}; }`);
  });

  it('has descriptions of members as comments, without empty lines', () => {
    const it = { ...text, description: ' A.\n\nB \n' };
    expect(typeText({ properties: { it, n: { properties: { it } } } })).toBe(
      ['{', '  // A.', '  // B', '  it?: string;', '  n?: {', '  // A.', '  // B'].join('\n') +
        '\n  it?: string;\n};\n}',
    );
  });

  it('follows 32 references, and counts none that leads nowhere', () => {
    const names = [...Array(40).keys()].map((at) => `p${10 + at}`);
    const members = names.map((name) => [name, { $ref: name === 'p12' ? '#/gone' : '#/$defs/S' }]);
    const types = typeText({ properties: Object.fromEntries(members), $defs: { S: text } });
    expect(types.match(/p\d+(?=\?: string)/g)).toEqual(
      names.slice(0, 33).filter((name) => name !== 'p12'),
    );
    // Eight definitions that lead to each other would else be millions of members.
    const each = [...Array(8).keys()];
    const all = {
      properties: Object.fromEntries(each.map((at) => [`p${at}`, { $ref: `#/$defs/${at}` }])),
    };
    const grown = typeText({ ...all, $defs: Object.fromEntries(each.map((at) => [at, all])) });
    expect(grown.split('{')).toHaveLength(34);
  });

  it.each([
    ['mcp__b__add.item', 'mcp__b__add_item'],
    ['größe', 'gr__e'],
    ['1st', '_1st'],
  ])('names %s as %s', (name, shown) => {
    expect(identifier(name)).toBe(shown);
  });
});
