import { join, resolve } from 'node:path';
import type { TreeOptions } from '../adapters/process/spawnTree.ts';
import { makeFolder } from '../runtime/makeFolder.ts';
import { serveTodoOverStdio } from '../servers/todo/stdio.ts';
import type { InProcess } from './inProcess.ts';
import { testedProgram } from './testedProgram.ts';
import { todoProgram } from './todoProgram.ts';

/** What serves the Todo server that these options start; null if they start something else. */
export function todoInProcess(options: TreeOptions): ((own: InProcess) => Promise<void>) | null {
  const file = todoFile(options);
  if (file === null) return null;
  return ({ pipes, log }) =>
    serveTodoOverStdio({ file, pipes, log: (line) => log(`todo server: ${line}`) });
}

/** The database of a Todo server that these options start; null if they start something else. */
function todoFile({ command, args, cwd, env = {} }: TreeOptions): string | null {
  if (command !== process.execPath) return null;
  const isInline = todoProgram.every((arg, index) => args[index] === arg);
  const [inlineFile] = args.slice(todoProgram.length);
  if (isInline) return inlineFile === undefined ? null : resolve(cwd ?? '.', inlineFile);
  const [program, verb, transport, flag, file, ...more] = args;
  if (program !== testedProgram || verb !== 'serve-todo' || more.length > 0) return null;
  if (transport !== '--stdio' && transport !== undefined) return null;
  if (flag !== undefined)
    return flag === '--db' && file !== undefined ? resolve(cwd ?? '.', file) : null;
  const folder = env['TOUCHSTONE_RUN_DIR'] ?? env['TOUCHSTONE_HOME'];
  if (folder === undefined) return null;
  makeFolder(folder);
  return join(folder, 'todo.sqlite');
}
