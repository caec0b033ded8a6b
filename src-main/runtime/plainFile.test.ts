import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporaryFolder.ts';
import { FileTooLarge, NotPlainFile, openPlainFile, readPlainFile } from './plainFile.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('plain'), 'text');
  symlinkSync(at('plain'), at('link'));
});
afterAll(() => folder.remove());

describe('readPlainFile', () => {
  it.each([
    ['an empty file', ''],
    ['a short text', 'text'],
    ['several reads', 'ä'.repeat(3_000_000)],
  ])('reads %s', async (_name, text) => {
    writeFileSync(at('file'), text);
    expect((await readPlainFile(at('file'))).toString()).toBe(text);
  });

  it('follows a link unless it is opened without', async () => {
    expect((await readPlainFile(at('link'))).toString()).toBe('text');
  });

  it.skipIf(process.platform === 'win32').each([
    ['a folder', "It's a folder.", () => mkdirSync(at('a folder'))],
    ['a pipe', 'It is a named pipe.', () => execFileSync('mkfifo', [at('a pipe')])],
    [
      'a link to a pipe',
      'It is a named pipe.',
      () => symlinkSync(at('a pipe'), at('a link to a pipe')),
    ],
    ['zeros', 'It is a device.', () => symlinkSync('/dev/zero', at('zeros'))],
    ['random', 'It is a device.', () => symlinkSync('/dev/urandom', at('random'))],
    ['full', 'It is a device.', () => symlinkSync('/dev/full', at('full'))],
  ])('refuses %s at once', async (name, problem, make) => {
    make();
    const refused = expect.objectContaining({ message: problem }) as Error;
    await expect(readPlainFile(at(name))).rejects.toThrow(NotPlainFile);
    await expect(openPlainFile(at(name))).rejects.toEqual(refused);
  });

  it.skipIf(process.platform === 'win32')('refuses a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
    await expect(readPlainFile(at('socket'))).rejects.toThrow('It is a socket.');
    server.close();
  });

  it('refuses what is larger, before it is read or as soon as it has more', async () => {
    writeFileSync(at('large'), 'x'.repeat(100));
    await expect(readPlainFile(at('large'), { maxBytes: 99 })).rejects.toThrow(FileTooLarge);
    expect((await readPlainFile(at('large'), { maxBytes: 100 })).length).toBe(100);
    // It grows between the look at its size and the reading.
    const grow = (): void => appendFileSync(at('large'), 'x');
    const grown = readPlainFile(at('large'), { maxBytes: 101, check: grow });
    await expect(grown).rejects.toThrow(FileTooLarge);
  });

  it.skipIf(process.platform !== 'linux')('reads a file that says it has no bytes', async () => {
    const bytes = await readPlainFile('/proc/self/status', { maxBytes: 1024 * 1024 });
    expect(bytes.toString()).toContain('VmRSS');
    await expect(readPlainFile('/proc/self/status', { maxBytes: 10 })).rejects.toThrow(
      FileTooLarge,
    );
  });
});
