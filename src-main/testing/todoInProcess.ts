import { EventEmitter, once } from 'node:events';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { createRunId } from '../adapters/process/runId.ts';
import {
  spawnTree,
  type ProcessTree,
  type TreeExit,
  type TreeOptions,
} from '../adapters/process/spawnTree.ts';
import { TextRing } from '../adapters/process/textRing.ts';
import { makeFolder } from '../runtime/makeFolder.ts';
import { serveTodoOverStdio } from '../servers/todo/stdio.ts';
import { testedProgram } from './testedProgram.ts';
import { todoProgram } from './todoProgram.ts';

/**
 * Starts the program of a server, but the Todo server in the process of the test, over streams that
 * stand for its pipes: a process of its own costs 150 ms of CPU time. What its process is the
 * subject of starts it as a child, with `spawnTree`.
 */
export async function startTodoInProcess(options: TreeOptions): Promise<ProcessTree> {
  const file = todoFile(options);
  if (file === null) return spawnTree(options);
  const [stdin, stdout, log] = [new PassThrough(), new PassThrough(), new TextRing(64 * 1024)];
  let exit: TreeExit | null = null;
  const signals = new EventEmitter();
  const served = serveTodoOverStdio({
    file,
    log: (line) => {
      const text = Buffer.from(`todo server: ${line}\n`);
      log.push(text);
      options.onLog?.(text);
    },
    pipes: Object.assign(signals, { stdin, stdout }),
  });
  const ended = served.then(async () => {
    exit = { code: 0, signal: null };
    stdout.end();
    if (!stdout.closed) await once(stdout, 'close');
    return exit;
  });
  return {
    pid: process.pid,
    runId: createRunId(),
    stdin,
    stdout,
    log,
    get exit() {
      return exit;
    },
    ended,
    async end() {
      stdin.end();
      await served;
      stdout.destroy();
      await ended;
      return true;
    },
  };
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
