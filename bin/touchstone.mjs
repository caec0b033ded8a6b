#!/usr/bin/env node
// Finds a Node that can run the program, builds what a clone is missing, and hands over. Nothing
// here needs more than Node 18.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, 'out', 'main', 'cli.js');
const isClone = existsSync(join(root, 'src-main'));

/**
 * The database engine needs Node 22.22 or later; an older one would end with a crash instead of a
 * sentence. A clone installs one for its development; an installed package uses the user's own.
 */
function findNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 22)) return process.execPath;
  let next = isClone ? 'Run `npm ci`, which installs one' : 'Install a newer Node';
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(binary)) return binary;
    // The package brings its program in an install script.
    next =
      'The one of this clone is incomplete, because it was installed with --ignore-scripts. Run ' +
      '`npm rebuild node`, or start Touchstone with a newer Node';
  } catch {
    // Reported below.
  }
  process.stderr.write(
    `Touchstone needs Node 22.22 or later, but this is ${process.versions.node}. ${next}.\n`,
  );
  process.exit(2);
}

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (/\.test\.tsx?$/.test(entry.name)) continue;
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return time;
}

/**
 * A clone is built on first use and after every change; an installed package carries what was
 * built.
 */
function buildWhatIsMissing(node) {
  const sources = ['src-main', 'src-renderer', 'src-shared']
    .map((name) => join(root, name))
    .filter(existsSync);
  if (sources.length === 0) return;
  const builder = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const page = join(root, 'out', 'renderer', 'index.html');
  const built =
    existsSync(program) && existsSync(page)
      ? Math.min(statSync(program).mtimeMs, statSync(page).mtimeMs)
      : 0;
  if (
    built >=
    Math.max(...sources.map(newest), statSync(join(root, 'electron.vite.config.ts')).mtimeMs)
  )
    return;
  if (!existsSync(builder)) {
    process.stderr.write(
      'Touchstone is not built yet and its build tools are not installed. Run `npm ci` first.\n',
    );
    process.exit(2);
  }
  process.stderr.write('Building Touchstone (once) …\n');
  const { PATH, HOME, TMPDIR } = process.env;
  const { status } = spawnSync(node, [builder, 'build', '--logLevel', 'error'], {
    cwd: root,
    // The tools that build need no other variable, and some may hold keys.
    env: { PATH, HOME, TMPDIR },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    process.stderr.write('The build failed; what is above says why.\n');
    process.exit(2);
  }
}

/**
 * Compiled code is kept from start to start, inside the program's own folder; where that can't be
 * written to, each start compiles anew.
 */
const compiled = join(root, 'node_modules', '.cache', 'touchstone');

const node = findNode();
buildWhatIsMissing(node);
// On a Mac, what a process was started with stays visible: there the program gets a process of its
// own, which never has the keys in its environment.
if (node === process.execPath && process.platform !== 'darwin') {
  module.enableCompileCache?.(process.env['NODE_COMPILE_CACHE'] ?? compiled);
  process.argv[1] = program;
  await import(`file://${program}`);
} else {
  const { exitWith, startWithEnvironment, takeEnvironment } = await import(
    new URL('../out/main/ownEnvironment.js', import.meta.url).href
  );
  const child = startWithEnvironment(node, [program, ...process.argv.slice(2)], {
    NODE_COMPILE_CACHE: compiled,
    ...takeEnvironment().variables,
  });
  exitWith(child);
}
