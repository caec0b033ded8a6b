import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json: three up from a source file, two up from a bundle. */
function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(
        'This installation of Touchstone is incomplete: package.json is missing. Reinstall it.',
      );
    folder = parent;
  }
  return folder;
}

const root = findRoot();
const fromSource = import.meta.url.endsWith('.ts');
const besideThis = dirname(fileURLToPath(import.meta.url));
const emptyDatabase = join(besideThis, 'empty.sqlite');

/** What the program ships, wherever it is installed. */
export const programFiles = {
  root,
  migrations: join(root, 'migrations'),
  datasets: join(root, 'datasets'),
  renderer: join(root, 'out', 'renderer'),
  /** The command line as a script for Node: how the program starts the servers that it ships. */
  commandLine: fromSource
    ? join(root, 'src-main', 'hosts', 'cli', 'main.ts')
    : join(besideThis, 'cli.js'),
  /** A database that all migrations were applied to, which the build makes; null without one. */
  emptyDatabase: !fromSource && existsSync(emptyDatabase) ? emptyDatabase : null,
  version: (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
    .version,
};

/** Where a user's data is stored by default, by the conventions of the platform. */
export function defaultWorkspace(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (environment['TOUCHSTONE_HOME']) return environment['TOUCHSTONE_HOME'];
  const home = homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Touchstone');
  if (platform === 'win32')
    return join(environment['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Touchstone');
  const data = environment['XDG_DATA_HOME'];
  // By the specification, an empty or relative variable counts as not set.
  return join(data && isAbsolute(data) ? data : join(home, '.local', 'share'), 'touchstone');
}
