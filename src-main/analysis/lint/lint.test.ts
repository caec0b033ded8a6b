import { describe, expect, it } from 'vitest';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { lintRules, lintTools, ruleInfos } from './lintTools.ts';
import { example } from './rule.ts';

/** What a rule needs around its example to find anything. */
const beside: Record<string, AnalysedTool[]> = {
  'same-description': [example('close_invoice', 'Works on one invoice of the ledger.')],
  'mixed-name-style': ['close_invoice', 'open_invoice', 'send_invoice'].map((name, at) =>
    example(name, `Does the ${at + 2}nd of the things that the ledger of bills can do.`),
  ),
};
const rulesOf = (tool: AnalysedTool, id: string): string[] =>
  lintTools([tool, ...(beside[id] ?? [])])
    .findings.filter(({ toolId }) => toolId === `example:${tool.name}`)
    .map(({ rule }) => rule);

describe('lint', () => {
  it.each(lintRules.map((rule) => [rule.id, rule] as const))(
    '%s reports its bad example and nothing in its good one',
    (id, { bad, good }) => {
      expect(rulesOf(bad, id)).toContain(id);
      expect(rulesOf(good, id)).toEqual([]);
    },
  );

  it('quotes the tool in every message', () => {
    for (const { id, bad } of lintRules) {
      const own = lintTools([bad, ...(beside[id] ?? [])]).findings.filter(
        ({ rule }) => rule === id,
      );
      for (const { message, span } of own) {
        expect(message).toMatch(/"[^"]+"|\d/);
        if (span) expect(span[0]).toBeLessThan(span[1]);
      }
    }
  });

  it('skips disabled rules and has unique rule IDs', () => {
    const tool = example('execute', '');
    expect(lintTools([tool], new Set(['missing-description', 'vague-name'])).findings).toEqual([]);
    expect(new Set(ruleInfos().map(({ id }) => id)).size).toBe(lintRules.length);
  });

  it('deducts each rule once and never scores below 1', () => {
    const twice = example(
      'archive_invoice',
      'Moves invoices, receipts and more to the archive. It moves letters and more.',
    );
    expect(lintTools([twice]).servers).toEqual([{ server: 'example', score: 9, tools: 1 }]);
    expect(
      lintTools([example('execute', '', { a: {} }, { required: ['a', 'b'] })]).servers[0]?.score,
    ).toBe(1);
  });

  it.each([
    [
      'an end of examples in brackets',
      example(
        'find_places',
        'Finds places of one kind (restaurants, schools, parks, etc.) within a region.',
      ),
    ],
    [
      'an escape that is spoken of',
      example(
        'save_drawing',
        'Saves a drawing as a file. The sign "&" has to be written as "&amp;" there.',
      ),
    ],
    [
      'a parameter that the description names',
      example(
        'add_row',
        'Adds a row to a sheet.\n\nArgs:\n  cells: what to write, from left to right',
        { cells: { type: 'array' } },
        { required: ['cells'] },
      ),
    ],
    ['a sentence without spaces', example('get_recipes', '获取所有菜谱的列表，按照名称排序。')],
    [
      'a name that explains itself',
      example(
        'open_page',
        'Opens a page in the browser that is running.',
        { url: { type: 'string' } },
        { required: ['url'] },
      ),
    ],
    [
      'a schema that is put together',
      {
        ...example('send', 'Sends one letter to a person by post.'),
        inputSchema: {
          type: 'object',
          required: ['to'],
          allOf: [{ properties: { to: { type: 'string' } } }],
        },
      },
    ],
  ])('reports nothing for %s', (_what, tool) => {
    expect(lintTools([tool]).findings).toEqual([]);
  });
});
