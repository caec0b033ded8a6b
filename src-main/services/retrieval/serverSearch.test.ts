import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { readIds } from './serverSearch.ts';

const read = (answer: JsonValue, items: string, id: string): string[] =>
  readIds(answer, { items, id }, (cause) => new Error(cause));

describe('readIds', () => {
  it.each<[string, JsonValue, string, string, string[]]>([
    [
      'objects in a list',
      [{ tool_id: 'a:x' }, { tool_id: 'a:y' }],
      '',
      '{tool_id}',
      ['a:x', 'a:y'],
    ],
    [
      'a nested list',
      { result: { tools: [{ server: 'a', name: 'x' }] } },
      'result.tools',
      '{server}:{name}',
      ['a:x'],
    ],
    ['texts', { names: ['x', 'y'] }, 'names', 'a:{}', ['a:x', 'a:y']],
    ['lines of a text', 'a:x\n\n  a:y ', '', '{}', ['a:x', 'a:y']],
    ['a duplicate hit', ['a:x', 'a:y', 'a:x'], '', '{}', ['a:x', 'a:y']],
    ['numbers', [{ n: 4 }], '', 'a:{n}', ['a:4']],
    ['no hits', { tools: [] }, 'tools', '{}', []],
  ])('reads %s', (_what, answer, items, id, expected) => {
    expect(read(answer, items, id)).toEqual(expected);
  });

  it.each<[JsonValue, string, string, RegExp]>([
    [{ tools: [] }, 'hits', '{}', /no "hits"/],
    [{ tools: 7 }, 'tools', '{}', /isn't a list/],
    [[{ name: 'x' }], '', '{tool_id}', /Hit 1 has no value for "\{tool_id\}" names/],
    [[{ tool_id: null }], '', '{tool_id}', /Hit 1/],
    [{}, 'constructor', '{}', /no "constructor"/],
  ])('rejects %j instead of guessing', (answer, items, id, message) => {
    expect(() => read(answer, items, id)).toThrow(message);
  });
});
