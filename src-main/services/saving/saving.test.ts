import { homedir } from 'node:os';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  saveRequest,
  type SaveProgress,
  type SaveRequest,
} from '../../../src-shared/domain/saving.ts';
import { createWindow } from '../../hosts/electron/createWindow.ts';
import { systemSaveDialog } from '../../hosts/electron/saveDialog.ts';
import { recordServices } from '../../testing/contractSuiteServices.ts';
import { app, fakeElectron, resetFakeElectron } from '../../testing/fakeElectron/electron.ts';
import { smallDisk } from '../../testing/smallDisk.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { SavingService } from './savingService.ts';
import { testProgram } from '../../testing/testPrograms.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const remembered = new Map<string, string>();
const store = {
  settings: {
    recall: (what: string) => remembered.get(what) ?? null,
    remember: (what: string, value: string) => void remembered.set(what, value),
  },
};
type Parts = ConstructorParameters<typeof SavingService>[0];

function service(
  parts: (signal: AbortSignal) => AsyncIterable<{ text: string }> = async function* () {
    yield { text: 'a report' };
  },
  dialog: Parts['dialog'] = systemSaveDialog,
) {
  let count = 0;
  const { services } = recordServices({
    reports: { export: (_request, { signal }) => parts(signal) },
  });
  // The settings' other half has no part in this.
  return new SavingService({
    store: store as unknown as Parts['store'],
    dialog,
    reports: services.reports,
    nextId: () => `token-${(count += 1)}`,
  });
}
const report = (fileName = 'evaluation-1.html'): SaveRequest =>
  saveRequest.parse({
    fileName,
    content: { from: 'evaluation', report: { id: '1', format: 'html' } },
  });
async function all(steps: AsyncIterable<SaveProgress>): Promise<SaveProgress[]> {
  const seen: SaveProgress[] = [];
  for await (const step of steps) seen.push(step);
  return seen;
}
const never = () => ({ signal: new AbortController().signal });
const leftovers = (): string[] => readdirSync(folder.path).filter((name) => name.endsWith('.new'));

beforeEach(async () => {
  folder = await temporaryFolder();
  resetFakeElectron();
  await app.whenReady();
  remembered.clear();
  createWindow('/preload.cjs', join(folder.path, 'window.json'));
});
afterEach(async () => {
  await folder.remove();
});

