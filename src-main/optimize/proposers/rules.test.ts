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
  const ask = (tools: readonly Tool[], failing: ProposalRequest['failing']): string[][] =>
    proposeByRules({
      tool: tools[0] ?? find,
      tools,
      failing,
      passing: [],
      earlier: [],
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

  it('try the drafts of all tools of a server that say nothing together first', () => {
    const tools = [tool('get_tides', ''), tool('delete_berth', ''), find];
    const [first, second] = ask(tools, [missed('get_tides', 'delete_berth')]);
    expect(first).toEqual(['mail:get_tides Gets tides.', 'mail:delete_berth Deletes the berth.']);
    expect(second).toEqual(['mail:get_tides Gets tides.']);
  });

  it('remove no sentence that the next one points back to', () => {
    const text = 'Lists ferries. Returns a link to the tide table. This link opens for a day.';
    const tools = [tool('list_ferries', text), tool('get_tides', tide)];
    const failing = [{ ...missed('get_tides', 'list_ferries'), query: 'Link to the tide table' }];
    expect(ask(tools, failing).flat().join('\n')).not.toContain('Lists ferries. This link');
    const alone = tool('list_ferries', text.replace(' This link opens for a day.', ''));
    expect(ask([alone, ...tools.slice(1)], failing).flat()).toContain(
      'mail:list_ferries Lists ferries.',
    );
  });

  it.each([
    'If a ferry has a tide, it waits.',
    'You need the tide from get_tides.',
    'A spring tide can delay ferries.',
  ])('remove no sentence that says what a call needs or what may come of it: %s', (kept) => {
    const tools = [tool('list_ferries', `Lists ferries. ${kept}`), tool('get_tides', tide)];
    const failing = [{ ...missed('get_tides', 'list_ferries'), query: 'Tide of the day' }];
    const removed = 'mail:list_ferries Lists ferries.';
    expect(ask(tools, failing).flat()).not.toContain(removed);
    const other = tool('list_ferries', 'Lists ferries. It can show the tide.');
    expect(ask([other, ...tools.slice(1)], failing).flat()).toContain(removed);
  });

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
