import { expect, it } from 'vitest';
import type { Tool } from '../../../src-shared/domain/tool.ts';
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
  const countTokens = await countToolTokens(tools);
  isCounting = false;
  expect(turns).toBeGreaterThan(3);
  expect(tools.every((tool) => countTokens(tool) > 200)).toBe(true);
});

it('counts a tool that was not there before, and the same for an equal one', async () => {
  const tool = toolOf('one', 20);
  const countTokens = await countToolTokens([tool]);
  expect(countTokens({ ...tool })).toBe(countTokens(tool));
  expect(countTokens({ ...tool, title: 'A title' })).toBeGreaterThan(countTokens(tool));
});
