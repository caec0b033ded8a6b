import { ORPCError } from '@orpc/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ErrorData } from '../../../src-shared/contract/errors.ts';
import {
  statusTransitions,
  toolContent,
  toolStatuses,
  type ToolStatus,
} from '../../../src-shared/domain/workshop.ts';
import { createTestWorkshop, noSignal, toolOf, type TestWorkshop } from '../../testing/workshop.ts';

const create = (at: TestWorkshop, change: Record<string, unknown> = {}) =>
  at.workshop.create({ content: toolOf(change), categoryId: null, changelog: '' }, noSignal);
const refusal = async (work: Promise<unknown>): Promise<ErrorData & { code: string }> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ORPCError)) throw new Error(`It was not refused: ${String(error)}`);
  return { ...(error.data as ErrorData), code: error.code };
};
/** How each state is reached from the first one. */
const ways: Record<ToolStatus, ToolStatus[]> = {
  DRAFT: [],
  ACTIVE: ['ACTIVE'],
  DISABLED: ['ACTIVE', 'DISABLED'],
  DEPRECATED: ['ACTIVE', 'DEPRECATED'],
};
const counted = (at: TestWorkshop, table: string): number =>
  Number(at.database.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());

describe('tool status', () => {
  it.each(toolStatuses.flatMap((from) => toolStatuses.map((to) => [from, to] as const)))(
    '%s → %s follows the rules',
    async (from, to) => {
      await using at = createTestWorkshop();
      const { id } = await create(at);
      for (const status of ways[from]) await at.workshop.setStatus({ id, status }, noSignal);
      if (statusTransitions[from].includes(to))
        expect(await at.workshop.setStatus({ id, status: to }, noSignal)).toMatchObject({
          status: to,
          version: 1,
        });
      else {
        expect(await refusal(at.workshop.setStatus({ id, status: to }, noSignal))).toMatchObject({
          code: 'INVALID',
          field: 'status',
          cause: `It is ${from} and can't become ${to}.`,
        });
        expect(await at.workshop.get({ id }, noSignal)).toMatchObject({ status: from });
      }
    },
  );

  it.each(toolStatuses)('deletes a %s tool and restores it with its status', async (from) => {
    await using at = createTestWorkshop();
    const { id } = await create(at, { tags: ['b', 'a'] });
    expect(await at.workshop.tags(undefined, noSignal)).toEqual(['a', 'b']);
    for (const status of ways[from]) await at.workshop.setStatus({ id, status }, noSignal);
    await at.workshop.remove({ id }, noSignal);
    expect(
      (await at.workshop.list({ search: '', deleted: false, offset: 0, limit: 10 }, noSignal))
        .total,
    ).toBe(0);
    expect((await at.workshop.models({ form: 'mcp' }, noSignal)).tools).toEqual([]);
    expect(await refusal(at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal))).toMatchObject({
      code: 'CONFLICT',
    });
    expect(await at.workshop.tags(undefined, noSignal)).toEqual([]);
    expect(await at.workshop.undelete({ id }, noSignal)).toMatchObject({
      status: from,
      version: 1,
      deletedAt: null,
    });
  });

  it('purges only deleted tools, with all their rows', async () => {
    await using at = createTestWorkshop();
    const { id } = await create(at);
    expect(await refusal(at.workshop.purge({ id }, noSignal))).toMatchObject({ code: 'CONFLICT' });
    await at.workshop.execute({ tool: id, arguments: { text: 'a' }, activeOnly: false }, noSignal);
    await at.workshop.remove({ id }, noSignal);
    expect([
      counted(at, 'tools'),
      counted(at, 'tool_versions'),
      counted(at, 'tool_executions'),
    ]).toEqual([1, 1, 1]);
    await at.workshop.purge({ id }, noSignal);
    expect([
      counted(at, 'tools'),
      counted(at, 'tool_versions'),
      counted(at, 'tool_executions'),
    ]).toEqual([0, 0, 0]);
  });
});

