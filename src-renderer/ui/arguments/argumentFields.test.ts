import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import {
  argumentFields,
  newItemOf,
  readObject,
  textWithDrafts,
  withArgument,
} from './argumentFields.ts';

const schema: JsonObject = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', description: 'What to do.' },
    priority: { type: 'string', enum: ['low', 'high'] },
    count: { type: 'integer' },
    done: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    due: { type: ['string', 'null'] },
    place: { type: 'object' },
  },
};
const kinds = (value: JsonObject) =>
  Object.fromEntries(argumentFields(schema, value).map(({ name, kind }) => [name, kind]));

describe('argument fields', () => {
  it('gives each parameter the field for its type', () => {
    expect(kinds({})).toEqual({
      title: 'text',
      priority: 'choice',
      count: 'integer',
      done: 'boolean',
      tags: 'texts',
      due: 'json',
      place: 'json',
    });
    expect(argumentFields(schema, {}).filter(({ required }) => required)).toMatchObject([
      { name: 'title', description: 'What to do.' },
    ]);
  });

  it('shows a value that its field cannot hold as JSON', () => {
    expect(
      kinds({
        title: { $regex: 'x' },
        priority: 'other',
        count: 1.5,
        tags: ['a', 'a'],
        done: 'yes',
      }),
    ).toMatchObject({ title: 'json', priority: 'json', count: 'json', tags: 'json', done: 'json' });
    expect(kinds({ tags: [] })).toMatchObject({ tags: 'json' });
  });

  it('keeps a parameter that the schema does not declare', () => {
    expect(kinds({ extra: 1 })).toMatchObject({ extra: 'json' });
  });

  it('states the limits of the schema, and gives an object with members a form of its own', () => {
    const [limit, day, place, level] = argumentFields(
      {
        properties: {
          limit: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
          day: { type: 'string', format: 'date', minLength: 2 },
          place: { type: 'object', properties: { city: { type: 'string' } } },
          level: { enum: [1, 2] },
        },
      },
      {},
    );
    expect(limit).toMatchObject({ hint: 'Default: 10. 1–100.', minimum: 1, maximum: 100 });
    expect(day?.hint).toBe('At least 2 characters. Format: date.');
    expect(place?.members).toMatchObject({ properties: { city: { type: 'string' } } });
    expect([level?.hint, level?.members]).toEqual(['One of 1,2.', null]);
  });

  it('gives arrays with known items a row for each, and maps of texts a row for each name', () => {
    const [scores, stops, tags, headers, pair] = argumentFields(
      {
        properties: {
          scores: { type: 'array', items: { type: 'number', minimum: 2 } },
          stops: {
            type: 'array',
            items: { type: 'object', properties: { at: { type: 'string' } } },
          },
          tags: { type: 'array', items: { type: 'string' }, uniqueItems: false },
          headers: { type: 'object', additionalProperties: { type: 'string' } },
          pair: { type: 'array', items: [{ type: 'string' }] },
        },
      },
      {},
    );
    expect([scores, stops, tags, headers, pair].map((field) => field?.kind)).toEqual(
      Array.from({ length: 5 }, () => 'json'),
    );
    expect([scores, stops, tags, pair].map((field) => field?.items != null)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([headers?.isMap, scores?.isMap]).toEqual([true, false]);
    expect([scores, stops, tags].map((field) => newItemOf(field?.items ?? {}))).toEqual([
      2,
      {},
      '',
    ]);
  });

  it('accepts a schema without properties or with invalid ones', () => {
    for (const odd of [
      {},
      { properties: [] },
      { properties: { a: true, b: null } },
      { required: 'all', properties: { a: { enum: [] } } },
    ] as JsonObject[])
      expect(() => argumentFields(odd, {})).not.toThrow();
  });

  it('keeps unfinished text of a parameter next to the others', () => {
    expect(readObject(textWithDrafts({ a: 1 }, { b: '{"x": ' }))).toBeNull();
    expect(textWithDrafts({ a: 1 }, { b: '{"x": ' })).toBe('{"a": 1, "b": {"x": }');
    expect(readObject(textWithDrafts({ a: 1, b: 2 }, { b: '[3]', c: ' ' }))).toEqual({
      a: 1,
      b: [3],
    });
  });

  it('keeps every digit of a number next to an edited parameter', () => {
    const text = textWithDrafts(readObject('{"id": 123456789012345678}') ?? {}, { b: '1' });
    expect(text).toBe('{\n  "id": 123456789012345678,\n  "b": 1\n}');
  });

  it('removes a parameter without leaving null', () => {
    expect(withArgument({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
    expect(Object.keys(withArgument({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b']);
  });
});
