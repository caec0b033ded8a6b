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
import { join } from 'node:path';
import { programFiles } from '../runtime/programFiles.ts';
import { emptyDatabase } from '../store/database/emptyDatabase.ts';
import { emptyName, folderVariable, nameOf } from './testPrograms.ts';

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
  for (const name of ['package-lock.json', 'scripts/lazyShapes.ts', ...sources.sort()]) {
    const { mtimeMs, size } = statSync(join(root, name));
    key.update(`${name} ${mtimeMs} ${size}\n`);
  }
  const all = join(root, 'node_modules', '.cache', 'touchstone', 'programs');
  const folder = join(all, key.digest('hex').slice(0, 16));
  process.env[folderVariable] = folder;
  if (existsSync(folder)) return;
  const { build } = await import('vite');
  const { lazyShapes } = await import('../../scripts/lazyShapes.ts');
  const unfinished = `${folder}.${process.pid}`;
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [lazyShapes()],
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