describe('versions', () => {
  it('are gapless with one latest after any sequence of saves and restores', async () => {
    await using at = createTestWorkshop();
    let count = 0;
    const step = fc.oneof(
      fc.record({
        save: fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== ''),
      }),
      fc.record({ restore: fc.nat({ max: 20 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const made = await create(at, { name: `tool_${(count += 1)}` });
        const expected = [made.content];
        for (const one of steps) {
          if ('save' in one) {
            const content = { ...made.content, description: one.save.trim() };
            await at.workshop.save(
              { id: made.id, content, changelog: 'x', baseVersion: expected.length },
              noSignal,
            );
            expected.push(content);
          } else {
            const version = (one.restore % expected.length) + 1;
            await at.workshop.restore({ id: made.id, version }, noSignal);
            expected.push(expected[version - 1]!);
          }
        }
        const versions = await at.workshop.versions({ id: made.id }, noSignal);
        expect(versions.map(({ version }) => version)).toEqual(
          Array.from({ length: expected.length }, (_, index) => expected.length - index),
        );
        expect(versions.filter(({ isLatest }) => isLatest).map(({ version }) => version)).toEqual([
          expected.length,
        ]);
        for (const [index, content] of expected.entries())
          expect(
            (await at.workshop.version({ id: made.id, version: index + 1 }, noSignal)).content,
          ).toEqual(content);
        expect(await at.workshop.get({ id: made.id }, noSignal)).toMatchObject({
          version: expected.length,
          content: expected.at(-1),
        });
      }),
      { numRuns: 25 },
    );
  });

  it('are not overwritten by a save based on an older version', async () => {
    await using at = createTestWorkshop();
    const { id, content } = await create(at);
    await at.workshop.save(
      { id, content: { ...content, description: 'Theirs.' }, changelog: '', baseVersion: 1 },
      noSignal,
    );
    expect(
      await refusal(
        at.workshop.save(
          { id, content: { ...content, description: 'Mine.' }, changelog: '', baseVersion: 1 },
          noSignal,
        ),
      ),
    ).toMatchObject({ code: 'CONFLICT', field: 'baseVersion' });
    expect(await at.workshop.get({ id }, noSignal)).toMatchObject({
      version: 2,
      content: { description: 'Theirs.' },
    });
  });

  it('do not change with status or category, and an unknown version is rejected', async () => {
    await using at = createTestWorkshop();
    const { id } = await create(at);
    const category = await at.workshop.createCategory(
      { name: 'text', description: null, parentId: null },
      noSignal,
    );
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    expect(await at.workshop.setCategory({ id, categoryId: category.id }, noSignal)).toMatchObject({
      version: 1,
      categoryId: category.id,
    });
    expect(await at.workshop.versions({ id }, noSignal)).toHaveLength(1);
    expect(await refusal(at.workshop.restore({ id, version: 2 }, noSignal))).toMatchObject({
      code: 'NOT_FOUND',
      field: 'version',
    });
    expect(await refusal(at.workshop.version({ id, version: 9 }, noSignal))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

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
    await create(at, { name: 'taken' });
    const error = await refusal(create(at, { name: 'other_tool', ...change }));
    expect(error.field).toBe(field);
    expect(error.cause.length).toBeGreaterThan(5);
    expect([counted(at, 'tools'), counted(at, 'tool_versions')]).toEqual([1, 1]);
  });

  it.each(['', 'Upper', '1st', 'two__parts', '_x', 'x_', 'a-b', 'ä', 'x'.repeat(101)])(
    'rejects the name %j',
    (name) => {
      expect(() => toolOf({ name })).toThrow();
    },
  );

  it('checks draft-07 and 2020-12 schemas by their own rules', async () => {
    await using at = createTestWorkshop();
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
    await create(at, { name: 'newer', inputSchema: { type: 'object', properties: { a: tuple } } });
    await create(at, {
      name: 'older',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { a: { type: 'array', items: [{ type: 'string' }] } },
      },
    });
    expect(
      await refusal(
        create(at, {
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
    const { id } = await create(at, {
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
      cause: '"n" is required and missing.',
    });
    expect(await run({ n: {}, extra: 1 })).toMatchObject({ field: 'arguments.extra' });
    expect(counted(at, 'tool_executions')).toBe(0);
  });

  it('T36: stops a hostile schema at its time limit', async () => {
    await using at = createTestWorkshop();
    const { id } = await create(at, {
      inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } },
    });
    const error = await refusal(
      at.workshop.start(
        { tool: id, arguments: { text: `${'a'.repeat(40)}!` }, activeOnly: false },
        noSignal,
      ),
    );
    expect(error.cause).toContain('did not come to an end in time');
  });
});

describe('categories', () => {
  it('reject a parent below themselves, and pass tools to the parent when removed', async () => {
    await using at = createTestWorkshop();
    const make = (name: string, parentId: string | null) =>
      at.workshop.createCategory({ name, description: null, parentId }, noSignal);
    const top = await make('top', null);
    const middle = await make('middle', top.id);
    const bottom = await make('bottom', middle.id);
    for (const parent of [top, middle, bottom]) {
      expect(
        await refusal(
          at.workshop.updateCategory(
            { id: top.id, name: 'top', description: null, parentId: parent.id },
            noSignal,
          ),
        ),
      ).toMatchObject({ code: 'INVALID', field: 'parentId' });
    }
    expect(await refusal(make('top', null))).toMatchObject({ code: 'CONFLICT', field: 'name' });
    expect(await refusal(make('orphan', 'nowhere'))).toMatchObject({
      code: 'CONFLICT',
      field: 'parentId',
    });
    const { id } = await create(at);
    await at.workshop.setCategory({ id, categoryId: bottom.id }, noSignal);
    const within = async (categoryId: string | null) =>
      (
        await at.workshop.list(
          { search: '', deleted: false, categoryId, offset: 0, limit: 10 },
          noSignal,
        )
      ).total;
    expect([await within(top.id), await within(bottom.id), await within(null)]).toEqual([1, 1, 0]);
    await at.workshop.removeCategory({ id: middle.id }, noSignal);
    await at.workshop.removeCategory({ id: bottom.id }, noSignal);
    expect(await at.workshop.get({ id }, noSignal)).toMatchObject({ categoryId: top.id });
    expect(await at.workshop.categories(undefined, noSignal)).toMatchObject([{ name: 'top' }]);
  });
});

describe('search', () => {
  it('finds words by prefix in names and descriptions, and treats operators as text', async () => {
    await using at = createTestWorkshop();
    await create(at, {
      name: 'send_mail',
      displayName: 'Briefträger',
      description: 'Brings letters.',
      tags: ['out'],
    });
    await create(at, {
      name: 'read_mail',
      displayName: 'Reader',
      description: 'Reads "letters" OR parcels.',
    });
    const find = async (search: string, more: object = {}) =>
      (
        await at.workshop.list({ search, deleted: false, offset: 0, limit: 10, ...more }, noSignal)
      ).rows.map(({ name }) => name);
    expect(await find('mail')).toEqual(['read_mail', 'send_mail']);
    expect(await find('SEND let')).toEqual(['send_mail']);
    expect(await find('brieftra')).toEqual(['send_mail']);
    expect(await find('letters NOT mail')).toEqual([]);
    expect(await find('"')).toEqual([]);
    expect(await find('mail*) OR (x')).toEqual([]);
    expect(await find('', { tag: 'out' })).toEqual(['send_mail']);
    expect(await at.workshop.tags(undefined, noSignal)).toEqual(['out']);
    expect(
      (await at.workshop.list({ search: '', deleted: false, offset: 1, limit: 1 }, noSignal)).total,
    ).toBe(2);
    const { id, content } = await at.workshop.getByName({ name: 'send_mail' }, noSignal);
    await at.workshop.save(
      { id, content: { ...content, displayName: 'Postbote' }, changelog: '', baseVersion: 1 },
      noSignal,
    );
    expect([await find('brieftra'), await find('postb')]).toEqual([[], ['send_mail']]);
  });
});

describe('drafts', () => {
  it('survive a restart, list their problems by field and end with a save', async () => {
    await using at = createTestWorkshop();
    const { id, content } = await create(at);
    const draft = {
      name: 'Bad',
      displayName: '',
      description: 'x',
      tags: 'a, b',
      executorType: 'shell' as const,
      inputSchema: '{"type":',
      outputSchema: '',
      executorConfig: '',
      scriptContent: 'cat',
    };
    await at.workshop.keepDraft({ id, draft, baseVersion: 1 }, noSignal);
    at.database.reopen();
    expect(at.database.store.workshop.draft(id)).toMatchObject({ draft, baseVersion: 1 });
    await using again = createTestWorkshop({ database: at.database });
    const { problems, content: read } = await again.workshop.check({ draft, id }, noSignal);
    expect(read).toBeNull();
    expect(problems.map(({ field }) => field)).toEqual(['inputSchema', 'name', 'displayName']);
    await again.workshop.save({ id, content, changelog: '', baseVersion: 1 }, noSignal);
    expect(await again.workshop.draft({ id }, noSignal)).toBeNull();
    expect(toolContent.safeParse(content).success).toBe(true);
  });
});

describe('import and export', () => {
  it('round-trips a tool and adds no version when nothing changed', async () => {
    await using at = createTestWorkshop();
    const above = await at.workshop.createCategory(
      { name: 'text', description: null, parentId: null },
      noSignal,
    );
    const below = await at.workshop.createCategory(
      { name: 'echoes', description: null, parentId: above.id },
      noSignal,
    );
    const { id, content } = await create(at, {
      tags: ['a'],
      outputSchema: { type: 'object' },
      scriptContent: '#!/bin/sh\ncat\n',
    });
    await at.workshop.setCategory({ id, categoryId: below.id }, noSignal);
    const { files } = await at.workshop.export({ ids: null }, noSignal);
    expect(files.map(({ path }) => path)).toEqual(['echo_text.tool.json', 'echo_text.sh']);
    expect(await at.workshop.import({ files, changelog: '' }, noSignal)).toMatchObject({
      tools: [{ act: 'same', version: 1 }],
    });
    await using other = createTestWorkshop();
    const { tools } = await other.workshop.import({ files, changelog: '' }, noSignal);
    expect(tools).toMatchObject([{ act: 'create', version: 1 }]);
    expect((await other.workshop.getByName({ name: 'echo_text' }, noSignal)).content).toEqual(
      content,
    );
    expect((await other.workshop.export({ ids: null }, noSignal)).files).toEqual(files);
  });

  it.each([
    ['broken JSON', [{ path: 'a.tool.json', text: '{\n  "name": }' }], /not JSON/],
    [
      'a missing script',
      [
        {
          path: 'a.tool.json',
          text: JSON.stringify({
            touchstone_tool: 1,
            name: 'a',
            description: 'x',
            executor_type: 'python',
            script: 'a.py',
          }),
        },
      ],
      /missing beside it/,
    ],
    [
      'a script outside the folder',
      [
        {
          path: 'a.tool.json',
          text: JSON.stringify({
            touchstone_tool: 1,
            name: 'a',
            description: 'x',
            executor_type: 'python',
            script: '../a.py',
          }),
        },
        { path: '../a.py', text: '1' },
      ],
      /no name of a file beside/,
    ],
    [
      'an unknown field',
      [
        {
          path: 'a.tool.json',
          text: JSON.stringify({
            touchstone_tool: 1,
            name: 'a',
            description: 'x',
            executor_type: 'mcp',
            status: 'ACTIVE',
          }),
        },
      ],
      /status/,
    ],
    [
      'a duplicate name',
      ['a', 'b'].map((name) => ({
        path: `${name}.tool.json`,
        text: JSON.stringify({
          touchstone_tool: 1,
          name: 'same',
          description: 'x',
          executor_type: 'shell',
          executor_config: { command: 'true' },
        }),
      })),
      /as well/,
    ],
    ['files without a tool', [{ path: 'a.py', text: '1' }], /no tool among/],
  ])('T64: imports nothing because of %s', async (_what, files, reason) => {
    await using at = createTestWorkshop();
    const good = {
      path: 'good.tool.json',
      text: JSON.stringify({
        touchstone_tool: 1,
        name: 'good',
        description: 'x',
        executor_type: 'shell',
        executor_config: { command: 'true' },
      }),
    };
    const all = files[0]?.path.endsWith('.py') === true ? files : [good, ...files];
    const { problems } = await at.workshop.previewImport({ files: all }, noSignal);
    expect(problems.map(({ message }) => message).join(' ')).toMatch(reason);
    expect(
      await refusal(at.workshop.import({ files: all, changelog: '' }, noSignal)),
    ).toMatchObject({ code: 'INVALID', field: 'files' });
    expect(counted(at, 'tools')).toBe(0);
  });
});

describe('tools for models', () => {
  it('offers active tools only, in the format of each provider', async () => {
    await using at = createTestWorkshop();
    const { id, content } = await create(at, { outputSchema: { type: 'object' } });
    const long = await create(at, { name: 'x'.repeat(65) });
    expect((await at.workshop.models({ form: 'openai' }, noSignal)).tools).toEqual([]);
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    await at.workshop.setStatus({ id: long.id, status: 'ACTIVE' }, noSignal);
    const { name, description, inputSchema } = content;
    const openai = await at.workshop.models({ form: 'openai' }, noSignal);
    expect(openai.tools).toEqual([
      {
        name,
        tool: { type: 'function', function: { name, description, parameters: inputSchema } },
      },
    ]);
    expect(openai.omitted).toMatchObject([
      { name: long.content.name, reason: expect.stringContaining('64') as string },
    ]);
    expect(await at.workshop.model({ form: 'anthropic', name }, noSignal)).toEqual({
      name,
      description,
      input_schema: inputSchema,
    });
    expect(await at.workshop.model({ form: 'mcp', name }, noSignal)).toMatchObject({
      name,
      inputSchema,
      outputSchema: { type: 'object' },
    });
    expect((await at.workshop.models({ form: 'mcp' }, noSignal)).tools).toHaveLength(2);
    expect(
      await refusal(at.workshop.model({ form: 'openai', name: 'nope' }, noSignal)),
    ).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('registers the workshop once', async () => {
    await using at = createTestWorkshop();
    const first = await at.workshop.register(undefined, noSignal);
    expect(first).toMatchObject({ name: 'workshop', made: true });
    expect(await at.workshop.register(undefined, noSignal)).toEqual({ ...first, made: false });
  });
});