describe('the save dialog', () => {
  it('T63: suggests the last folder, remembers it and replaces the file that the user chose', async () => {
    const saving = service();
    fakeElectron.chosen = at('chosen.html');
    writeFileSync(at('chosen.html'), 'old');
    const steps = await all(saving.save(report(), never()));
    expect(steps.at(-1)).toEqual({
      state: 'saved',
      fileName: 'chosen.html',
      folder: folder.path,
      files: 1,
      bytes: 8,
      token: 'token-1',
    });
    expect(readFileSync(at('chosen.html'), 'utf8')).toBe('a report');
    expect(fakeElectron.suggested).toEqual([
      {
        defaultPath: join(homedir(), 'downloads', 'evaluation-1.html'),
        filters: [
          { name: 'HTML', extensions: ['html'] },
          { name: 'All files', extensions: ['*'] },
        ],
        properties: ['createDirectory', 'showOverwriteConfirmation'],
      },
    ]);
    await all(service().save(report('b.html'), never()));
    expect(fakeElectron.suggested.at(-1)?.defaultPath).toBe(at('b.html'));
    await saving.showInFolder({ token: 'token-1' });
    expect(fakeElectron.shownInFolder).toEqual([at('chosen.html')]);
    await expect(saving.showInFolder({ token: at('chosen.html') })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    rmSync(at('chosen.html'));
    await expect(saving.showInFolder({ token: 'token-1' })).rejects.toThrow(/no longer there/);
  });

  it('opens in the downloads folder when the remembered folder is gone', async () => {
    remembered.set('saveFolder', at('gone'));
    expect(await all(service().save(report(), never()))).toEqual([{ state: 'cancelled' }]);
    expect(dirname(fakeElectron.suggested[0]?.defaultPath ?? '')).toBe(
      join(homedir(), 'downloads'),
    );
    expect(remembered.get('saveFolder')).toBe(at('gone'));
  });

  it('writes text with surrogate pairs unchanged and reports progress', async () => {
    fakeElectron.chosen = at('text.yaml');
    const text = `a${'😀'.repeat(1_500_000)}`;
    const steps = await all(
      service().save(
        saveRequest.parse({ fileName: 'text.yaml', content: { from: 'text', text } }),
        never(),
      ),
    );
    expect(readFileSync(at('text.yaml'), 'utf8') === text).toBe(true);
    expect(steps.filter(({ state }) => state === 'writing').length).toBeGreaterThan(0);
    expect(steps.at(-1)).toMatchObject({ bytes: 6_000_001 });
  });

  it('refuses a second dialog while one is open, and any dialog where the host has none', async () => {
    const chosen = Promise.withResolvers<string | null>();
    const saving = service(undefined, { ...systemSaveDialog, choose: () => chosen.promise });
    const first = all(saving.save(report(), never()));
    await expect(all(saving.save(report(), never()))).rejects.toThrow(/open for another file/);
    chosen.resolve(null);
    expect(await first).toEqual([{ state: 'cancelled' }]);
    await expect(all(service(undefined, null).save(report(), never()))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it.each(['../../x.html', '/etc/passwd', 'a\\b', '..', '.', '', 'a\u0000b', 'n'.repeat(256)])(
    'T63: rejects the suggested file name %j',
    (fileName) => {
      expect(saveRequest.safeParse({ fileName, content: { from: 'text', text: '' } }).success).toBe(
        false,
      );
    },
  );
});

describe('saving several files', () => {
  const tools = [
    { name: 'a.tool.json', text: '{}\n' },
    { name: 'a.sh', text: 'echo a\n' },
  ];
  const request = (files = tools) =>
    saveRequest.parse({ fileName: 'tools', content: { from: 'files', files } });

  it('asks only for the folder, remembers it and does not ask when the contents are the same', async () => {
    fakeElectron.chosen = folder.path;
    writeFileSync(at('a.sh'), 'echo a\n');
    const saving = service();
    expect((await all(saving.save(request(), never()))).at(-1)).toEqual({
      state: 'saved',
      fileName: 'a.tool.json',
      folder: folder.path,
      files: 2,
      bytes: 10,
      token: 'token-1',
    });
    expect([readFileSync(at('a.tool.json'), 'utf8'), readFileSync(at('a.sh'), 'utf8')]).toEqual([
      '{}\n',
      'echo a\n',
    ]);
    expect([fakeElectron.openedAt, fakeElectron.suggested, fakeElectron.questions]).toEqual([
      [join(homedir(), 'documents')],
      [],
      [],
    ]);
    await saving.showInFolder({ token: 'token-1' });
    expect(fakeElectron.shownInFolder).toEqual([at('a.tool.json')]);
    await all(saving.save(request(), never()));
    expect(fakeElectron.openedAt.at(-1)).toBe(folder.path);
  });

  it('T63: asks before it replaces a file with other content, and writes nothing when refused', async () => {
    fakeElectron.chosen = folder.path;
    writeFileSync(at('a.sh'), 'something else');
    fakeElectron.pressed = 1;
    expect(await all(service().save(request(), never()))).toEqual([{ state: 'cancelled' }]);
    expect(fakeElectron.questions).toEqual([
      expect.objectContaining({
        message: 'A different file with this name exists. Replace it?',
        detail: `${folder.path}\n\na.sh`,
        defaultId: 1,
        cancelId: 1,
      }),
    ]);
    expect([readFileSync(at('a.sh'), 'utf8'), readdirSync(folder.path)]).toEqual([
      'something else',
      ['a.sh'],
    ]);
    fakeElectron.pressed = 0;
    expect((await all(service().save(request(), never()))).at(-1)).toMatchObject({
      state: 'saved',
      files: 2,
    });
    expect(readFileSync(at('a.sh'), 'utf8')).toBe('echo a\n');
  });

  it('T63: writes no file when one of them is read-only', async () => {
    fakeElectron.chosen = folder.path;
    writeFileSync(at('a.sh'), 'old');
    chmodSync(at('a.sh'), 0o444);
    await expect(all(service().save(request(), never()))).rejects.toMatchObject({
      code: 'INVALID',
      data: { thing: at('a.sh') },
    });
    expect(readdirSync(folder.path)).toEqual(['a.sh']);
  });

  it('T63: rejects a path in a file name, and writes nothing when the dialog is closed', async () => {
    expect(
      saveRequest.safeParse({
        fileName: 'tools',
        content: { from: 'files', files: [{ name: '../a.sh', text: '' }] },
      }).success,
    ).toBe(false);
    expect(await all(service().save(request(), never()))).toEqual([{ state: 'cancelled' }]);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('T63: a save that fails', () => {
  it.each<[string, () => string, RegExp]>([
    ['into a folder that is gone', () => at('gone/x.html'), /its folder is missing/],
    ['over a folder', () => folder.path, /It's a folder/],
    ['below a file', () => at('old.html/x.html'), /is a file, not a folder/],
    ['over a read-only file', () => at('read-only.html'), /read-only/],
    ['over a link to a read-only file', () => at('link.html'), /read-only/],
    ['under a name that is too long', () => at('n'.repeat(300)), /longer than the system allows/],
  ])(
    '%s names the path, starts no report and leaves no file behind',
    async (_what, target, expected) => {
      for (const name of ['old.html', 'read-only.html']) writeFileSync(at(name), 'old');
      chmodSync(at('read-only.html'), 0o444);
      symlinkSync(at('read-only.html'), at('link.html'));
      const before = readdirSync(folder.path);
      fakeElectron.chosen = target();
      let begun = false;
      const saving = service(async function* () {
        begun = true;
        yield { text: 'new' };
      });
      const failure = all(saving.save(report(), never()));
      await expect(failure).rejects.toThrow(expected);
      await expect(failure).rejects.toMatchObject({
        code: 'INVALID',
        data: { thing: fakeElectron.chosen },
      });
      expect([
        begun,
        readdirSync(folder.path),
        readFileSync(at('read-only.html'), 'utf8'),
        remembered.size,
      ]).toEqual([false, before, 'old', 0]);
    },
  );

  it('keeps the old file and removes the new one when the report fails halfway', async () => {
    writeFileSync(at('old.html'), 'old');
    fakeElectron.chosen = at('old.html');
    const saving = service(async function* () {
      yield { text: 'new '.repeat(1_000_000) };
      throw new Error('changed meanwhile');
    });
    await expect(all(saving.save(report(), never()))).rejects.toThrow('changed meanwhile');
    expect([readFileSync(at('old.html'), 'utf8'), leftovers()]).toEqual(['old', []]);
  });

  it.each(['cancels', 'leaves'] as const)(
    'keeps the old file and removes the new one when the reader %s halfway',
    async (how) => {
      writeFileSync(at('old.html'), 'old');
      fakeElectron.chosen = at('old.html');
      const stop = new AbortController();
      const saving = service(async function* (signal) {
        yield { text: 'new '.repeat(1_000_000) };
        if (!signal.aborted) await once(signal, 'abort');
      });
      const watcher = watch(folder.path);
      const begun = once(watcher, 'change');
      const read = async () => {
        for await (const step of saving.save(report(), { signal: stop.signal })) {
          expect(step.state).toBe('writing');
          await begun;
          if (how === 'leaves') break;
          stop.abort();
        }
      };
      if (how === 'leaves') await read();
      else await expect(read()).rejects.toThrow('aborted');
      watcher.close();
      expect([readFileSync(at('old.html'), 'utf8'), leftovers(), remembered.size]).toEqual([
        'old',
        [],
        0,
      ]);
    },
  );

  it.runIf(smallDisk.unavailable === null)(
    `keeps the old file and removes the new one when the disk is full${smallDisk.unavailable === null ? '' : ` (SKIPPED: ${smallDisk.unavailable})`}`,
    () => {
      mkdirSync(at('disk'));
      const program = testProgram('src-main/testing/saveChild.ts');
      const [command = '', ...prefix] = smallDisk.under(at('disk'));
      const { stdout, stderr, status } = spawnSync(
        command,
        [...prefix, process.execPath, program, at('disk/report.html')],
        { encoding: 'utf8' },
      );
      expect([status, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toEqual({
        code: 'TROUBLE',
        message: `${at('disk/report.html')}: Its disk is full. Free some space, or choose another location.`,
        files: ['report.html'],
        kept: true,
      });
    },
  );
});
