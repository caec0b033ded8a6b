import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { writeFileAtomically } from './writeFileAtomically.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

it.skipIf(process.platform === 'win32')(
  'waits for the readers of pipes without holding up other work on files',
  async () => {
    const pipes = Array.from({ length: 8 }, (_, number) => join(folder.path, `pipe-${number}`));
    execFileSync('mkfifo', pipes);
    const long = 'ä'.repeat(200_000);
    const writes = pipes.map((pipe) => writeFileAtomically(pipe, long));
    // Each takes a thread of the few that are there for files.
    for (let count = 0; count < 50; count += 1) await stat(folder.path);
    const read = pipes.map((pipe) => promisify(execFile)('cat', [pipe], { maxBuffer: 1e6 }));
    await Promise.all(writes);
    for (const { stdout } of await Promise.all(read)) expect(stdout === long).toBe(true);
  },
);

it('removes what killed programs left of the file, and nothing that may be in use', async () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const minuteAgo = Date.now() / 1000 - 61;
  const place = (name: string, written: number): void => {
    writeFileSync(join(folder.path, name), 'half');
    utimesSync(join(folder.path, name), written, written);
  };
  place(`report.html.${ended}.new`, minuteAgo);
  // Of a program in another container, of one that runs, of another file, and of somebody else.
  place(`report.html.${ended}1.new`, Date.now() / 1000);
  place(`report.html.${process.ppid}.new`, minuteAgo);
  place(`other.html.${ended}.new`, minuteAgo);
  place('report.html.mine.new', minuteAgo);
  await writeFileAtomically(join(folder.path, 'report.html'), 'whole');
  expect(readdirSync(folder.path).sort()).toEqual(
    [
      ...['report.html', 'report.html.mine.new', `other.html.${ended}.new`],
      ...[`report.html.${ended}1.new`, `report.html.${process.ppid}.new`],
    ].sort(),
  );
});
