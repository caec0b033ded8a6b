import { expect, it } from 'vitest';
import { toolContent } from './workshop.ts';

const problemOf = (name: string): string | null => {
  const read = toolContent.safeParse({
    name,
    displayName: 'Tool',
    description: 'Does something.',
    executorType: 'shell',
    executorConfig: { command: 'true' },
    inputSchema: { type: 'object' },
  });
  return read.error?.issues.find(({ path }) => path[0] === 'name')?.message ?? null;
};

it.each(['word_count', 'a', '7', '2_cases', '_private', 'trailing_', 'a__b', 'v2'])(
  'takes %s as the name of a tool',
  (name) => {
    expect(problemOf(name)).toBeNull();
  },
);

it.each(['', '_', '__', 'Word', 'word-count', 'word count', 'wörter', 'a.b', 'x'.repeat(101)])(
  'refuses “%s” as the name of a tool',
  (name) => {
    expect(problemOf(name)).not.toBeNull();
  },
);
