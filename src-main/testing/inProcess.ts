import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createRunId } from '../adapters/process/runId.ts';
import type { ProcessTree, TreeExit, TreeOptions } from '../adapters/process/spawnTree.ts';
import { TextRing } from '../adapters/process/textRing.ts';
import type { Pipes } from '../servers/serveOverStdio.ts';

/** What a server has in place of its process; `log` takes a line of its standard error. */
export interface InProcess {
  pipes: Pipes;
  log: (line: string) => void;
}

/**
 * A server in the process of the test, over streams that stand for its pipes.
 *
 * @param serve serves until its standard input ends
 */
export function startInProcess(
  { onLog }: TreeOptions,
  serve: (own: InProcess) => Promise<void>,
): ProcessTree {
  const [stdin, stdout, log] = [new PassThrough(), new PassThrough(), new TextRing(64 * 1024)];
  let exit: TreeExit | null = null;
  const served = serve({
    pipes: Object.assign(new EventEmitter(), { stdin, stdout }),
    log: (line) => {
      const text = Buffer.from(`${line}\n`);
      log.push(text);
      onLog?.(text);
    },
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
