import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { CommandIo } from '../commandIo.ts';
import { inSession, member } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { table } from '../output/output.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';
import { readCategory } from './workshopCategories.ts';

interface NamedText {
  path: string;
  text: string;
}

const maxFileBytes = 4 * 1024 * 1024;

export const workshopFileCommands = [
  member(
    'save <paths...>',
    'saves tools from files (name.tool.json, its script next to it) or folders: new ' +
      'tools are created, changed ones get a new version',
    {
      flags: {
        '--changelog <text>': 'changelog of the versions',
        '--category <category>': 'instead of the category in the file; "": no category',
        '--dry-run': 'show what would happen without writing',
      },
      example: "workshop save tools/word_count.tool.json --changelog 'counts " + "hyphens'",
      async run({ options, ...context }, paths: string[]) {
        const { io, output } = context;
        const { changelog = '', category, dryRun = false } = options;
        const files = await readNamedFiles(paths, io);
        await inSession(context, dryRun ? 'read' : 'write', async ({ client }) => {
          const categoryId =
            category === undefined ? {} : { categoryId: await readCategory(client, category) };
          const preview = await client.workshop.previewImport({ files });
          for (const { file, line, column, message } of preview.problems)
            output.error(`${file}:${line ?? 1}:${column ?? 1}: ${message}`);
          if (preview.problems.length > 0) {
            io.setExitCode(exitCodes.usage);
            return;
          }
          const saved = dryRun
            ? preview.tools.map((tool) => ({ ...tool, version: null }))
            : (await client.workshop.import({ files, changelog, ...categoryId })).tools;
          const tools = saved.map(({ name, act, version }) => ({ name, act, version }));
          output.answer({ tools }, () =>
            table(
              tools.map(({ name, act, version }) => [
                actionWords[act],
                name,
                version === null ? '' : `version ${version}`,
              ]),
            ),
          );
        });
      },
    },
  ),
  member('export [names...]', 'writes tools to files: all of them, or those named', {
    flags: { '--out <folder>': { about: 'where to', required: true } },
    example: 'workshop export --out tools',
    async run({ options: { out }, ...context }, names: string[]) {
      await mkdir(out, { recursive: true });
      await checkOutput(join(out, '.touchstone'));
      await inSession(context, 'read', async ({ client }) => {
        const named = names.map(async (name) => (await client.workshop.getByName({ name })).id);
        const ids = names.length === 0 ? null : await Promise.all(named);
        const exported = (await client.workshop.export({ ids })).files;
        for (const { path, text } of exported) await writeOutput(join(out, path), text);
        const files = exported.map(({ path }) => join(out, path));
        context.output.answer({ files }, () => files.join('\n'));
      });
    },
  }),
];

const actionWords = { create: 'new', save: 'saved', same: 'unchanged' } as const;

/**
 * Reads the named files with the scripts that they reference, and all tool files of the named
 * folders.
 */
export async function readNamedFiles(
  paths: readonly string[],
  io: CommandIo,
): Promise<NamedText[]> {
  const named = new Map<string, string>();
  const add = async (path: string): Promise<void> => {
    const key = resolve(path);
    if (!named.has(key)) named.set(key, await readInput(path, io, maxFileBytes));
  };
  for (const path of paths) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isFolder) {
      for (const name of (await readdir(path)).sort())
        if (/\.(tool\.json|py|sh)$/.test(name)) await add(join(path, name));
      continue;
    }
    await add(path);
    const script = scriptOf(named.get(resolve(path)) ?? '');
    if (script !== null)
      await add(join(dirname(path), script)).catch((error: unknown) => {
        // The import reports a missing script, at the field that names it.
        if (!(error instanceof UsageError)) throw error;
      });
  }
  return [...named].map(([path, text]) => ({ path, text }));
}

/** The script file that a tool names. Only a file in the same folder is accepted. */
function scriptOf(text: string): string | null {
  try {
    const { script } = JSON.parse(text) as { script?: unknown };
    return typeof script === 'string' && script !== '' && script !== '..' && !/[/\\]/.test(script)
      ? script
      : null;
  } catch {
    return null;
  }
}
