import { glob, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import {
  isEvalFile,
  isTaskFile,
  partsOf,
  taskSetsOf,
} from '../../../services/suites/exchange/mcpchecker.ts';
import { isMarkTask } from '../../../services/suites/exchange/mcpmark.ts';
import { readSourceText } from '../../../services/files/sourceText.ts';
import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';
import { readInput } from './files.ts';

const maxTaskBytes = 1024 * 1024;
const maxTasks = 10_000;

/**
 * An evaluation of mcpchecker with the tasks of the files that it names, and a task of MCPMark with
 * the files next to it; other texts as they are.
 */
export async function joinTaskFiles(
  file: string,
  text: string,
  { io, output }: CommandContext,
): Promise<string> {
  if (file === '-' || text.length > maxTaskBytes) return text;
  if (!/taskSets/.test(text) && !/"category_id"/.test(text)) return text;
  const read = readSourceText(text);
  if (!read.readable) return text;
  const folder = dirname(resolve(file));
  const isMark: boolean = isMarkTask(read.value);
  if (isMark) {
    const task = await readMarkTask(folder, basename(file), { io, output });
    return JSON.stringify(task, null, 2);
  }
  if (!isEvalFile(read.value)) return text;
  let count = 0;
  const sets: JsonObject[] = [];
  for (const set of taskSetsOf(read.value)) {
    const { path = null, glob: pattern = null, labelSelector = null } = set;
    const paths: string[] = [];
    if (typeof path === 'string') paths.push(resolve(folder, path));
    else if (typeof pattern === 'string') {
      for await (const each of glob(pattern, { cwd: folder })) paths.push(resolve(folder, each));
      paths.sort();
    }
    const tasks: JsonObject[] = [];
    for (const each of paths) {
      if ((count += 1) > maxTasks)
        throw new UsageError(
          `${file}: It names more than ${maxTasks} files. Import a part of them.`,
        );
      const task = await readTask(folder, each, io);
      if (task === null) output.note(`${each}: It isn’t a task of mcpchecker, and is left out.`);
      else if (hasLabels(task, labelSelector)) tasks.push(task);
    }
    sets.push({ ...set, tasks });
  }
  const config = isJsonObject(read.value['config'] ?? null)
    ? (read.value['config'] as JsonObject)
    : {};
  return JSON.stringify({ ...read.value, config: { ...config, taskSets: sets } });
}

/** A task, with the prompt of its file if it is in one, and its scripts found from the folder. */
async function readTask(
  folder: string,
  path: string,
  io: CommandContext['io'],
): Promise<JsonObject | null> {
  const read = readSourceText(await readInput(path, io, maxTaskBytes));
  if (!read.readable || !isTaskFile(read.value)) return null;
  const parts = partsOf(read.value);
  const prompt = isJsonObject(parts['prompt'] ?? null) ? (parts['prompt'] as JsonObject) : {};
  const { verify } = parts;
  const spec = {
    ...parts,
    ...(verify !== undefined && { verify: placedScripts(verify, relative(folder, dirname(path))) }),
    ...(typeof prompt['file'] === 'string' && {
      prompt: { inline: await readInput(resolve(dirname(path), prompt['file']), io, maxTaskBytes) },
    }),
  };
  const { spec: _spec, steps: _steps, ...rest } = read.value;
  return { ...rest, spec };
}

/** Scripts of a task, which names them from its own place, named from the folder of the suite. */
function placedScripts(verify: JsonValue, place: string): JsonValue {
  const placed = (script: JsonObject): JsonObject => {
    const { file } = script;
    return typeof file !== 'string' || isAbsolute(file)
      ? script
      : { ...script, file: `./${join(place, file).replaceAll('\\', '/')}` };
  };
  if (!Array.isArray(verify)) return isJsonObject(verify) ? placed(verify) : verify;
  return verify.map((step) =>
    isJsonObject(step) && isJsonObject(step['script'] ?? null)
      ? { ...step, script: placed(step['script'] as JsonObject) }
      : step,
  );
}

function hasLabels(task: JsonObject, selector: unknown): boolean {
  const { metadata = null } = task;
  const labels =
    isJsonObject(metadata) && isJsonObject(metadata['labels'] ?? null)
      ? (metadata['labels'] as JsonObject)
      : {};
  return Object.entries(selector ?? {}).every(([name, value]) => labels[name] === value);
}

/** Whether a path is a folder; what isn't there is none. */
export const isFolder = async (path: string): Promise<boolean> =>
  path !== '-' && (await stat(path).catch(() => null))?.isDirectory() === true;

/** The tasks of MCPMark in a folder and those below it, as one text. Throws a UsageError if it has none. */
export async function joinTaskFolders(folder: string, context: CommandContext): Promise<string> {
  const paths: string[] = [];
  for await (const each of glob('**/meta.json', { cwd: folder })) paths.push(each);
  if (paths.length > maxTasks)
    throw new UsageError(`${folder}: It has more than ${maxTasks} tasks. Import a part of them.`);
  const tasks: JsonObject[] = [];
  for (const each of paths.sort()) {
    const task = await readMarkTask(folder, each, context);
    if (task !== null) tasks.push(task);
  }
  if (tasks.length === 0)
    throw new UsageError(
      `${folder}: It is a folder without tasks of MCPMark (meta.json and description.md). Give a file.`,
    );
  return JSON.stringify(tasks, null, 2);
}

/** A task with the text of its description.md and the place of its verify.py; null: it is none. */
async function readMarkTask(
  folder: string,
  meta: string,
  { io, output }: Pick<CommandContext, 'io' | 'output'>,
): Promise<JsonObject | null> {
  const read = readSourceText(await readInput(join(folder, meta), io, maxTaskBytes));
  if (!read.readable || !isMarkTask(read.value)) {
    output.note(`${join(folder, meta)}: It isn’t a task of MCPMark, and is left out.`);
    return null;
  }
  const has = async (name: string): Promise<boolean> =>
    (await stat(join(folder, dirname(meta), name)).catch(() => null))?.isFile() === true;
  const about = join(dirname(meta), 'description.md');
  const script = join(dirname(meta), 'verify.py').replaceAll('\\', '/');
  return {
    ...read.value,
    ...((await has('description.md')) && {
      instruction: await readInput(join(folder, about), io, maxTaskBytes),
    }),
    ...((await has('verify.py')) && { verify: `./${script}` }),
  };
}
