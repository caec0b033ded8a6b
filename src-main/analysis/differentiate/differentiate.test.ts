import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { applyPatch } from '../../../src-shared/domain/jsonPatch.ts';
import type { AnalysedTool, Differentiation } from '../../../src-shared/domain/similarity.ts';
import { createDifferentiator } from './differentiate.ts';

const tool = (
  name: string,
  description: string,
  properties: JsonObject = {},
  server = 'fs',
): AnalysedTool => ({ server, name, description, inputSchema: { type: 'object', properties } });
const definition = ({ name, description, inputSchema }: AnalysedTool): JsonValue => ({
  name,
  ...(description === '' ? {} : { description }),
  inputSchema,
});
const advise = (a: AnalysedTool, b: AnalysedTool): Differentiation =>
  createDifferentiator([a, b]).advise(a, b, 0.9);

const path: JsonObject = { path: { type: 'string' } };
const read = tool('read_file', 'Reads the text of a file in the project folder.', path);
const write = tool('write_file', 'Writes the text of a file in the project folder.', path);

describe('recommendations without a model', () => {
  it('suggest a boundary sentence for read/write twins', () => {
    const { issues, recommendations } = advise(read, write);
    expect(issues.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['scope_clarity', 'terminology_overlap', 'parameter_uniqueness']),
    );
    const scope = recommendations.find(
      (one) => one.issue === 'scope_clarity' && one.toolId === 'fs:read_file',
    );
    expect(JSON.stringify(recommendations)).not.toContain('[object');
    expect(scope?.recommendation).toContain('"read"');
    expect(scope?.recommendation).toContain('"write"');
    expect(applyPatch(definition(read), scope?.applyCommands ?? [])).toMatchObject({
      description:
        'Reads the text of a file in the project folder. Use it for "read"; for "write" use write_file.',
    });
  });

  it('take the words of the boundary from the tool names', () => {
    const create = tool(
      'create_relations',
      'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
    );
    const scope = advise(
      create,
      tool('delete_relations', 'Delete multiple relations from the knowledge graph'),
    ).recommendations.find(
      (one) => one.issue === 'scope_clarity' && one.toolId === 'fs:create_relations',
    );
    expect(scope?.recommendation).toBe(
      'Say in "fs:create_relations" where it ends: "Use it for "create"; for "delete" use delete_relations."',
    );
  });

  it('report names that differ by almost nothing', () => {
    const { issues } = advise(
      tool('list_note_items', 'Shows what is in a note.'),
      tool('list_note_item', 'Opens a letter.'),
    );
    expect(issues.find(({ type }) => type === 'naming_clarity')?.evidence).toBe(
      '"list_note_items" and "list_note_item" share "list", "note" and "items" and nothing sets them apart.',
    );
  });

  it('suggest unused names with the server for equal tools on two servers', () => {
    const a = tool('search', 'Searches.', {}, 'github');
    const b = tool('search', 'Searches.', {}, 'web_mcp');
    const names = createDifferentiator([a, b, tool('github_search', '', {}, 'github')])
      .advise(a, b, 1)
      .recommendations.filter(({ issue }) => issue === 'naming_clarity');
    expect(names.map(({ applyCommands }) => applyCommands[0])).toMatchObject([
      { value: expect.not.stringMatching(/^github_search$/) as unknown },
      { value: 'web_search' },
    ]);
  });

  it('suggest removing a shared example from one of the tools', () => {
    const a = tool('find_note', 'Finds a note by its words, e.g. "milk and bread".');
    const b = tool('list_todo', 'Shows what is to be done (for example "milk and bread").');
    const found = advise(a, b).recommendations.filter(
      ({ issue }) => issue === 'example_distinctiveness',
    );
    expect(found[0]?.recommendation).toContain('"milk and bread"');
    expect(applyPatch(definition(b), found[1]?.applyCommands ?? [])).toMatchObject({
      description: 'Shows what is to be done.',
    });
  });

  it('quote words of the tools and apply as patches, for any pair', () => {
    const words = fc
      .array(fc.constantFrom('read', 'file', 'send', 'mail', 'note', '获取', 'e.g. "x y"'), {
        maxLength: 6,
      })
      .map((list) => list.join(' '));
    const one = fc.record({
      name: fc.constantFrom('read_file', 'readFile', 'read', 'a/b~c', 'get-note'),
      description: words,
      properties: fc.dictionary(
        fc.constantFrom('path', 'a/b', '~x'),
        fc.constantFrom<JsonValue>({ type: 'string' }, true, { description: 'A place' }),
      ),
    });
    fc.assert(
      fc.property(one, one, (x, y) => {
        const [a, b] = [
          tool(x.name, x.description, x.properties),
          tool(y.name, y.description, y.properties, 'mail'),
        ];
        const { issues, recommendations } = advise(a, b);
        expect(issues.length).toBeGreaterThan(0);
        for (const { evidence } of issues) expect(evidence).toMatch(/"[^"]+"/);
        for (const item of recommendations) {
          const own = item.toolId === 'fs:' + a.name ? a : b;
          expect(item.recommendation).toMatch(/"[^"]+"/);
          expect(item.rationale).toMatch(/"[^"]+"/);
          applyPatch(definition(own), item.applyCommands);
        }
        // One after the other, as somebody would who takes them all.
        applyPatch(
          definition(a),
          recommendations
            .filter(({ toolId }) => toolId === 'fs:' + a.name)
            .flatMap(({ applyCommands }) => applyCommands),
        );
      }),
    );
  });

  it('patch the schema key that the definition uses', () => {
    const commands = createDifferentiator([read, write], 'input_schema')
      .advise(read, write, 1)
      .recommendations.flatMap(({ applyCommands }) => applyCommands);
    expect(
      commands.some((command) => command.path.startsWith('/input_schema/properties/path')),
    ).toBe(true);
    expect(JSON.stringify(commands)).not.toContain('/inputSchema');
  });
});
