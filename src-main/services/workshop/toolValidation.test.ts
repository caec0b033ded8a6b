import { describe, expect, it } from 'vitest';
import { createTestWorkshop, noSignal, toolOf } from '../../testing/workshop.ts';
import { createTool, refusal, countRows } from './workshopService.fixture.ts';

describe('invalid input', () => {
  it.each([
    ['a name that is taken', { name: 'taken' }, 'content.name'],
    [
      'a schema that breaks its meta-schema',
      { inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } },
      'content.inputSchema.properties.a.type',
    ],
    [
      'an invalid pattern',
      { inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
      'content.inputSchema',
    ],
    [
      'a schema that does not describe an object',
      { inputSchema: { type: 'array' } },
      'content.inputSchema.type',
    ],
    [
      'a dangling reference',
      { inputSchema: { type: 'object', $ref: '#/$defs/none' } },
      'content.inputSchema',
    ],
    [
      'an unsupported dialect',
      { inputSchema: { type: 'object', $schema: 'http://json-schema.org/draft-04/schema#' } },
      'content.inputSchema',
    ],
    ['a broken output schema', { outputSchema: { type: 7 } }, 'content.outputSchema.type'],
    [
      'a shell tool without script and command',
      { scriptContent: null, executorConfig: {} },
      'content.scriptContent',
    ],
    [
      'a template with an unknown parameter',
      { executorConfig: { args: ['{{nope}}'] } },
      'content.executorConfig.args',
    ],
    [
      'a host taken from a parameter',
      { executorType: 'http', scriptContent: null, executorConfig: { url: 'https://{{text}}/x' } },
      'content.executorConfig.url',
    ],
    [
      'an address with another scheme',
      { executorType: 'http', scriptContent: null, executorConfig: { url: 'file:///etc/passwd' } },
      'content.executorConfig.url',
    ],
  ])('rejects %s and saves nothing', async (_what, change, field) => {
    await using at = createTestWorkshop();
    await createTool(at, { name: 'taken' });
    const error = await refusal(createTool(at, { name: 'other_tool', ...change }));
    expect(error.field).toBe(field);
    expect(error.cause.length).toBeGreaterThan(5);
    expect([countRows(at, 'tools'), countRows(at, 'tool_versions')]).toEqual([1, 1]);
  });

  it.each(['', 'Upper', '_', '___', 'a-b', 'a b', 'ä', 'x'.repeat(101)])(
    'rejects the name %j',
    (name) => {
      expect(() => toolOf({ name })).toThrow();
    },
  );

  it.each(['1st', 'two__parts', '_x', 'x_', '2', 'x'.repeat(100)])('takes the name %j', (name) => {
    expect(toolOf({ name }).name).toBe(name);
  });

  it('checks draft-07 and 2020-12 schemas by their own rules', async () => {
    await using at = createTestWorkshop();
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
    await createTool(at, {
      name: 'newer',
      inputSchema: { type: 'object', properties: { a: tuple } },
    });
    await createTool(at, {
      name: 'older',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { a: { type: 'array', items: [{ type: 'string' }] } },
      },
    });
    expect(
      await refusal(
        createTool(at, {
          name: 'mixed',
          inputSchema: {
            type: 'object',
            properties: { a: { type: 'array', items: [{ type: 'string' }] } },
          },
        }),
      ),
    ).toMatchObject({ code: 'INVALID' });
  });

  it('rejects arguments that break the schema and names the field', async () => {
    await using at = createTestWorkshop();
    const { id } = await createTool(at, {
      inputSchema: {
        type: 'object',
        properties: {
          n: { type: 'object', properties: { deep: { type: 'integer', minimum: 1 } } },
        },
        required: ['n'],
        additionalProperties: false,
      },
    });
    const run = (args: Record<string, never> | object) =>
      refusal(at.workshop.start({ tool: id, arguments: args, activeOnly: false }, noSignal));
    expect(await run({ n: { deep: 0 } })).toMatchObject({
      code: 'INVALID',
      field: 'arguments.n.deep',
    });
    expect(await run({})).toMatchObject({
      field: 'arguments.n',
      cause: '"n" is required.',
    });
    expect(await run({ n: {}, extra: 1 })).toMatchObject({ field: 'arguments.extra' });
    // One line per field, so that a caller can correct all of them at once.
    const { cause } = (await run({ n: { deep: 0 }, extra: 1 })) as { cause: string };
    expect(
      cause
        .split('\n')
        .map((line) => /deep|extra/.exec(line)?.[0])
        .sort(),
    ).toEqual(['deep', 'extra']);
    expect(countRows(at, 'tool_executions')).toBe(0);
  });

  it('T36: stops a hostile schema at its time limit', async () => {
    await using at = createTestWorkshop();
    const { id } = await createTool(at, {
      inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
    });
    const error = await refusal(
      at.workshop.start(
        { tool: id, arguments: { text: `${'a'.repeat(40)}!` }, activeOnly: false },
        noSignal,
      ),
    );
    expect(error.cause).toContain('timed out');
  });
});
