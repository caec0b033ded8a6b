import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const name of ['bin', 'src-main']) mkdirSync(at(name));
  copyFileSync(join(programFiles.root, 'bin', 'touchstone.mjs'), at('bin', 'touchstone.mjs'));
});
afterAll(() => folder.remove());

/** Starts the launcher of a clone with a Node that says of itself that it is too old. */
function start() {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      `--import=data:text/javascript,${encodeURIComponent(old)}`,
      at('bin', 'touchstone.mjs'),
      '--version',
    ],
    { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder.path } },
  );
  return { status, stderr };
}

it('says how a clone gets a Node that is new enough', () => {
  expect(start()).toEqual({
    status: 2,
    stderr:
      'Touchstone needs Node 22.22 or later, but this is 20.1.0. Run `npm ci`, which installs one.\n',
  });
});

it('says what is missing after an installation with --ignore-scripts', () => {
  mkdirSync(at('node_modules', 'node'), { recursive: true });
  writeFileSync(at('node_modules', 'node', 'package.json'), '{"name":"node","version":"24.0.0"}');
  const { status, stderr } = start();
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('installed with --ignore-scripts. Run `npm rebuild node`') as string,
  ]);
});
