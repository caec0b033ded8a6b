import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { readToolsFile } from './toolsFile.ts';
import { placesInToolsFile } from './toolsFilePlaces.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const read = (content: unknown, name = 'weather.json') =>
  readToolsFile(JSON.stringify(content), name);

function refused(content: string, name = 'weather.json'): ServiceError {
  try {
    readToolsFile(content, name);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('It was read.');
}

describe('readToolsFile', () => {
  it('reads servers with embedded tools, and finds their places', () => {
    const text =
      '{"servers":[\n{"name":"a","tools":[{"name":"go","inputSchema":{}}]},\n{"name":"b","tools":[\n{"name":"go","description":"d"}, 7]}]}';
    const { tools, rejected } = readToolsFile(text, 'servers.json');
    expect(tools.map(({ tool }) => `${tool.server}:${tool.name}`)).toEqual(['a:go', 'b:go']);
    expect(rejected).toEqual([
      { server: 'servers', name: 'tool 3', reason: "It isn't an object." },
    ]);
    expect(placesInToolsFile(text, 'servers.json')('b:go', '/description')).toMatchObject({
      line: 4,
    });
  });

  it('reads the format of this program and counts tokens on the protocol format', () => {
    const { tools, rejected } = read({
      tools: [
        {
          server: 's',
          name: 'forecast',
          description: 'd',
          input_schema: schema,
          output_schema: { type: 'object' },
          title: 'T',
          annotations: { readOnlyHint: true },
        },
        { server: 's', name: 'bare' },
      ],
    });
    expect(rejected).toEqual([]);
    expect(tools).toEqual([
      {
        tool: {
          server: 's',
          name: 'forecast',
          title: 'T',
          description: 'd',
          inputSchema: schema,
          outputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        },
        raw: JSON.stringify({
          name: 'forecast',
          description: 'd',
          inputSchema: schema,
          outputSchema: { type: 'object' },
        }),
      },
      {
        tool: {
          server: 's',
          name: 'bare',
          title: null,
          description: '',
          inputSchema: {},
          outputSchema: null,
          annotations: null,
          schemaless: true,
        },
        raw: '{"name":"bare","description":"","inputSchema":{}}',
      },
    ]);
  });

  it('reads the field names of a corpus', () => {
    const { tools } = read({
      version: 'v1',
      tools: [{ tool_id: 's:forecast', server: 's', tool: 'forecast', description: 'd', schema }],
    });
    expect(tools).toMatchObject([
      {
        tool: { server: 's', name: 'forecast', inputSchema: schema },
        raw: JSON.stringify({ name: 'forecast', description: 'd', inputSchema: schema }),
      },
    ]);
  });

  it.each(['plain', 'in its JSON-RPC envelope'])(
    'reads a tools/list result (%s) unchanged, with all keys in order',
    (shape) => {
      const entry = {
        inputSchema: schema,
        description: 'd',
        name: 'forecast',
        _meta: { 'x/y': [1] },
      };
      const result = { tools: [entry] };
      const { tools } = read(
        shape === 'plain' ? result : { jsonrpc: '2.0', id: 1, result },
        '/tmp/my:weather.tools.json',
      );
      expect(tools).toMatchObject([
        {
          tool: { server: 'my_weather.tools', name: 'forecast', inputSchema: schema },
          raw: JSON.stringify(entry),
        },
      ]);
    },
  );

  it('T21: reports invalid tools and keeps the valid ones', () => {
    const { tools, rejected } = read({
      tools: [
        'a text',
        { server: 's' },
        { server: 's', name: 'null', input_schema: [] },
        { server: 's', name: 'good' },
        { server: 's', name: 'good', description: 'again' },
        { server: 'a:b', name: 'c' },
      ],
    });
    expect(tools.map(({ tool }) => [tool.name, tool.description])).toEqual([['good', '']]);
    expect(rejected).toEqual([
      { server: 'weather', name: 'tool 1', reason: "It isn't an object." },
      { server: 's', name: 'tool 2', reason: 'It has no name.' },
      { server: 's', name: 'null', reason: "Its input schema isn't an object." },
      { server: 's', name: 'good', reason: expect.stringContaining('has this name') },
      { server: 'a:b', name: 'c', reason: expect.stringContaining('colon') },
    ]);
  });

  it('T64: rejects a schema of depth 100,000 by the name of its tool', () => {
    const text = `{"tools":[{"name":"deep","inputSchema":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}},{"name":"fine"}]}`;
    const { tools, rejected } = readToolsFile(text, 'x.json');
    expect(tools.map(({ tool }) => tool.name)).toEqual(['fine']);
    expect(rejected).toMatchObject([
      { name: 'deep', reason: expect.stringMatching(/nested deeper/) },
    ]);
  });

  it('T21: refuses one page of a longer list', () => {
    for (const nextCursor of ['page-2', '']) {
      expect(
        refused(JSON.stringify({ result: { tools: [{ name: 'a' }], nextCursor } })).data.cause,
      ).toContain('one page');
    }
    expect(read({ tools: [{ name: 'a' }], nextCursor: null }).tools).toHaveLength(1);
  });

  it.each([
    ['{"tools":', "It isn't valid JSON"],
    ['', 'This is an empty file'],
    ['[]', 'a file without a value in it, not a list of tools'],
    ['null', 'a file without a value in it, not a list of tools'],
    ['[1]', 'no "tools" list'],
    ['{"tools":{}}', 'no "tools" list'],
    ['{"result":{"tools":"x"}}', 'no "tools" list'],
  ])('refuses %j and names the file and the cause', (content, cause) => {
    const error = refused(content);
    expect(error.code).toBe('INVALID');
    expect(error.data).toMatchObject({
      thing: 'The tools file weather.json',
      cause: expect.stringContaining(cause),
      nextStep: expect.stringContaining('tools/list'),
    });
  });

  it('ignores a byte order mark', () => {
    expect(readToolsFile('\uFEFF{"tools":[{"name":"a"}]}', '-').tools).toMatchObject([
      { tool: { server: 'file', name: 'a' } },
    ]);
  });
});
