import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { argumentFields, readObject, textWithDrafts, withArgument } from './argumentFields.ts';

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

describe('the fields of a schema', () => {
  it('a parameter would get a field that can not hold its type', () => {
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

  it('a value that the field can not show, such as a matcher would be changed by opening the form', () => {
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

  it('a parameter that the schema does not declare would vanish', () => {
    expect(kinds({ extra: 1 })).toMatchObject({ extra: 'json' });
  });

  it('a schema without properties, or with nonsense in their place, would break the form', () => {
    for (const odd of [
      {},
      { properties: [] },
      { properties: { a: true, b: null } },
      { required: 'all', properties: { a: { enum: [] } } },
    ] as JsonObject[])
      expect(() => argumentFields(odd, {})).not.toThrow();
  });

  it('a half typed member would be lost, or make the others unreadable', () => {
    expect(readObject(textWithDrafts({ a: 1 }, { b: '{"x": ' }))).toBeNull();
    expect(textWithDrafts({ a: 1 }, { b: '{"x": ' })).toBe('{"a": 1, "b": {"x": }');
    expect(readObject(textWithDrafts({ a: 1, b: 2 }, { b: '[3]', c: ' ' }))).toEqual({
      a: 1,
      b: [3],
    });
  });

  it('leaving a parameter out would leave null behind', () => {
    expect(withArgument({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
    expect(Object.keys(withArgument({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b']);
  });
});
