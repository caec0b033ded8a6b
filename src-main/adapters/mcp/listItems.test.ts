import { afterEach, describe, expect, test } from 'vitest';
import type { ItemKind } from '../../../src-shared/domain/itemKinds.ts';
import type { ItemList } from '../../../src-shared/domain/serverItem.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { never, withConnection } from '../../testing/fakeMcpServer/withConnection.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import type { ConnectorOptions } from './connect.ts';
import type { ListedItems } from './mcpConnection.ts';

afterEach(expectNoLeaks);

const list = (mode: string, options: ConnectorOptions = {}): Promise<ListedItems> =>
  withConnection(fakeStdioServer(mode), (connection) => connection.listItems(never), options);
const keys = ({ items }: ListedItems): string[] =>
  items.map(({ item: { kind, name, uri } }) => `${kind} ${uri ?? name}`);
const listOf = ({ lists }: ListedItems, kind: ItemKind): ItemList | undefined =>
  lists.find((each) => each.kind === kind);
const others = ['resource file:///0.md', 'resource file:///1.md', 'template file:///{path}'];

describe('the lists of prompts and resources', () => {
  test('are read in both eras, over stdio and HTTP', async () => {
    const expected = ['prompt summary', ...others];
    for (const era of ['2025-11-25', '2026-07-28'] as const) {
      const overStdio = await withConnection(fakeStdioServer('items', { era }), (connection) =>
        connection.listItems(never),
      );
      expect(keys(overStdio)).toEqual(expected);
      expect(overStdio.lists.map(({ status }) => status)).toEqual(['listed', 'listed', 'listed']);
    }
    await using server = await startFakeHttpServer('items', 'json');
    const overHttp = await withConnection(server.config(), (connection) =>
      connection.listItems(never),
    );
    expect(keys(overHttp)).toEqual(expected);
  });

  test('are not requested from a server that did not announce them', async () => {
    const listed = await list('items-unannounced');
    expect(listed.items).toEqual([]);
    expect(listed.lists.map(({ status }) => status)).toEqual([
      'not offered',
      'not offered',
      'not offered',
    ]);
  });

  test('count an unknown method as not offered for templates only', async () => {
    const listed = await list('no-templates');
    expect(listOf(listed, 'resource')).toMatchObject({ status: 'listed' });
    expect(listOf(listed, 'template')).toMatchObject({ status: 'not offered', error: null });
  });

  test.each([
    ['prompts-endless', 'the list has more than 1000 pages'],
    ['prompts-same-cursor', 'the server sent the same cursor twice'],
    ['prompts-error', 'The prompts are locked'],
    ['prompts-huge', 'larger than 25 MB'],
  ])('name the cause for %s and keep the other kinds', async (mode, cause) => {
    const listed = await list(mode);
    expect(keys(listed)).toEqual(mode === 'prompts-huge' ? expect.any(Array) : others);
    expect(listOf(listed, 'prompt')).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(new RegExp(`^prompts/list: .*${cause}`)) as string,
    });
  });

  test('stop at their deadline, each on its own', async () => {
    const listed = await list('prompts-silent', { deadlines: { listMs: 1_500 } });
    expect(keys(listed)).toEqual(others);
    expect(listOf(listed, 'prompt')?.error).toContain('prompts/list: no answer in 1.5 s');
  });

  test('fail with the exit of the server and reject nothing', async () => {
    const listed = await list('exit-at-prompts');
    expect(listOf(listed, 'prompt')?.error).toContain('exit');
  });

  test('reject bad entries by name and keep the others', async () => {
    const listed = await list('prompts-bad');
    expect(listOf(listed, 'prompt')?.rejected).toEqual([
      { name: '(prompt 1)', reason: "It isn't an object." },
      { name: '(prompt 2)', reason: 'It has no name.' },
      {
        name: 'twice',
        reason: 'The server lists another prompt with this name first; that one is kept.',
      },
    ]);
    expect(listed.items.map(({ item }) => item).filter(({ kind }) => kind === 'prompt')).toEqual([
      expect.objectContaining({ name: 'twice', description: 'Writes twice.' }),
      {
        server: 'weather',
        kind: 'prompt',
        name: 'odd',
        title: null,
        description: '',
        uri: null,
        mimeType: null,
        arguments: [{ name: 'a', description: null, required: false }],
      },
    ]);
  });

  test('hold 10,000 resources and no part of more', async () => {
    const listed = await list('resources-10000');
    expect(listed.items.filter(({ item }) => item.kind === 'resource')).toHaveLength(10_000);
    const tooMany = await list('resources-too-many');
    expect(tooMany.items.filter(({ item }) => item.kind === 'resource')).toEqual([]);
    expect(listOf(tooMany, 'resource')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(
        'more than 10000 resources; the incomplete list was not used. ' +
          "Fix the server's paging, or serve fewer resources.",
      ) as string,
    });
  });

  test('end with the reason of an abort', async () => {
    await withConnection(fakeStdioServer('prompts-silent'), async (connection) => {
      const abort = new AbortController();
      const listing = connection.listItems(abort.signal);
      abort.abort(new Error('enough'));
      await expect(listing).rejects.toThrow('enough');
    });
  });
});
