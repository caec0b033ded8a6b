import { glob } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import {
  isEvalFile,
  isTaskFile,
  partsOf,
  taskSetsOf,
} from '../../../services/suites/exchange/mcpchecker.ts';
import { readSourceText } from '../../../services/files/sourceText.ts';
import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';
import { readInput } from './files.ts';

const maxTaskBytes = 1024 * 1024;
const maxTasks = 10_000;

/** An evaluation of mcpchecker with the tasks of the files that it names; other texts as they are. */
export async function joinTaskFiles(
  file: string,
  text: string,
  { io, output }: CommandContext,
): Promise<string> {
  if (file === '-' || !/taskSets/.test(text) || text.length > maxTaskBytes) return text;
  const read = readSourceText(text);
  if (!read.readable || !isEvalFile(read.value)) return text;
  const folder = dirname(resolve(file));
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
      const task = await readTask(each, io);
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

/** A task, with the prompt of its file if it is in one. */
async function readTask(path: string, io: CommandContext['io']): Promise<JsonObject | null> {
  const read = readSourceText(await readInput(path, io, maxTaskBytes));
  if (!read.readable || !isTaskFile(read.value)) return null;
  const parts = partsOf(read.value);
  const prompt = isJsonObject(parts['prompt'] ?? null) ? (parts['prompt'] as JsonObject) : {};
  if (typeof prompt['file'] !== 'string') return read.value;
  const inline = await readInput(resolve(dirname(path), prompt['file']), io, maxTaskBytes);
  const { spec: _spec, steps: _steps, ...rest } = read.value;
  return { ...rest, spec: { ...parts, prompt: { inline } } };
}

function hasLabels(task: JsonObject, selector: unknown): boolean {
  const { metadata = null } = task;
  const labels =
    isJsonObject(metadata) && isJsonObject(metadata['labels'] ?? null)
      ? (metadata['labels'] as JsonObject)
      : {};
  return Object.entries(selector ?? {}).every(([name, value]) => labels[name] === value);
}
