import { describe, expect, it } from 'vitest';
import {
  statusTransitions,
  toolContent,
  toolStatuses,
  type ToolStatus,
} from '../../../src-shared/domain/workshop.ts';
import { createTestWorkshop, noSignal } from '../../testing/workshop.ts';
import { createTool, refusal, countRows } from './workshopService.fixture.ts';

/** The changes that take a new tool to each status. */
const pathFromDraft: Record<ToolStatus, ToolStatus[]> = {
  DRAFT: [],
  ACTIVE: ['ACTIVE'],
  DISABLED: ['ACTIVE', 'DISABLED'],
  DEPRECATED: ['ACTIVE', 'DEPRECATED'],
};

describe('tool status', () => {
  it.each(toolStatuses.flatMap((from) => toolStatuses.map((to) => [from, to] as const)))(
    '%s → %s follows the rules',
    async (from, to) => {
      await using at = createTestWorkshop();
      const { id } = await createTool(at);
      for (const status of pathFromDraft[from])
        await at.workshop.setStatus({ id, status }, noSignal);
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
    const { id } = await createTool(at, { tags: ['b', 'a'] });
    expect(await at.workshop.tags(undefined, noSignal)).toEqual(['a', 'b']);
    for (const status of pathFromDraft[from]) await at.workshop.setStatus({ id, status }, noSignal);
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
    const { id } = await createTool(at);
    expect(await refusal(at.workshop.purge({ id }, noSignal))).toMatchObject({ code: 'CONFLICT' });
    await at.workshop.execute({ tool: id, arguments: { text: 'a' }, activeOnly: false }, noSignal);
    await at.workshop.remove({ id }, noSignal);
    expect([
      countRows(at, 'tools'),
      countRows(at, 'tool_versions'),
      countRows(at, 'tool_executions'),
    ]).toEqual([1, 1, 1]);
    await at.workshop.purge({ id }, noSignal);
    expect([
      countRows(at, 'tools'),
      countRows(at, 'tool_versions'),
      countRows(at, 'tool_executions'),
    ]).toEqual([0, 0, 0]);
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
    const { id } = await createTool(at);
    await at.workshop.setCategory({ id, categoryId: bottom.id }, noSignal);
    const within = async (categoryId: string | null) =>
      (
        await at.workshop.list(
          { search: '', deleted: false, categoryId, offset: 0, limit: 10 },
          noSignal,
        )
      ).total;
    expect([await within(top.id), await within(bottom.id), await within(null)]).toEqual([1, 1, 0]);
    expect(await at.workshop.removeCategory({ id: middle.id }, noSignal)).toEqual({
      what: 'Category middle',
      tools: 0,
      categories: 1,
      movedTo: 'top',
    });
    expect(await at.workshop.removeCategory({ id: bottom.id }, noSignal)).toMatchObject({
      tools: 1,
      categories: 0,
      movedTo: 'top',
    });
    expect(await at.workshop.get({ id }, noSignal)).toMatchObject({ categoryId: top.id });
    expect(await at.workshop.categories(undefined, noSignal)).toMatchObject([{ name: 'top' }]);
  });
});

describe('search', () => {
  it('finds any part of names and descriptions, and treats operators as text', async () => {
    await using at = createTestWorkshop();
    await createTool(at, {
      name: 'send_mail',
      displayName: 'Briefträger',
      description: 'Brings letters.',
      tags: ['out'],
    });
    await createTool(at, {
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
    expect(await find('ieftr')).toEqual(['send_mail']);
    expect(await find('letters NOT mail')).toEqual([]);
    expect(await find('"')).toEqual(['read_mail']);
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

  it.each([
    ['ppend', true, 'a part inside a word'],
    ['d_to', true, 'a part across a separator'],
    ['CAFÉ', true, 'another case'],
    ['cafe', true, 'a letter without its accent'],
    ['cafe\u0301', true, 'an accent as a character of its own'],
    ['uber', true, 'a capital letter without its accent'],
    ['買い物', true, 'three Chinese or Japanese characters'],
    ['物', true, 'one Chinese or Japanese character'],
    ['c+', true, 'two characters, one of them an operator'],
    ['É', true, 'one letter'],
    ['x', false, 'one letter that is nowhere'],
    ['c++', true, 'operators of the index'],
    ['"new"', true, 'quotation marks'],
    ['50%', true, 'a wildcard of another syntax'],
    ['5%0', false, 'a wildcard of another syntax inside'],
    ['name:app', false, 'a column filter'],
    ['NEAR(app end)', false, 'a function of the index'],
    ['app- -', false, 'a lone hyphen'],
    ['end café 物', true, 'several parts in several fields'],
    ['end cafés 物', false, 'several parts, one of them nowhere'],
  ])('searches %j and finds the tool: %s (%s)', async (search, isFound) => {
    await using at = createTestWorkshop();
    await createTool(at, {
      name: 'append_to',
      displayName: 'Café Überblick',
      description: 'Adds 買い物 to a "new" c++ list, at 50%.',
    });
    const { total, rows } = await at.workshop.list(
      { search, deleted: false, offset: 0, limit: 10 },
      noSignal,
    );
    expect([total, rows.length]).toEqual(isFound ? [1, 1] : [0, 0]);
  });
});

describe('drafts', () => {
  it('survive a restart, list their problems by field and end with a save', async () => {
    await using at = createTestWorkshop();
    const { id, content } = await createTool(at);
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

describe('tools for models', () => {
  it('offers active tools only, in the format of each provider', async () => {
    await using at = createTestWorkshop();
    const { id, content } = await createTool(at, { outputSchema: { type: 'object' } });
    const long = await createTool(at, { name: 'x'.repeat(65) });
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
