// The servers that the program ships run under a Node of their own, since the window's binary runs
// no scripts. That Node can't read the archive: beside it lies what the command line needs.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const carried = ['package.json', join('out', 'main'), 'migrations', 'datasets'];

/** The folders of the packages that are needed at run time, as npm knows them. */
export function packagesAtRunTime() {
  const text = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text
    .split(/\r?\n/)
    .map((folder) => relative(root, folder))
    .filter((folder) => folder.startsWith('node_modules'));
}

/** Called by electron-builder when the archive stands and before anything is signed. */
export default async function copyProgram({ appOutDir, packager }) {
  const target = join(packager.getResourcesDir(appOutDir), 'program');
  mkdirSync(target, { recursive: true });
  // A package's own folder only: what lies nested in it is in the list by itself, or is not needed.
  for (const name of [...carried, ...packagesAtRunTime()]) {
    const from = join(root, name);
    cpSync(from, join(target, name), {
      recursive: true,
      dereference: true,
      filter: (file) => !relative(from, file).split(/[\\/]/).includes('node_modules'),
    });
  }
}
