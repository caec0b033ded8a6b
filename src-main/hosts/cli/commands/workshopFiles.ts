import type { Command } from 'commander';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { table } from '../output/output.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';
import { readCategory } from './workshopCategories.ts';
import { inWorkshop } from './workshopSession.ts';

interface NamedText {
  path: string;
  text: string;
}

const maxFileBytes = 4 * 1024 * 1024;

export function addWorkshopFiles(workshop: Command, io: CommandIo): void {
  workshop
    .command('save <paths...>')
    .description(
      'saves tools from files (name.tool.json, its script next to it) or folders: new ' +
        'tools are created, changed ones get a new version',
    )
    .option('--changelog <text>', 'changelog of the versions')
    .option('--category <category>', 'instead of the category in the file; "": no category')
    .option('--dry-run', 'show what would happen without writing')
    .addHelpText(
      'after',
      "\nExample:\n  touchstone workshop save tools/word_count.tool.json --changelog 'counts " +
        "hyphens'",
    )
    .action(
      async (
        paths: string[],
        options: { changelog?: string; category?: string; dryRun?: boolean },
        command: Command,
      ) => {
        const files = await readNamedFiles(paths, io);
        await inWorkshop(
          contextOf(command, io),
          options.dryRun ? 'read' : 'write',
          async (client, output) => {
            const categoryId =
              options.category === undefined
                ? undefined
                : await readCategory(client, options.category);
            const preview = await client.workshop.previewImport({ files });
            for (const { file, line, column, message } of preview.problems)
              output.error(`${file}:${line ?? 1}:${column ?? 1}: ${message}`);
            if (preview.problems.length > 0) {
              io.setExitCode(exitCodes.usage);
              return;
            }
            const tools = options.dryRun
              ? preview.tools.map(({ name, act }) => ({ name, act, version: null }))
              : (
                  await client.workshop.import({
                    files,
                    changelog: options.changelog ?? '',
                    ...(categoryId === undefined ? {} : { categoryId }),
                  })
                ).tools.map(({ name, act, version }) => ({ name, act, version }));
            output.answer({ tools }, () =>
              table(
                tools.map(({ name, act, version }) => [
                  actionWords[act],
                  name,
                  version === null ? '' : `version ${version}`,
                ]),
              ),
            );
          },
        );
      },
    );

  workshop
    .command('export [names...]')
    .description('writes tools to files: all of them, or those named')
    .requiredOption('--out <folder>', 'where to')
    .addHelpText('after', '\nExample:\n  touchstone workshop export --out tools')
    .action(async (names: string[], options: { out: string }, command: Command) => {
      await mkdir(options.out, { recursive: true });
      await checkOutput(join(options.out, '.touchstone'));
      await inWorkshop(contextOf(command, io), 'read', async (client, output) => {
        const ids =
          names.length === 0
            ? null
            : await Promise.all(
                names.map(async (name) => (await client.workshop.getByName({ name })).id),
              );
        const { files } = await client.workshop.export({ ids });
        for (const { path, text } of files) await writeOutput(join(options.out, path), text);
        output.answer({ files: files.map(({ path }) => join(options.out, path)) }, () =>
          files.map(({ path }) => join(options.out, path)).join('\n'),
        );
      });
    });
}

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
