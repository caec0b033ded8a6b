/**
 * Runs every command of the built program under the oldest Node that package.json promises, and each
 * night under the one that it is developed with. Installs the oldest from the registry into a cache folder on
 * first use. Run `npm run build` before; Linux only, because the other systems get the same bundle.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNightly } from '../src-main/testing/nightly.ts';

const root = join(import.meta.dirname, '..');
const { engines, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as { engines: { node: string }; devDependencies: { node: string } };
const [, oldest = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
const newest = devDependencies.node;

if (process.platform !== 'linux') {
  console.log('SKIPPED: the commands under other versions of Node run on Linux only.');
  process.exit();
}
for (const version of [`${oldest}.0`, newest]) {
  // The newest one is what runs this script, and all other tests.
  const node = version === newest ? process.execPath : install(version);
  const found = run(node, ['--version']);
  if (found !== `v${version}`) throw new Error(`${node} is ${found}, not v${version}.`);
  run(node, [join(root, 'bin', 'touchstone.mjs'), '--version']);
  if (version === newest && !isNightly) continue;
  console.log(`Every command under Node ${version}:`);
  const { status } = spawnSync(
    process.execPath,
    [
      ...[join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'everyCommand.test.ts'],
      // A help loads nothing that its command doesn't load; the unit tests have read each under the
      // newest, and a night reads each under the oldest.
      ...(version === newest || !isNightly ? ['-t', '^(?!every command says how it is used)'] : []),
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TOUCHSTONE_TESTED_NODE: node } },
  );
  if (status !== 0) throw new Error(`The program doesn't work under Node ${version}.`);
}

/** The program of that version. The package for one system holds it as a file. */
function install(version: string): string {
  const name = `node-linux-${process.arch}`;
  const folder = join(root, 'node_modules', '.cache', 'nodes', version);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--force', `${name}@${version}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return node;
}

function run(node: string, args: readonly string[]): string {
  return execFileSync(node, args, { encoding: 'utf8' }).trim();
}
