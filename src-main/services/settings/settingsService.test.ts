import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultAppSettings } from '../../../src-shared/domain/settings.ts';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { SettingsService } from './settingsService.ts';

function openSettings(restored: unknown[] = []) {
  const database = createTestDatabase();
  const contactedHosts = new Set<string>();
  const keep = (content: unknown) => void restored.push(content);
  const fixed = {
    version: '1.2.3',
    host: 'cli' as const,
    folder: database.folder,
    databaseFile: database.file,
    schemaVersion: database.store.schemaVersion,
    sqliteVersion: database.store.sqliteVersion,
    nodeVersion: '24',
    platform: 'linux x64',
    readOnly: false,
    plainSecrets: null,
  };
  const refuse = (): never => {
    throw new Error('Its place is taken.');
  };
  const open = () =>
    new SettingsService({
      store: database.store,
      sample: { read: refuse, add: refuse, remove: refuse },
      environment: {},
      contactedHosts,
      fixed,
      restore: {
        server: keep,
        suite: refuse,
        cases: keep,
        tasks: refuse,
        evaluation: keep,
        dataset: keep,
      },
    });
  return {
    database,
    contactedHosts,
    fixed,
    open,
    service: open(),
    [Symbol.dispose]: () => database.close(),
  };
}

describe('settings', () => {
  it('keeps a change after a restart and leaves the other settings alone', async () => {
    using settings = openSettings();
    expect(await settings.service.get()).toEqual(defaultAppSettings);
    const changed = await settings.service.update({ theme: 'dark', highConfidence: 0.9 });
    expect(changed).toEqual({ ...defaultAppSettings, theme: 'dark', highConfidence: 0.9 });
    await settings.service.update({ repetitions: 3 });
    settings.database.reopen();
    expect(await settings.open().get()).toEqual({ ...changed, repetitions: 3 });
  });

  it('reports the current database size and contacted hosts', async () => {
    using settings = openSettings();
    expect(await settings.service.info()).toEqual({
      ...settings.fixed,
      databaseBytes:
        statSync(settings.database.file).size + statSync(`${settings.database.file}-wal`).size,
      contactedHosts: [],
      damage: null,
    });
    settings.contactedHosts.add('b.example').add('a.example:8080');
    expect((await settings.service.info()).contactedHosts).toEqual(['a.example:8080', 'b.example']);
  });
});

describe('undo', () => {
  it('restores what the token stands for, once', async () => {
    const restored: unknown[] = [];
    using settings = openSettings(restored);
    const { trash } = settings.database.store;
    const first = trash.put({ kind: 'server', title: 'Server a', content: { name: 'a' } });
    const second = trash.put({ kind: 'cases', title: '2 cases', content: { cases: [1, 2] } });
    expect(await settings.service.undo({ token: second })).toEqual({ what: '2 cases' });
    await expect(settings.service.undo({ token: second })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await settings.service.undo({ token: first })).toEqual({ what: 'Server a' });
    expect(restored).toEqual([{ cases: [1, 2] }, { name: 'a' }]);
  });

  it('keeps the token when the restore fails', async () => {
    using settings = openSettings();
    const token = settings.database.store.trash.put({
      kind: 'suite',
      title: 'Suite s',
      content: {},
    });
    for (const _attempt of [1, 2])
      await expect(settings.service.undo({ token })).rejects.toThrow('Its place is taken.');
  });

  it('rejects an unknown token', async () => {
    using settings = openSettings();
    await expect(settings.service.undo({ token: 'nothing' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      data: { nextStep: expect.stringContaining('import') },
    });
  });
});
