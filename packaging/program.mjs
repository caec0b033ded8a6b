// The servers that the program ships run under a Node of their own, since the window's binary runs
// no scripts. That Node can't read the archive: beside it lies what the command line needs. The
// archive holds the hashes of these files, so that the program notices at its start if one changed.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  hashFile,
  manifestPath,
  signedLater,
} from '../src-main/hosts/electron/programIntegrity.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const carried = ['package.json', join('out', 'main'), 'migrations', 'datasets'];

/** The folders of the packages that are needed at run time on this system, by the lock file. */
export function packagesAtRunTime() {
  const options = ['--omit=dev', '--all', '--parseable', '--package-lock-only'];
  const text = execFileSync('npm', ['ls', ...options], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // The app has no other Node: the clone's own is packed with it.
  return [...text.split(/\r?\n/), join(root, 'node_modules', 'node')]
    .map((folder) => relative(root, folder))
    .filter((folder) => folder.startsWith('node_modules') && existsSync(join(root, folder)));
}

/** What no program loads: types, sources, source maps, and of Node all but its binary. */
const isUnused = (path) =>
  /\.(map|[cm]?ts|md)$/.test(path) ||
  (path.startsWith(join('node_modules', 'node', sep)) &&
    !/^(bin\/node(\.exe)?|package\.json|LICENSE)$/.test(path.split(sep).slice(2).join('/')));

/** The files of the program, relative to its root. */
export function listProgram() {
  return [...carried, ...packagesAtRunTime()]
    .flatMap((name) => (statSync(join(root, name)).isFile() ? [name] : filesOf(name)))
    .filter((path) => !isUnused(path));
}

// A package's own folder only: what lies nested in it is in the list by itself, or is not needed.
function filesOf(folder) {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return name === 'node_modules' ? [] : filesOf(path);
  });
}

/** Mach-O: signing for a Mac rewrites these files after they were packed. */
export function isMacBinary(path) {
  const start = Buffer.alloc(4);
  const file = openSync(join(root, path), 'r');
  readSync(file, start, 0, 4, 0);
  closeSync(file);
  return ['cffaedfe', 'cefaedfe', 'cafebabe'].includes(start.toString('hex'));
}

/** Called by electron-builder before it makes the archive. */
export async function beforePack({ electronPlatformName }) {
  const manifest = {};
  for (const path of listProgram())
    manifest[path.split(sep).join('/')] =
      electronPlatformName === 'darwin' && isMacBinary(path)
        ? signedLater
        : await hashFile(join(root, path));
  await writeFile(join(root, manifestPath), JSON.stringify(manifest));
}

/** Called by electron-builder when the archive is there and before anything is signed. */
export async function afterPack({ appOutDir, packager }) {
  const target = join(packager.getResourcesDir(appOutDir), 'program');
  for (const path of listProgram()) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path), { dereference: true });
  }
}
