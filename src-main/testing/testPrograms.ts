import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programFiles } from '../runtime/programFiles.ts';

/** Names the folder of the bundles in the environment of a run. */
export const folderVariable = 'TOUCHSTONE_TEST_PROGRAMS';

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

/** The database that temporary workspaces start from, next to the bundles. */
export const emptyName = 'empty.sqlite';

/**
 * The file of a bundle: workers, children and SDKs are found by their own names, others by that of
 * their folder.
 */
export const nameOf = (source: string): string => {
  const name = basename(source, '.ts');
  return `${/(Worker|Child|Sdks)$/.test(name) ? name : basename(dirname(source))}.js`;
};
