import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, isAbsolute } from 'node:path';
import { readTextFile } from '../../files/readTextFile.ts';

const maxBytes = 1024 * 1024;

/**
 * Texts of the files that a configuration names, such as `envFile` and the `.mcp.json` of a plugin.
 * Only those in the folder of the configuration, or in its project if that folder is a client's
 * (`.vscode`), are read: a configuration from elsewhere must not reach other files.
 */
export async function readNamedFiles(
  configuration: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  const folder = dirname(resolve(configuration));
  const project = basename(folder).startsWith('.') ? dirname(folder) : folder;
  const read = await Promise.all(
    names.map(async (name): Promise<[string, string][]> => {
      const plain = name.replace(/^\$\{(?:workspaceFolder|CLAUDE_PLUGIN_ROOT)\}[\\/]?/, '');
      for (const base of [...new Set([project, folder])]) {
        const text = await readWithin(project, resolve(base, plain));
        if (text !== null) return [[name, text]];
      }
      return [];
    }),
  );
  return Object.fromEntries(read.flat());
}

async function readWithin(project: string, path: string): Promise<string | null> {
  try {
    const way = relative(await realpath(project), await realpath(path));
    if (way.startsWith('..') || isAbsolute(way)) return null;
    const { size } = await stat(path);
    return size > maxBytes ? null : await readTextFile(path);
  } catch {
    return null; // The import says that it wasn't read.
  }
}
