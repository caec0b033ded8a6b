import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { programFiles } from '../runtime/programFiles.ts';
import { testProgram } from './testPrograms.ts';

const { root } = programFiles;
const builtProgram = join(root, 'out', 'main', 'cli.js');

/**
 * The command line for tests: the bundle of a run of tests; elsewhere the build, or the sources if
 * the build is missing or older than one of them.
 */
export const testedProgram = findProgram();

function findProgram(): string {
  const bundle = testProgram('src-main/hosts/cli/main.ts');
  if (bundle.endsWith('.js')) return bundle;
  return hasFreshBuild() ? builtProgram : programFiles.commandLine;
}

/** True if the program was built, and no source changed since. */
export function hasFreshBuild(): boolean {
  if (!existsSync(builtProgram)) return false;
  const sources = globSync('src-{main,shared}/**/*.ts', {
    cwd: root,
    exclude: (name) => name.endsWith('.test.ts'),
  });
  const newest = Math.max(...sources.map((source) => statSync(join(root, source)).mtimeMs));
  return statSync(builtProgram).mtimeMs > newest;
}
