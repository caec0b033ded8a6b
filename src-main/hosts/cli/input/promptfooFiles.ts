import { glob, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { NamedFiles } from '../../../services/suites/exchange/caseExchange.ts';
import { pathsIn } from '../../../services/suites/exchange/promptfooFiles.ts';
import { readSourceText } from '../../../services/files/sourceText.ts';
import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';
import { readInput } from './files.ts';

/** A longer one holds its tests itself. */
const maxConfig = 1024 * 1024;
const maxFiles = 1_000;
const maxBytes = 64 * 1024 * 1024;

/**
 * The files of tests, variables and prompts that a configuration of promptfoo refers to, as far as
 * they are data in its folder or below it. Others are named and stay closed, and programs never run.
 */
export async function promptfooFiles(
  file: string,
  text: string,
  { io, output }: Pick<CommandContext, 'io' | 'output'>,
): Promise<NamedFiles> {
  const mayRefer = text.length <= maxConfig && /file:\/\/|\btests["']?\s*:\s*["']?\w/.test(text);
  const found = mayRefer && file !== '-' ? valueOf(text) : undefined;
  if (found === undefined) return {};
  const folder = dirname(resolve(file));
  const root = await realpath(folder);
  const files: Record<string, { name: string; text: string }[]> = {};
  const names = pathsIn(found);
  let [count, bytes] = [0, 0];
  // Files may refer to others, which are found from the same folder.
  for (const name of names) {
    files[name] = [];
    const paths = /[*?[]/.test(name) ? await matching(folder, name) : [resolve(folder, name)];
    for (const path of paths) {
      const real = await realpath(path).catch(() => null);
      if (real === null || !real.startsWith(root.endsWith(sep) ? root : root + sep)) {
        output.note(
          `${file}: ${name} ${real === null ? 'doesn’t exist' : 'is outside of its folder'}, and isn’t opened.`,
        );
        continue;
      }
      count += 1;
      bytes += (await stat(real)).size;
      if (count > maxFiles || bytes > maxBytes)
        throw new UsageError(
          `${file}: It refers to more than ${maxFiles} files or ${maxBytes / 1024 / 1024} MB. Import a part of them.`,
        );
      const own = await readInput(real, io, maxBytes);
      files[name].push({ name: relative(folder, path) || basename(path), text: own });
      const inside = /\.(?:ya?ml|json)$/i.test(real) ? valueOf(own) : undefined;
      if (inside !== undefined)
        for (const each of pathsIn(inside)) if (!names.includes(each)) names.push(each);
    }
  }
  return Object.fromEntries(Object.entries(files).filter(([, list]) => list.length > 0));
}

async function matching(folder: string, pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const each of glob(pattern, { cwd: folder })) paths.push(join(folder, each));
  return paths.sort();
}

function valueOf(text: string): JsonValue | undefined {
  const read = readSourceText(text);
  return read.readable ? read.value : undefined;
}
