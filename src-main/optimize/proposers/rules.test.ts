import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import type { ProposalRequest } from '../effects.ts';
import { proposeByRules } from './rules.ts';

const tool = (name: string, description: string): Tool => ({
  server: 'mail',
  name,
  title: null,
  description,
  inputSchema: { type: 'object' },
  outputSchema: null,
  annotations: null,
});
const find = tool('find', 'Finds messages.');

describe('the rules as a proposer', () => {
  const tide = 'Shows when the tide rises and falls at a pier.';
  const berth = 'Removes a berth from the plan. This cannot be undone.';
  const ask = (
    tools: readonly Tool[],
    failing: ProposalRequest['failing'],
    edited: ProposalRequest['edited'] = new Set(),
    earlier: ProposalRequest['earlier'] = () => [],
  ): string[][] =>
    proposeByRules({
      edited,
      tool: tools[0] ?? find,
      tools,
      failing,
      passing: [],
      missed: new Set(failing.flatMap(({ expected }) => expected ?? [])),
      earlier,
      instructions: '',
      objective: 'accuracy',
      maxAddedTokens: 60,
      allowNames: false,
      requests: tools.map(({ name }) => ({ query: `Please ${name}`, expected: [`mail:${name}`] })),
    }).map(({ edits }) => edits.map(({ toolId, newText }) => `${toolId} ${newText}`));
  const missed = (name: string, called: string) => ({
    query: 'High water today',
    values: '',
    expected: `mail:${name}`,
    called: `mail:${called}`,
    wrongArguments: [],
  });

  it('give two tools that exchanged their descriptions both back in one candidate', () => {
    const tools = [tool('get_tides', berth), tool('delete_berth', tide)];
    const [first] = ask(tools, [missed('get_tides', 'delete_berth')]);
    expect(first).toEqual([`mail:get_tides ${tide}`, `mail:delete_berth ${berth}`]);
  });

  it('exchange two descriptions that fit the other tool better where requests fail between them', () => {
    const tools = [
      tool('get_tides', 'Reserves a berth.'),
      tool('book_berth', 'Shows tides.'),
      find,
    ];
    const exchanged = tools.slice(0, 2).map(({ name }, at) => {
      return `mail:${name} ${tools[1 - at]?.description ?? ''}`;
    });
    const [first] = ask(tools, [missed('get_tides', 'book_berth')]);
    expect(first).toEqual(exchanged);
    const others = ask(tools, [missed('get_tides', 'find')]);
    expect(others).not.toContainEqual(exchanged);
    const drafted = ask(tools, [missed('get_tides', 'book_berth')], new Set(['mail:get_tides']));
    expect(drafted).not.toContainEqual(exchanged);
  });

  it('exchange no descriptions with an example that its own tool would refuse', () => {
    const tides = {
      ...tool('get_tides', berth),
      inputSchema: { type: 'object', properties: { pier: {}, day: {} }, required: ['pier', 'day'] },
    };
    const texts = (example: string) => {
      const other = tool('delete_berth', `${tide}\n\nExample: ${example}`);
      return ask([tides, other], [missed('get_tides', 'delete_berth')])
        .flat()
        .join('\n');
    };
    expect(texts('{ "pier": "A", "day": "Monday" }')).toContain(`mail:get_tides ${tide}`);
    expect(texts('{ "pier": "A" }')).not.toContain(tide);
  });

  it('give back the sound half alone where the other tool contradicts its text', () => {
    const pier = { type: 'object', properties: { pier: {} } };
    const options = `${berth} Sortable by captain.`;
    const tools = [
      { ...tool('get_tides', options), inputSchema: pier },
      { ...tool('delete_berth', tide), inputSchema: pier },
    ];
    const [first] = ask(tools, [missed('get_tides', 'delete_berth')]);
    expect(first).toEqual([`mail:get_tides ${tide}`]);
    const others = ask(tools.toReversed(), [missed('delete_berth', 'get_tides')]);
    expect(others.flat()).not.toContain(`mail:delete_berth ${options}`);
  });

  it('try the earlier text of a tool before an exchange', () => {
    const tools = [tool('get_tides', berth), tool('delete_berth', tide)];
    const earlier = (id: string) =>
      id === 'mail:get_tides'
        ? [
            {
              description: 'Shows the water of a day.',
              until: '2025-11-03T10:00:00Z',
              isSameCall: false,
            },
          ]
        : [];
    const [first, second] = ask(tools, [missed('get_tides', 'delete_berth')], new Set(), earlier);
    expect(first).toEqual(['mail:get_tides Shows the water of a day.']);
    expect(second).toEqual([`mail:get_tides ${tide}`, `mail:delete_berth ${berth}`]);
  });

  it('try all exchanges of a server together after the one that failing requests show', () => {
    const dock = 'Lists the docks of a harbor with their depths.';
    const crew = 'Adds a sailor to a crew.';
    const texts = { get_tides: berth, delete_berth: tide, list_docks: crew, add_sailor: dock };
    const tools = Object.entries(texts).map(([name, text]) => tool(name, text));
    const [, ...more] = ask(tools, [missed('get_tides', 'delete_berth')]);
    const tides = [`mail:get_tides ${tide}`, `mail:delete_berth ${berth}`];
    expect(more).toEqual([[...tides, `mail:list_docks ${dock}`, `mail:add_sailor ${crew}`]]);
  });

  it('remove no sentence that the next one points back to', () => {
    const text = 'Lists ferries. Use it for links to the tide table. This link opens for a day.';
    const tools = [tool('list_ferries', text), tool('get_tides', tide)];
    const failing = [{ ...missed('get_tides', 'list_ferries'), query: 'Link to the tide table' }];
    expect(ask(tools, failing).flat().join('\n')).not.toContain('Lists ferries. This link');
    const alone = tool('list_ferries', text.replace(' This link opens for a day.', ''));
    expect(ask([alone, ...tools.slice(1)], failing).flat()).toContain(
      'mail:list_ferries Lists ferries.',
    );
  });

  it('remove no sentence that shares a word with what is left, or with requests of the tool', () => {
    const text = 'Lists ferries. Use it for the tide of each ferry.';
    const tools = [tool('list_ferries', text), tool('get_tides', tide)];
    const failing = [{ ...missed('get_tides', 'list_ferries'), query: 'Tide of the day' }];
    expect(ask(tools, failing).flat()).not.toContain('mail:list_ferries Lists ferries.');
  });

  it.each([
    'Use it when a tide is high.',
    'If a ferry has a tide, it waits.',
    'You need the tide from get_tides.',
    'A spring tide can delay ferries.',
    'Returns the tide, depth, and wind.',
    'It shows the tide.',
  ])(
    'remove no sentence that says what a call needs, what may come of it, or what it returns: %s',
    (kept) => {
      const tools = [tool('list_ferries', `Lists ferries. ${kept}`), tool('get_tides', tide)];
      const failing = [{ ...missed('get_tides', 'list_ferries'), query: 'Tide of the day' }];
      const removed = 'mail:list_ferries Lists ferries.';
      expect(ask(tools, failing).flat()).not.toContain(removed);
      const other = tool('list_ferries', 'Lists ferries. Use it for the tide.');
      expect(ask([other, ...tools.slice(1)], failing).flat()).toContain(removed);
    },
  );

  it('lead with no hint to a tool whose own description is about another one', () => {
    const tools = [tool('list_ferries', 'Lists ferries.'), tool('get_tides', berth)];
    const others = [...tools, tool('delete_berth', berth)];
    expect(
      ask(others, [missed('get_tides', 'list_ferries')])
        .flat()
        .join('\n'),
    ).not.toContain('use get_tides instead');
  });
});
