import { execFile, execFileSync } from 'node:child_process';
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
