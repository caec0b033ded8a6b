import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, normalize, sep } from 'node:path';
import { fileCause } from '../../runtime/fileProblem.ts';
import { readSuiteFile } from '../../services/suites/suiteFile.ts';

const maxBytes = 64 * 1024 * 1024;

/** A text file of the folder, by its name in it. */
export interface AllowedFile {
  fileName: string;
  text: string;
}

/** Reads a file of the one folder that the person who started the server allows. */
export type ReadAllowed = (name: string, options?: ReadOptions) => Promise<AllowedFile>;

interface ReadOptions {
  /** How names end, such as `.json`: of a folder, the newest of its own files is read. */
  newest?: string;
}

/**
 * Reads files below one folder, and nothing else: an agent, or a text that it has read, may name any
 * path. Absolute names, `..`, links, devices and pipes are refused, as are files over 64 MB.
 *
 * @param folder null allows no file at all
 */
export function allowedFolder(folder: string | null): ReadAllowed {
  return async (name, { newest } = {}) => {
    if (folder === null)
      throw new Error(
        `File ${name}: This session reads no files. Ask the user to start \`touchstone mcp\` with --folder DIR.`,
      );
    const refuse = (cause: string) =>
      new Error(
        `File ${name}: ${cause} Name a file inside the allowed folder, such as reports/main.json.`,
      );
    const parts = name.split(/[/\\]/);
    if (name === '' || name.includes('\0') || isAbsolute(name) || /^[a-z]:/iu.test(name))
      throw refuse("It isn't a relative path.");
    if (parts.includes('..')) throw refuse('It leads out of the folder.');
    const root = await realpath(folder);
    const chosen = join(root, normalize(name)).replace(/[/\\]$/u, '');
    let handle;
    try {
      // Where a link stands anywhere in the name, the real path is another one.
      if ((await realpath(chosen)) !== chosen || !`${chosen}${sep}`.startsWith(`${root}${sep}`))
        throw refuse('It is, or lies behind, a link.');
      const path = newest === undefined ? chosen : await newestOf(chosen, newest);
      if (path === null) throw refuse(`It is a folder without a file *${newest}.`);
      // Without O_NONBLOCK, opening a pipe waits for its writer.
      handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const found = await handle.stat();
      if (!found.isFile()) throw refuse("It isn't a regular file.");
      if (found.size > maxBytes) throw refuse('It is larger than 64 MB.');
      return { fileName: basename(path), text: await handle.readFile('utf8') };
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      throw refuse(fileCause(error, 'read'));
    } finally {
      await handle?.close();
    }
  };
}

/** The file that was changed last of a folder, links left out; of anything else, the path itself. */
async function newestOf(path: string, ending: string): Promise<string | null> {
  const found = await lstat(path);
  if (!found.isDirectory()) return path;
  const entries = await readdir(path, { withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map(async ({ name }) => ({ name, changed: (await lstat(join(path, name))).mtimeMs })),
  );
  const [last] = files.sort((a, b) => b.changed - a.changed || (a.name < b.name ? 1 : -1));
  return last === undefined ? null : join(path, last.name);
}

/** The suite in a file; throws with the line of its first problem. */
export async function readAllowedSuite(read: ReadAllowed, name: string) {
  const { text } = await read(name);
  const { file, problems } = readSuiteFile(text);
  if (file !== null) return file;
  const [first] = problems;
  throw new Error(`${name}:${first?.line ?? 1}: ${first?.message ?? "It isn't a suite."}`);
}
