import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { RankableTool, Ranker } from './ranker.ts';
import { offlineRankers } from './rankers.ts';

const rankers = [...offlineRankers.values()].map((ranker) => [ranker.id, ranker] as const);
const ranker = (id: string): Ranker => {
  const found = offlineRankers.get(id);
  if (!found) throw new Error(`no ranker ${id}`);
  return found;
};

const word = fc.constantFrom(
  'task',
  'Tasks',
  'list',
  'delete',
  'remove',
  'readFile',
  'x',
  '42',
  '東京',
  '',
);
const text = fc.array(word, { maxLength: 6 }).map((parts) => parts.join(' '));
const anyTool: fc.Arbitrary<RankableTool> = fc.record({
  server: fc.constantFrom('a', 'b'),
  name: fc.oneof(word, fc.string({ maxLength: 5 })),
  description: text,
  inputSchema: fc.constantFrom<NonNullable<RankableTool['inputSchema']>>(
    {},
    { properties: { task_id: { description: 'which task' } } },
    { properties: 7 },
  ),
});
const catalogue = fc.uniqueArray(anyTool, {
  selector: (tool) => toolId(tool.server, tool.name),
  maxLength: 8,
});

describe.each(rankers)('%s', (_, subject) => {
  it('ranks every tool with a finite score and orders ties by tool ID', () => {
    fc.assert(
      fc.property(catalogue, text, (tools, query) => {
        const ranked = subject.index(tools).rank(query);
        expect(ranked.map((entry) => entry.toolIndex).sort((a, b) => a - b)).toEqual(
          tools.map((_tool, at) => at),
        );
        ranked.forEach((entry, at) => {
          expect(Number.isFinite(entry.score)).toBe(true);
          const next = ranked[at + 1];
          if (!next) return;
          expect(entry.score).toBeGreaterThanOrEqual(next.score);
          if (entry.score === next.score)
            expect(idAt(tools, entry.toolIndex) < idAt(tools, next.toolIndex)).toBe(true);
        });
      }),
    );
  });

  it('does not depend on the order of the tools', () => {
    const shuffled = catalogue.chain((tools) =>
      fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length })),
    );
    fc.assert(
      fc.property(shuffled, text, ([tools, other], query) => {
        const named = (list: RankableTool[]) =>
          subject
            .index(list)
            .rank(query)
            .map((entry) => [idAt(list, entry.toolIndex), entry.score]);
        expect(named(other)).toEqual(named(tools));
      }),
    );
  });

  it('returns the same top k as the full ranking', () => {
    fc.assert(
      fc.property(catalogue, text, fc.nat(10), (tools, query, k) => {
        const index = subject.index(tools);
        expect(index.top(query, k)).toEqual(index.rank(query).slice(0, k));
      }),
    );
  });

  it('answers each query independently', () => {
    const index = subject.index(todo);
    const first = index.rank('delete the task');
    index.rank('list everything');
    expect(index.rank('delete the task')).toEqual(first);
  });

  it('ranks an empty catalog', () => {
    expect(subject.index([]).rank('anything')).toEqual([]);
  });
});

const todo: RankableTool[] = [
  'add_task',
  'list_tasks',
  'update_task',
  'complete_task',
  'delete_task',
].map((name) => ({
  server: 'todo',
  name,
  description: '',
}));

function idAt(tools: readonly RankableTool[], at: number): string {
  const tool = tools[at];
  return tool ? toolId(tool.server, tool.name) : '';
}

describe('default', () => {
  it('scores between 0 and 1', () => {
    fc.assert(
      fc.property(catalogue, text, (tools, query) => {
        for (const { score } of ranker('default').index(tools).rank(query)) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  it.each([
    ['remove task 4', 'todo:delete_task'],
    ['I finished task 7', 'todo:complete_task'],
    ['rename task 9', 'todo:update_task'],
    ['show my tasks', 'todo:list_tasks'],
  ])('understands related words: %s', (query, expected) => {
    expect(idAt(todo, ranker('default').index(todo).rank(query)[0]?.toolIndex ?? -1)).toBe(
      expected,
    );
  });

  it('reads parameter names and descriptions', () => {
    const withParameter = (
      server: string,
      inputSchema: RankableTool['inputSchema'],
    ): RankableTool => ({
      server,
      name: 'send',
      description: 'Sends.',
      inputSchema: inputSchema ?? {},
    });
    const tools = [
      withParameter('a', {}),
      withParameter('b', {
        properties: { invoiceNumber: { description: 'as printed on the bill' } },
      }),
    ];
    for (const query of ['invoice', 'bill'])
      expect(ranker('default').index(tools).rank(query)[0]?.toolIndex).toBe(1);
  });
});
