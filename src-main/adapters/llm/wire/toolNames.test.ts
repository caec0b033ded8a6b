import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameTools, type NamedTool } from './toolNames.ts';

const key = ({ server, name }: NamedTool) => JSON.stringify([server, name]);
const word = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'A',
    'a.b',
    'a_b',
    'a b',
    'ä',
    '😀',
    'get',
    'Get',
    '__',
    'x'.repeat(300),
    `${'x'.repeat(299)}y`,
  ),
  fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }),
);
const toolSets = fc.uniqueArray(fc.record({ server: word, name: word }), {
  selector: key,
  maxLength: 40,
});

describe('nameTools', () => {
  it('T39: makes any names valid, unique, reversible and independent of their order', () => {
    fc.assert(
      fc.property(toolSets, fc.infiniteStream(fc.nat()), (tools, shuffle) => {
        const names = nameTools(tools);
        for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(tools.length);
        const byName = new Map(names.map((name, index) => [name, key(tools[index]!)]));
        const order = tools
          .map((tool) => ({ tool, at: shuffle.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ tool }) => tool);
        expect(nameTools(order).map((name) => byName.get(name))).toEqual(order.map(key));
      }),
      { numRuns: 300 },
    );
  });

  it('T39: tells a tool from one whose name looks like its shortened name', () => {
    const long = { server: 's', name: 'n'.repeat(80) };
    const [shortened = ''] = nameTools([long]);
    const mimic = { server: 's', name: shortened.slice('s__'.length) };
    const names = nameTools([long, mimic]);
    expect(names[0]).toBe(shortened);
    expect(names[1]).not.toBe(shortened);
    expect(names[1]).toMatch(/^s__n+_[0-9a-f]{8}$/);
  });

  it.each([
    // Gemini: "Must start with a letter or an underscore"; Amazon Bedrock's older pattern: a letter.
    ['1mcp', 'ping', 's_1mcp__ping'],
    ['_own', 'ping', 's__own__ping'],
    ['-x', 'ping', 's_-x__ping'],
    ['サーバー', 'ping', 's______ping'],
    ['todo', '1st', 'todo__1st'],
  ])('begins the name of a tool of server %s with a letter', (server, name, expected) => {
    const [wire = ''] = nameTools([{ server, name }]);
    expect(wire.replace(/_+/g, '_')).toBe(expected.replace(/_+/g, '_'));
    expect(wire).toMatch(/^[A-Za-z][A-Za-z0-9_-]*$/);
  });

  it('keeps names apart that only differ in what is replaced', () => {
    const names = nameTools([
      { server: '1', name: 'ping' },
      { server: 's_1', name: 'ping' },
      { server: '日本', name: '検索' },
      { server: '日本', name: '追加' },
      { server: '1'.repeat(70), name: 'ping' },
    ]);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
  });

  it('keeps plain names and rejects a tool that is offered twice', () => {
    expect(
      nameTools([
        { server: 'todo', name: 'add_task' },
        { server: 'git-hub', name: 'list.issues' },
      ]),
    ).toEqual(['todo__add_task', 'git-hub__list_issues']);
    expect(() =>
      nameTools([
        { server: 'todo', name: 'add' },
        { server: 'todo', name: 'add' },
      ]),
    ).toThrow('offered twice');
  });
});
