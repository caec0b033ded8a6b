import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programFiles } from '../runtime/programFiles.ts';
import { emptyDatabase } from '../store/database/emptyDatabase.ts';

/**
 * What tests start as processes and threads of their own. Bundled with their packages once for a
 * run, as the product is, they start in a third of the time that their sources take.
 */
const entries = [
  'src-main/testing/cli/main.ts',
  'src-main/testing/fakeMcpServer/main.ts',
  'src-main/servers/todo/stdio.ts',
  'src-main/adapters/secrets/keychainChild.ts',
  'src-main/services/**/*Worker.ts',
  'src-main/testing/*Child.ts',
  'src-main/testing/officialSdks.ts',
];

/** Names the folder of the bundles in the environment of a run. */
const folderVariable = 'TOUCHSTONE_TEST_PROGRAMS';

/**
 * The bundle of a source file, or the source itself outside a run that made bundles.
 *
 * @param path from the root of the repository
 */
export function testProgram(path: string): string {
  const source = join(programFiles.root, path);
  const folder = process.env[folderVariable];
  const bundle = folder === undefined ? '' : join(folder, nameOf(source));
  return existsSync(bundle) ? bundle : source;
}

/** The address of what programs that tests write take of the official SDKs. */
export const officialSdks = (): string =>
  pathToFileURL(testProgram('src-main/testing/officialSdks.ts')).href;

/** The database that temporary workspaces start from; null outside a run that made it. */
export function testEmptyDatabase(): string | null {
  const folder = process.env[folderVariable];
  return folder === undefined ? null : join(folder, emptyName);
}

const emptyName = 'empty.sqlite';

/** Workers, children and SDKs are found by their own names, others by that of their folder. */
const nameOf = (source: string): string => {
  const name = basename(source, '.ts');
  return `${/(Worker|Child|Sdks)$/.test(name) ? name : basename(dirname(source))}.js`;
};

/**
 * Bundles the programs unless that was done since a source changed, and tells this process and all
 * that it starts where they are.
 */
export async function bundleTestPrograms(): Promise<void> {
  const { root } = programFiles;
  const sources = globSync(['src-{main,shared}/**/*.ts', 'migrations/*.sql'], {
    cwd: root,
    exclude: (name) => name.endsWith('.test.ts'),
  });
  const key = createHash('sha256');
  for (const name of ['package-lock.json', ...sources.sort()]) {
    const { mtimeMs, size } = statSync(join(root, name));
    key.update(`${name} ${mtimeMs} ${size}\n`);
  }
  const all = join(root, 'node_modules', '.cache', 'touchstone', 'programs');
  const folder = join(all, key.digest('hex').slice(0, 16));
  process.env[folderVariable] = folder;
  if (existsSync(folder)) return;
  const { build } = await import('vite');
  const unfinished = `${folder}.${process.pid}`;
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir: unfinished,
      target: 'node22.22',
      minify: false,
      rolldownOptions: {
        // These two load a library for the machine from their own folder.
        external: ['better-sqlite3', 'keytar'],
        input: Object.fromEntries(
          globSync(entries, { cwd: root }).map((path) => [
            nameOf(path).slice(0, -'.js'.length),
            join(root, path),
          ]),
        ),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  writeFileSync(join(unfinished, emptyName), emptyDatabase(programFiles.migrations));
  for (const name of existsSync(all) ? readdirSync(all) : [])
    if (
      join(all, name) !== unfinished &&
      Date.now() - statSync(join(all, name)).mtimeMs > 86_400_000
    )
      rmSync(join(all, name), { recursive: true, force: true });
  // Another run may have bundled the same meanwhile.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
}
