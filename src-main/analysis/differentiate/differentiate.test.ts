import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { applyPatch } from '../../testing/jsonPatch.ts';
import { issueTypes, type AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { createDifferentiator } from './differentiate.ts';

const tool = (
  name: string,
  description: string,
  server = 'fs',
  properties: JsonObject = {},
): AnalysedTool => ({
  server,
  name,
  description,
  inputSchema: { type: 'object', properties },
});
const text = { type: 'string' };
const adviseOn = (a: AnalysedTool, b: AnalysedTool, signals?: ReadonlySet<string>) =>
  createDifferentiator([a, b], signals).advise(a, b, 0.9);

describe('issues of a pair', () => {
  it.each([
    [
      'an empty description',
      tool('save', ''),
      tool('weather', 'Tells of rain.'),
      'scope_clarity',
      'high',
      'fs:save has no description.',
      'fs:save',
    ],
    [
      'a description whose words are all in the other one',
      tool('weigh_box', 'Weigh boxes in the hall.'),
      tool('ship_crate', 'Weigh boxes in the hall, seal them with tape, and call the courier.'),
      'scope_clarity',
      'high',
      '3 of 3 words of fs:weigh_box are in fs:ship_crate too: “weigh”, “boxes”, “hall”.',
      'fs:weigh_box',
    ],
    [
      'the same name on two servers',
      tool('search', 'Find pages on the web.', 'web'),
      tool('search', 'Look for issues.', 'tracker'),
      'naming_clarity',
      'high',
      'Both tools are named search: web:search and tracker:search.',
      'web:search',
    ],
    [
      'names that differ in one word of three',
      tool('list_open_issues', 'Shows what waits.'),
      tool('list_closed_issues', 'Archive of finished work.'),
      'naming_clarity',
      'low',
      'The names list_open_issues and list_closed_issues differ only by “open”, “closed”.',
      null,
    ],
    [
      'names with the same words',
      tool('note_list', 'Shows what waits.'),
      tool('listNotes', 'Archive of finished work.'),
      'naming_clarity',
      'high',
      'The names note_list and listNotes have the same words.',
      null,
    ],
    [
      'the same example in both descriptions',
      tool('find_note', 'Finds a note by its words, e.g. "Milk and bread".'),
      tool('open_todo', 'Shows a shopping list (for example “milk and bread”).'),
      'example_distinctiveness',
      'medium',
      'fs:find_note and fs:open_todo give the same example: “milk and bread”.',
      null,
    ],
    [
      'the same example of a parameter',
      tool('paint', 'Colors a wall.', 'fs', { c: { type: 'string', examples: ['red'] } }),
      tool('dye', 'Soaks cloth.', 'fs', { shade: { description: 'Such as "red"' } }),
      'example_distinctiveness',
      'medium',
      'fs:paint and fs:dye give the same example: “red”.',
      null,
    ],
    [
      'the same parameters',
      tool('fetch_page', 'Gets HTML.', 'fs', { url: text, depth: { type: 'integer' } }),
      tool('crawl_site', 'Follows links.', 'fs', { url: text, depth: { type: 'integer' } }),
      'parameter_uniqueness',
      'medium',
      '2 of 2 parameters have the same name and type in both: “depth:integer”, “url:string”.',
      null,
    ],
    [
      'half of the parameters',
      tool('fetch_page', 'Gets HTML.', 'fs', { url: text, depth: { type: 'integer' } }),
      tool('crawl_site', 'Follows links.', 'fs', { url: text }),
      'parameter_uniqueness',
      'low',
      '1 of 2 parameters has the same name and type in both: “url:string”.',
      null,
    ],
    [
      'descriptions in the same words',
      tool('grant', 'Add a reader to the shared team folder by email'),
      tool('revoke', 'Take a reader from the shared team folder by email'),
      'terminology_overlap',
      'medium',
      'The descriptions share 5 of 7 words:',
      null,
    ],
  ] as const)('%s', (_what, a, b, type, priority, evidence, toolId) => {
    const { issues, recommendations } = adviseOn(a, b);
    const issue = issues.find((one) => one.type === type);
    expect(issue).toMatchObject({
      priority,
      evidence: expect.stringContaining(evidence) as string,
    });
    const item = recommendations.find((one) => one.issue === type);
    expect(item).toMatchObject({ toolId, priority: issue?.priority });
    expect(item?.recommendation).not.toBe('');
    expect(item?.rationale).not.toBe('');
  });

  it('say that no description has a boundary where nothing else is unclear', () => {
    const hover = tool('browser_hover', 'Hover over element on page');
    const evaluate = tool('run_script', 'Evaluate JavaScript expression');
    expect(adviseOn(hover, evaluate)).toMatchObject({
      issues: [
        {
          type: 'scope_clarity',
          priority: 'low',
          evidence: 'Neither fs:browser_hover nor fs:run_script says when to use the other.',
        },
      ],
      recommendations: [
        {
          toolId: null,
          recommendation:
            'Say in one of the descriptions what it does not do, and name the other tool.',
          applyCommands: [],
        },
      ],
    });
    const bounded = tool('run_script', 'Evaluate JavaScript. To point, use browser_hover.');
    expect(adviseOn(hover, bounded)).toMatchObject({
      issues: [{ evidence: 'Only fs:run_script says when to use the other.' }],
      recommendations: [{ toolId: 'fs:browser_hover' }],
    });
  });

  it('are given for a tool with an open signal, without a recommendation', () => {
    const read = tool('read_file', 'Read the text of a file.');
    const load = tool('load_file', 'Read the text of a file.');
    const { issues, recommendations } = adviseOn(read, load, new Set(['fs:read_file']));
    expect(issues.length).toBeGreaterThan(1);
    expect(recommendations).toEqual([]);
  });

  it('are given for names that look the same, without a recommendation', () => {
    expect(adviseOn(tool('delete', 'Removes it.'), tool('dеlete', 'Drops it.'))).toMatchObject({
      issues: [
        {
          type: 'naming_clarity',
          priority: 'high',
          evidence: expect.stringContaining('differ only by letters that look the same') as string,
        },
      ],
      recommendations: [],
    });
  });

  it('are at least one for any pair, most urgent first, with patches that apply', () => {
    const words = fc
      .array(fc.constantFrom('read', 'file', 'send', 'mail', 'note', '获取', 'e.g. "x y"'), {
        maxLength: 6,
      })
      .map((list) => list.join(' '));
    const any = (...servers: string[]) =>
      fc
        .record({
          server: fc.constantFrom(...servers),
          name: fc.constantFrom('read_file', 'readFile', 'read', 'a/b~c', 'get-note', '__proto__'),
          description: words,
          properties: fc.dictionary(
            fc.constantFrom('path', 'a/b', '~x', 'constructor'),
            fc.constantFrom<JsonObject>({ type: 'string' }, { description: 'A place' }, {}),
          ),
        })
        .map(({ server, name, description, properties }) =>
          tool(name, description, server, properties),
        );
    fc.assert(
      fc.property(any('fs'), any('mail', 'fs'), (a, b) => {
        const { issues, recommendations } = adviseOn(a, b);
        const rank = { high: 0, medium: 1, low: 2 };
        expect(issues.length).toBeGreaterThan(0);
        expect(new Set(issues.map(({ type }) => type)).size).toBe(issues.length);
        expect(issues.map(({ priority }) => rank[priority])).toEqual(
          issues.map(({ priority }) => rank[priority]).sort(),
        );
        for (const { type, evidence } of issues) {
          expect(issueTypes).toContain(type);
          expect(evidence).not.toMatch(/undefined|\[object/);
        }
        for (const { issue, toolId, applyCommands } of recommendations) {
          expect(issues.map(({ type }) => type)).toContain(issue);
          const { name, description, inputSchema } = toolId === `${b.server}:${b.name}` ? b : a;
          applyPatch({ name, description, inputSchema }, applyCommands);
        }
      }),
    );
  });
});

describe('recommendations for a pair', () => {
  it('give a boundary for neighbors as a patch that applies', () => {
    const list = tool('list_directory', 'Get a listing of all files in a path.');
    const sizes = tool(
      'list_directory_with_sizes',
      'Get a listing of all files in a path with sizes.',
    );
    const { issues, recommendations } = adviseOn(list, sizes);
    expect(issues.map(({ type }) => type)).toEqual([
      'scope_clarity',
      'terminology_overlap',
      'naming_clarity',
    ]);
    const patched = recommendations.filter(({ applyCommands }) => applyCommands.length > 0);
    expect(patched.map(({ toolId }) => toolId)).toEqual(['fs:list_directory']);
    expect(applyPatch({ description: list.description }, patched[0]?.applyCommands ?? [])).toEqual({
      description:
        'Get a listing of all files in a path. To get a listing of all files in a path with sizes, use list_directory_with_sizes instead.',
    });
  });

  it('only hide a deprecated tool, and patch nothing', () => {
    const old = tool('read_file', 'Read a file as text. DEPRECATED: Use read_text_file instead.');
    const current = tool('read_text_file', 'Read a file as text.');
    expect(adviseOn(old, current).recommendations).toMatchObject([
      { toolId: 'fs:read_file', recommendation: 'Hide or remove read_file.', applyCommands: [] },
    ]);
  });
});
