import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countTokens } from '../../analysis/tokens/encodings.ts';
import { createConnector } from '../../adapters/mcp/connect.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { ingestServer } from './ingestTools.ts';
import { keepAnswer } from './keepListing.ts';
import { noSignal, openServers } from './serversService.fixture.ts';

const tool = { name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } };
const prompt = {
  name: 'summary',
  title: 'Summary',
  description: 'Summarizes a file.',
  arguments: [{ name: 'path', description: 'The file.', required: true }],
};
const resource = { uri: 'file:///a.md', name: 'a.md', mimeType: 'text/markdown' };
const template = { uriTemplate: 'file:///{path}', name: 'Any file' };

let folder: TemporaryFolder;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'offer.json');
  await offer({});
});
afterEach(async () => {
  await folder.remove();
  await expectNoLeaks();
});

const offer = (changed: object): Promise<void> =>
  writeFile(
    file,
    JSON.stringify({
      tools: [tool],
      prompts: [prompt],
      resources: [resource],
      resourceTemplates: [template],
      ...changed,
    }),
  );
const config = () => fakeStdioServer('normal', { tools: file });

describe('prompts and resources of a server', () => {
  it('are stored with its tools and counted apart from them', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('files', config());
    const { listing } = await servers.service.get({ id });
    expect(listing?.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(listing?.items).toEqual([
      {
        server: 'files',
        kind: 'prompt',
        name: 'summary',
        title: 'Summary',
        description: 'Summarizes a file.',
        uri: null,
        mimeType: null,
        arguments: prompt.arguments,
        hash: expect.any(String) as string,
        tokenCount: countTokens(JSON.stringify(prompt), 'cl100k_base'),
      },
      expect.objectContaining({ kind: 'resource', uri: 'file:///a.md', mimeType: 'text/markdown' }),
      expect.objectContaining({ kind: 'template', uri: 'file:///{path}', name: 'Any file' }),
    ]);
    expect((await servers.service.list())[0]).toMatchObject({ toolCount: 1, changedItems: 0 });
  });

  it('show as changed until a person has reviewed them', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('files', config());
    await offer({
      prompts: [{ ...prompt, description: 'Summarizes and sends a file.' }, { name: 'fresh' }],
      resources: [],
    });
    await servers.service.check({ id });
    expect((await servers.service.list())[0]).toMatchObject({ changedTools: 0, changedItems: 3 });
    const [now, old] = await servers.service.history({ id, limit: 10 });
    expect(now?.changes).toMatchObject({ added: 0, changed: 0, items: 3 });
    const changes = await servers.service.changes({
      id,
      before: old?.snapshotId ?? '',
      after: now?.snapshotId ?? '',
    });
    expect(changes.items).toEqual({
      added: [{ kind: 'prompt', name: 'fresh' }],
      removed: [{ kind: 'resource', name: 'file:///a.md' }],
      changed: [
        {
          kind: 'prompt',
          name: 'summary',
          parts: [
            {
              part: 'description',
              before: 'Summarizes a file.',
              after: 'Summarizes and sends a file.',
            },
          ],
        },
      ],
    });
    await servers.service.markReviewed({ id });
    expect((await servers.service.list())[0]).toMatchObject({ changedItems: 0 });
  });

  it('do not count as removed when their list fails, and never fail the tools', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('files', fakeStdioServer('items'));
    const server = servers.database.store.servers.get(id);
    servers.database.store.servers.update(id, {
      name: 'files',
      url: server?.url ?? '',
      config: fakeStdioServer('prompts-error'),
    });
    await servers.service.check({ id });
    const [listed] = await servers.service.list();
    expect(listed).toMatchObject({ status: 'active', toolCount: 2, changedItems: 0 });
    const { listing } = await servers.service.get({ id });
    expect(listing?.items.map(({ kind }) => kind)).toEqual(['resource', 'resource', 'template']);
    expect(listing?.listing.items?.[0]).toMatchObject({
      kind: 'prompt',
      status: 'failed',
      error: expect.stringContaining('The prompts are locked') as string,
    });
  });

  it('stay known when an evaluation lists the tools alone', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('files', config());
    await offer({ tools: [tool, { ...tool, name: 'more' }] });
    const server = servers.database.store.servers.get(id);
    if (server === null) throw new Error('The server is missing.');
    const answer = await ingestServer(server, createConnector(), noSignal.signal);
    expect(answer.listing.items).toBeUndefined();
    await keepAnswer(servers.database, null, answer, 'evaluation');
    const { listing } = await servers.service.get({ id });
    expect(listing?.tools).toHaveLength(2);
    expect(listing?.items).toHaveLength(3);
    expect((await servers.service.list())[0]).toMatchObject({ changedTools: 1, changedItems: 0 });
  });

  it('keep the hash of a tool apart from that of a prompt with the same text', async () => {
    await using servers = openServers();
    await offer({ prompts: [tool] });
    const { id } = await servers.createListed('files', config());
    const { listing } = await servers.service.get({ id });
    expect(listing?.items[0]?.name).toBe('echo');
    expect(listing?.items[0]?.hash).not.toBe(listing?.tools[0]?.hash);
    expect(listing?.tools[0]?.inputSchema).toEqual({ type: 'object' });
  });

  it('are listed up to 10,000 within the time of a check', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('many', fakeStdioServer('resources-10000'));
    const { listing } = await servers.service.get({ id });
    expect(listing?.items).toHaveLength(10_002);
    expect(listing?.items.every(({ tokenCount }) => tokenCount !== null)).toBe(true);
  });
});
