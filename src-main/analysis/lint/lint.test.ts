import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { qualityCause } from '../../../src-shared/display/qualityTexts.ts';
import { lintRules, lintTools, ruleInfos } from './lintTools.ts';
import { example } from './rule.ts';

/** What a rule needs around its example to find anything. */
const beside: Record<string, AnalysedTool[]> = {
  'same-description': [example('close_invoice', 'Works on one invoice of the ledger.')],
  'same-name': [
    { ...example('archiveInvoice', 'Files bills. Use it at night.'), server: 'ledger' },
  ],
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

  it.each([
    ['', 'missing-description'],
    ['Creates the order.', 'repeats-name'],
  ])('says what is to be written for %j', (description, id) => {
    const fixOf = (properties: JsonObject) =>
      lintTools([example('create_order', description, properties)]).findings.find(
        ({ rule }) => rule === id,
      )?.fix;
    expect(fixOf({})).toBe(
      'Say what it does beyond its name, what it returns, and when to use it.',
    );
    const unclear = { id: {}, force: { type: 'boolean' } };
    const said =
      'Say what it does beyond its name, what it returns, when to use it, and what force means.';
    expect(fixOf(unclear)).toBe(said);
  });

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
    const off = new Set(['missing-description', 'vague-name']);
    expect(lintTools([tool], { off }).findings).toEqual([]);
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

  it('scores 10 less its deductions, and lists the worst tool and the largest deduction first', () => {
    const report = lintTools([
      example('archive_invoice', 'Moves a paid bill to the archive. Use it once it is paid.'),
      // 10 − 2 (short) − 2 (repeats the name) − 1 (an optional parameter) = 5.
      example('close_invoice', 'Closes the invoice.', { mode: { type: 'string' } }),
      // 10 − 4 (annotations) − 1 (no guidance) = 5; the order of the list decides.
      {
        ...example('delete_invoice', 'Removes a paid bill from the archive for good.'),
        annotations: { readOnlyHint: true },
      },
      // 10 − 4 (no description) − 2 (parameters) − 2 (what they are) − 1 (unit) = 1.
      example(
        'wait_for_bill',
        '',
        { bill: { type: 'string' }, timeout: { type: 'number' }, ref: { type: 'string' } },
        { required: ['bill', 'timeout', 'ref'] },
      ),
    ]);
    expect(
      report.tools.map(({ toolId, score, deductions }) => [
        toolId.split(':')[1],
        score,
        deductions.map(({ rule, points }) => `${rule} ${points}`),
      ]),
    ).toEqual([
      [
        'wait_for_bill',
        1,
        [
          'missing-description 4',
          'undescribed-parameter 2',
          'mostly-undescribed 2',
          'missing-unit 1',
        ],
      ],
      ['close_invoice', 5, ['short-description 2', 'repeats-name 2', 'undescribed-optional 1']],
      ['delete_invoice', 5, ['conflicting-annotations 4', 'no-guidance 1']],
      ['archive_invoice', 10, []],
    ]);
    // (10 + 5 + 5 + 1) ÷ 4
    expect(report.servers).toEqual([{ server: 'example', score: 5.25, tools: 4 }]);
  });

  it('never raises a score when a rule is added, and gives every deduction a fix', () => {
    // A server of its own for each, because scores are found by tool ID.
    const given = lintRules
      .flatMap(({ bad, good }) => [bad, good])
      .map((tool, at) => ({ ...tool, server: `server${at}` }));
    const ids = lintRules.map(({ id }) => id);
    fc.assert(
      fc.property(
        fc.subarray(given, { minLength: 1, maxLength: 8 }),
        fc.subarray(ids),
        fc.constantFrom(...ids),
        (tools, off, added) => {
          const before = lintTools(tools, { off: new Set([...off, added]) });
          const after = lintTools(tools, { off: new Set(off.filter((id) => id !== added)) });
          const scores = new Map(before.tools.map(({ toolId, score }) => [toolId, score]));
          for (const { toolId, score, deductions } of after.tools) {
            expect(score).toBeLessThanOrEqual(scores.get(toolId) ?? 0);
            expect(score).toBeGreaterThanOrEqual(1);
            for (const { fix } of deductions) expect(fix).toMatch(/^[A-Z].+[.”]$/u);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('says in plain words what each rule costs points for', () => {
    const unnamed = lintRules.filter(({ id }) => qualityCause(id) === id);
    expect(unnamed.map(({ id }) => id)).toEqual([]);
  });

  it.each([
    [
      'an end of examples in brackets',
      example(
        'find_places',
        'Finds places of one kind (restaurants, schools, parks, etc.) within a region. Returns at most 20.',
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
        { cells: { type: 'array', items: {} } },
        { required: ['cells'] },
      ),
    ],
    ['a sentence without spaces', example('get_recipes', '获取所有菜谱的列表，按照名称排序。')],
    [
      'a name that explains itself',
      example(
        'open_page',
        'Opens a page in the browser that is running. Returns its title.',
        { url: { type: 'string' } },
        { required: ['url'] },
      ),
    ],
  ])('reports nothing for %s', (_what, tool) => {
    expect(lintTools([tool]).findings).toEqual([]);
  });

  it('misses no parameter in a schema that is put together', () => {
    const tool = {
      ...example('send', 'Sends one letter to a person by post.'),
      inputSchema: {
        type: 'object',
        required: ['to'],
        allOf: [{ properties: { to: { type: 'string' } } }],
      },
    };
    expect(rulesOf(tool, '')).toEqual(['schema-root']);
  });
});
