import { expect, it } from 'vitest';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { countToolTokens } from './toolTokens.ts';

const toolOf = (name: string, words: number): Tool => ({
  server: 'large',
  name,
  title: null,
  description: Array.from({ length: words }, (_, at) => `word${(at * 7919) % 1000}`).join(' '),
  inputSchema: { type: 'object' },
  outputSchema: null,
  annotations: null,
});

it('gives the event loop turns while it counts a large catalog', async () => {
  const tools = Array.from({ length: 1000 }, (_, at) => toolOf(`tool_${at}`, 200));
  let turns = 0;
  let isCounting = true;
  const turn = (): void => {
    turns += 1;
    if (isCounting) setImmediate(turn);
  };
  setImmediate(turn);
  // Each look at this clock takes 1 ms: it is looked at before the first and after every tool.
  let now = 0;
  const countTokens = await countToolTokens(
    tools,
    createYielder(20, () => (now += 1)),
  );
  isCounting = false;
  expect(turns).toBeGreaterThan(40);
  expect(tools.every((tool) => countTokens(tool) > 200)).toBe(true);
});

it('counts a tool that was not there before, and the same for an equal one', async () => {
  const tool = toolOf('one', 20);
  const countTokens = await countToolTokens([tool]);
  expect(countTokens({ ...tool })).toBe(countTokens(tool));
  expect(countTokens({ ...tool, title: 'A title' })).toBeGreaterThan(countTokens(tool));
});
