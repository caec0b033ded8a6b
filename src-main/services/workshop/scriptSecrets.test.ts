import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { leaksOf } from '../../testing/secretLeaks.ts';
import { writeDurably } from '../../store/durability/durableFile.ts';
import { SecretFile } from '../../adapters/secrets/secretFile.ts';
import { createSecretStore } from '../../adapters/secrets/secretStore.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createTestWorkshop, nodeTool, noSignal, toolOf } from '../../testing/workshop.ts';
import { createAndExecute, createTool, executeTool } from './executions.fixture.ts';

afterEach(expectNoLeaks);

const value = 'canary-Qx7Lm2Zp8Rt6Vb1Nc3-42';
const echo = `const { TOKEN, OTHER } = process.env; console.error(TOKEN); console.log(JSON.stringify({ token: TOKEN ?? null, other: OTHER ?? null, encoded: encodeURIComponent(TOKEN ?? '') }))`;
const echoing = (name: string, config: Record<string, unknown> = { secrets: ['TOKEN'] }) =>
  nodeTool(echo, {
    name,
    executorConfig: {
      command: process.execPath,
      args: ['-e', echo],
      output: 'json',
      ...config,
    },
  });

describe('secrets of tools', () => {
  it('T60: gives a declared secret to its script and redacts what the script echoes', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(at, echoing('echoes'));
    expect(await at.workshop.secrets({ id }, noSignal)).toEqual([
      { toolId: id, tool: 'echoes', name: 'TOKEN', status: 'not set', place: null },
    ]);
    expect(await at.workshop.setSecret({ id, name: 'TOKEN', value }, noSignal)).toMatchObject({
      status: 'set',
      place: 'memory',
    });
    const done = await executeTool(at, 'echoes');
    expect(done).toMatchObject({
      status: 'SUCCESS',
      outputData: { token: '[redacted]', other: null, encoded: '[redacted]' },
      stderrTail: '[redacted]',
    });
    expect(leaksOf([value], at.database.db.serialize())).toEqual([]);
  });

  it('T60: gives a secret to no other tool, even if it names the same secret', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(at, echoing('owner'));
    await at.workshop.setSecret({ id, name: 'TOKEN', value }, noSignal);
    await createTool(at, echoing('other'));
    await createTool(at, echoing('refers', { env: { TOKEN: '${secret:TOKEN}' } }));
    await createTool(at, echoing('names_none', {}));
    for (const name of ['other', 'refers'])
      await expect(executeTool(at, name)).rejects.toMatchObject({
        code: 'INVALID',
        data: { field: 'secrets.TOKEN' },
      });
    expect((await executeTool(at, 'names_none')).outputData).toMatchObject({ token: null });
  });

  it('refuses a call whose secret has no value before anything is recorded', async () => {
    await using at = createTestWorkshop();
    await createTool(at, echoing('needs_two', { secrets: ['TOKEN', 'OTHER'] }));
    await expect(executeTool(at, 'needs_two')).rejects.toMatchObject({
      code: 'INVALID',
      data: {
        cause: 'It was not run: its secrets TOKEN, OTHER have no value.',
        onCommandLine: 'The command is `touchstone keys set tool:needs_two/TOKEN`.',
      },
    });
    expect((await at.workshop.executions({}, noSignal)).total).toBe(0);
  });

  it('takes the caller’s value before the stored one, and the variable with a prefix last', async () => {
    await using at = createTestWorkshop({
      environment: { TOUCHSTONE_SECRET_TOKEN: 'of-the-environment-1', TOKEN: 'never-read-9' },
    });
    const script = `console.log(JSON.stringify(process.env.TOKEN.length))`;
    const config = { command: process.execPath, args: ['-e', script], secrets: ['TOKEN'] };
    const id = await createTool(
      at,
      nodeTool(script, { executorConfig: { ...config, output: 'json' } }),
    );
    const call = (secrets?: Record<string, string>) =>
      at.workshop.execute(
        { tool: id, arguments: {}, activeOnly: false, ...(secrets && { secrets }) },
        noSignal,
      );
    expect((await call()).outputData).toBe('of-the-environment-1'.length);
    expect(await at.workshop.secrets({ id }, noSignal)).toMatchObject([{ place: 'environment' }]);
    await at.workshop.setSecret({ id, name: 'TOKEN', value }, noSignal);
    expect((await call()).outputData).toBe(value.length);
    expect((await call({ TOKEN: 'of-the-caller-22', UNASKED: 'x' })).outputData).toBe(
      'of-the-caller-22'.length,
    );
    expect((await call({ TOKEN: '' })).outputData).toBe(value.length);
    expect(at.database.db.serialize().includes('of-the-caller')).toBe(false);
  });

  it('redacts a value of the caller that the tool echoes', async () => {
    await using at = createTestWorkshop();
    await createTool(at, echoing('echoes'));
    const given = { tool: 'echoes', arguments: {}, activeOnly: false, secrets: { TOKEN: value } };
    expect((await at.workshop.execute(given, noSignal)).outputData).toMatchObject({
      token: '[redacted]',
    });
  });

  it('keeps values over renames and versions, and removes those of all versions with the tool', async () => {
    const keys = createSecretStore();
    await using at = createTestWorkshop({ keys });
    const id = await createTool(at, echoing('first', { secrets: ['OTHER'] }));
    await at.workshop.setSecret({ id, name: 'OTHER', value: 'an-older-secret-1' }, noSignal);
    const renamed = echoing('second');
    await at.workshop.save({ id, content: renamed, changelog: '', baseVersion: 1 }, noSignal);
    await at.workshop.setSecret({ id, name: 'TOKEN', value }, noSignal);
    await expect(
      at.workshop.setSecret({ id, name: 'UNNAMED', value }, noSignal),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      data: { cause: 'The tool doesn’t name it. Its secrets are: TOKEN, OTHER.' },
    });
    expect((await executeTool(at, 'second')).status).toBe('SUCCESS');
    await expect(at.workshop.purge({ id }, noSignal)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await keys.get(`tool:${id}/TOKEN`)).toBe(value);
    await at.workshop.remove({ id }, noSignal);
    expect(await keys.get(`tool:${id}/TOKEN`)).toBe(value);
    await at.workshop.purge({ id }, noSignal);
    for (const name of ['TOKEN', 'OTHER']) expect(await keys.get(`tool:${id}/${name}`)).toBe(null);
  });

  it('keeps a tool whose secrets are in a locked file, or in one that can’t be written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
    const file = join(folder, 'touchstone.keys');
    const open = createSecretStore({ file: new SecretFile({ file, write: writeDurably }) });
    await open.useFile('correct horse');
    {
      const locked = createSecretStore({ file: new SecretFile({ file }) });
      await using at = createTestWorkshop({ keys: locked });
      const id = await createTool(at, echoing('locked'));
      await open.set(`tool:${id}/TOKEN`, value);
      await expect(executeTool(at, 'locked')).rejects.toMatchObject({
        data: {
          cause: expect.stringContaining('can’t be read') as string,
          onCommandLine: 'The command is `touchstone keys unlock`.',
        },
      });
      await at.workshop.remove({ id }, noSignal);
      await expect(at.workshop.purge({ id }, noSignal)).rejects.toMatchObject({ code: 'CONFLICT' });
      await locked.unlock('correct horse');
      // This one may only read the file.
      await expect(at.workshop.purge({ id }, noSignal)).rejects.toMatchObject({
        data: { cause: expect.stringContaining('still in the encrypted file') as string },
      });
      expect(await at.workshop.get({ id }, noSignal)).toMatchObject({ id });
    }
    rmSync(folder, { recursive: true });
  });

  it('lists what every tool needs, and only tools that need something', async () => {
    await using at = createTestWorkshop();
    await createTool(at, toolOf({ name: 'plain' }));
    await createTool(at, echoing('b', { secrets: [], env: { X: 'Bearer ${secret:api-key}' } }));
    const deleted = await createTool(at, echoing('c'));
    await at.workshop.remove({ id: deleted }, noSignal);
    const id = await createTool(at, echoing('a', { secrets: ['OTHER', 'TOKEN'] }));
    await at.workshop.setSecret({ id, name: 'OTHER', value }, noSignal);
    const all = await at.workshop.secrets({}, noSignal);
    expect(all.map(({ tool, name, status }) => [tool, name, status])).toEqual([
      ['a', 'OTHER', 'set'],
      ['a', 'TOKEN', 'not set'],
      ['b', 'api-key', 'not set'],
    ]);
  });

  it.each([['PATH'], ['LD_PRELOAD'], ['TOUCHSTONE_HOME'], ['two words'], ['1ST']])(
    'refuses %s as the name of a secret',
    (name) => {
      expect(() => echoing('refused', { secrets: [name] })).toThrow(/name/);
    },
  );

  it('refuses to save a request that never inserts its secret', async () => {
    await using at = createTestWorkshop();
    const content = toolOf({
      executorType: 'http',
      executorConfig: { url: 'https://host.test/', secrets: ['TOKEN'] },
      scriptContent: null,
    });
    await expect(createAndExecute(at, content)).rejects.toMatchObject({
      code: 'INVALID',
      data: { cause: expect.stringContaining('${secret:TOKEN}') as string },
    });
  });
});
