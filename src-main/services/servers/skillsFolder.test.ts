import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { noSignal, openServers } from './serversService.fixture.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeSkill('invoices', 'Extracts totals from invoices. Use it for PDF bills.', 'Read it.');
});
afterEach(() => folder.remove());

async function writeSkill(name: string, description: string, body: string): Promise<void> {
  await mkdir(join(folder.path, name), { recursive: true });
  await writeFile(
    join(folder.path, name, 'SKILL.md'),
    `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`,
  );
}
const config = () => ({ transport: 'skills' as const, folder: folder.path });

describe('a folder of skills', () => {
  it('is registered, listed and reachable like a server', async () => {
    await using servers = openServers();
    const made = await servers.createListed('skills', config());
    expect(made).toMatchObject({ url: `skills:${folder.path}`, status: 'active' });
    const { listing, signIn } = await servers.service.get({ id: made.id });
    expect(signIn).toBeNull();
    expect(listing?.tools).toMatchObject([
      { name: 'invoices', skill: { folder: 'invoices', body: 'Read it.\n', bodyLine: 5 } },
    ]);
  });

  it('counts name and description apart from the body', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('skills', config());
    const before = (await servers.service.get({ id })).listing?.tools[0];
    await writeSkill(
      'invoices',
      'Extracts totals from invoices. Use it for PDF bills.',
      'Read it. '.repeat(100),
    );
    const after = (await servers.service.refreshTools({ id }, noSignal)).tools[0];
    expect(after?.tokenCount).toBe(before?.tokenCount);
    expect(after?.bodyTokens).toBeGreaterThan(100 + (before?.bodyTokens ?? 0));
  });

  it('reports a changed body and a changed script as a change of the skill', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('skills', config());
    await writeSkill(
      'invoices',
      'Extracts totals from invoices. Use it for PDF bills.',
      'Read all.',
    );
    await writeFile(join(folder.path, 'invoices', 'run.sh'), 'echo 1');
    await servers.service.check({ id });
    expect((await servers.service.list())[0]?.changedTools).toBe(1);
    const [now, old] = await servers.service.history({ id, limit: 10 });
    const changes = await servers.service.changes({
      id,
      before: old?.snapshotId ?? '',
      after: now?.snapshotId ?? '',
    });
    expect(changes.changed).toEqual([
      {
        name: 'invoices',
        parts: [
          { part: 'body', before: 'Read it.\n', after: 'Read all.\n' },
          { part: 'run.sh', before: null, after: 'echo 1' },
        ],
      },
    ]);
  });

  it('keeps the stored skills when its skills or the folder are gone, and says which', async () => {
    await using servers = openServers();
    const { id } = await servers.createListed('skills', config());
    await rm(join(folder.path, 'invoices'), { recursive: true });
    expect(await servers.service.check({ id })).toMatchObject({
      status: 'active',
      toolsError: expect.stringContaining('none of its folders has a SKILL.md') as string,
    });
    await rm(folder.path, { recursive: true });
    expect(await servers.service.check({ id })).toMatchObject({
      status: 'failed',
      statusReason: expect.stringContaining('There is no folder') as string,
    });
    expect((await servers.service.get({ id })).listing?.tools).toHaveLength(1);
  });

  it('returns the body for a call', async () => {
    await using servers = openServers();
    const { id } = await servers.service.create({ name: 'skills', config: config() });
    const answer = await servers.service.callTool(
      { id, tool: 'invoices', arguments: {} },
      noSignal,
    );
    expect(answer).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: 'Read it.\n' }],
    });
  });

  it('is left out of an export, which says so', async () => {
    await using servers = openServers();
    const { id } = await servers.service.create({ name: 'skills', config: config() });
    const { text, losses } = await servers.service.export({ ids: [id], format: 'mcp.json' });
    expect(JSON.parse(text)).toEqual({ servers: {} });
    expect(losses).toMatchObject([{ server: 'skills' }]);
  });
});
