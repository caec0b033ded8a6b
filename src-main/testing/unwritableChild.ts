/*
 * unwritableChild.ts FOLDER, on a small disk of its own: opens a workspace there while the disk has
 * no byte left, then while it is mounted for reading only, and prints what can be read and what a
 * write says.
 */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createServices } from '../app/createServices.ts';
import { ServiceError } from '../../src-shared/contract/errors.ts';

const [folder = ''] = process.argv.slice(2);
const workspace = join(folder, 'workspace');
const ballast = join(folder, 'ballast');
const tell = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);
const open = (access: 'write' | 'write-if-possible') =>
  createServices({ host: 'cli', folder: workspace, access, environment: {} });

async function look(): Promise<void> {
  const opened = await open('write-if-possible');
  const { services, unwritable } = opened;
  const suite = { name: 'more', system: null, messages: [], servers: [] };
  tell({
    unwritable,
    suites: (await services.suites.list()).map(({ name }) => name),
    refused: await services.suites.create(suite).then(
      () => null,
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    ),
  });
  await opened.close();
}

/** Takes every byte, first in large pieces and then in small ones. */
function fillUp(): void {
  for (let bytes = 512 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2))
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(bytes, 1), { flag: 'a' });
    } catch {
      // Full for pieces of this size.
    }
}

const first = await open('write');
await first.services.suites.create({ name: 'kept', system: null, messages: [], servers: [] });
await first.close();
fillUp();
await look();
rmSync(ballast);
await look();
const { status } = spawnSync('sh', ['-c', 'mount -o remount,ro "$0"', folder]);
tell({ mounted: status });
await look();
process.exit();
