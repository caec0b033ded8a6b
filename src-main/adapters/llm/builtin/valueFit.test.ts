import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { readQuery } from './queryReading.ts';
import { slotsOf } from './slots.ts';
import { kindsGiven, kindsTaken, valueFit } from './valueFit.ts';

const given = (query: string) => [...kindsGiven(readQuery(query))].sort();
const taken = (properties: JsonObject, required: string[] = []) =>
  kindsTaken(slotsOf({ type: 'object', properties, required }));

describe('kindsGiven', () => {
  it.each([
    ['Read message 402', ['id']],
    ['Close #31', ['id']],
    ['Open notes/today.txt', ['path']],
    ['Mail it to ann@example.com', ['email']],
    ['Fetch https://example.com/a', ['url']],
    ['Meet at 4 pm for 30 minutes', []],
    ['Show the events of 2026', []],
    ['What is new?', []],
  ])('reads %s', (query, kinds) => {
    expect(given(query)).toEqual(kinds);
  });
});

describe('kindsTaken', () => {
  it('reads formats, names and descriptions', () => {
    const kinds = taken(
      {
        message_id: { type: 'integer' },
        to: {
          type: 'array',
          items: { type: 'string' },
          description: 'Addresses of the recipients.',
        },
        site: { type: 'string', format: 'uri' },
        filePath: { type: 'string' },
        title: { type: 'string' },
      },
      ['message_id', 'title'],
    );
    expect([...kinds.all].sort()).toEqual(['email', 'id', 'path', 'url']);
    expect([...kinds.required]).toEqual(['id']);
  });
});

describe('valueFit', () => {
  const byId = taken({ id: { type: 'integer' } }, ['id']);
  const byIdAndPath = taken({ id: { type: 'integer' }, path: { type: 'string' } }, ['id', 'path']);
  const plain = taken({ title: { type: 'string' } }, ['title']);

  it('is the share of the involved kinds that are given and taken', () => {
    expect(valueFit(new Set(['id']), byId)).toBe(1);
    expect(valueFit(new Set(['id']), byIdAndPath)).toBe(0.5);
    expect(valueFit(new Set(), byId)).toBe(0);
    expect(valueFit(new Set(['id']), plain)).toBe(0);
    expect(valueFit(new Set(['id', 'url']), byId)).toBe(0.5);
  });

  it('is 0.5 where no such kind is involved', () => {
    expect(valueFit(new Set(), plain)).toBe(0.5);
  });
});
