import { spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { failure, result, tool, type Incoming, type Mode, type Wire } from './wire.ts';

const on =
  (
    method: string,
    act: (message: Incoming, wire: Wire, next: () => void) => void,
  ): NonNullable<Mode['handle']> =>
  (message, wire, next) => {
    if (message.method === method) act(message, wire, next);
    else next();
  };

const stayAlive = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
const list = (message: Incoming): string =>
  JSON.stringify(result(message, { tools: [tool('echo')] }));

const letters = Buffer.alloc(1024 * 1024, 120);

function write(wire: Wire, megabytes: number, after: () => void, block = letters): void {
  for (let left = megabytes; left > 0; left -= 1) wire.raw(block);
  after();
}

/** Modes that do not answer. */
export const silentModes: Record<string, Mode> = {
  'silent-initialize': {
    handle: (message, _wire, next) =>
      message.method === 'initialize' || message.method === 'server/discover' ? undefined : next(),
  },
  'silent-discover': { handle: on('server/discover', () => undefined) },
  // Speaks only the later protocol and is slow to say so, like a program that is still being
  // unpacked.
  'slow-discover': {
    handle: on('server/discover', (_message, _wire, next) => void setTimeout(next, 600)),
  },
  'silent-list': { handle: on('tools/list', () => undefined) },
  'silent-call': { handle: on('tools/call', () => undefined) },
  deaf: { deaf: true },
  // The cancelled call is answered anyway, and so is every later call.
  'late-reply': {
    handle: (message, wire, next) => {
      if (message.method === 'tools/call' && message.params['name'] === 'slow') return;
      if (message.method === 'notifications/cancelled') {
        wire.send({
          jsonrpc: '2.0',
          id: message.params['requestId'] ?? null,
          result: { content: [{ type: 'text', text: 'too late' }] },
        });
        return;
      }
      next();
    },
  },
  // Reports progress forever and never answers.
  progress: {
    handle: on('tools/call', (message, wire) => {
      let step = 0;
      setInterval(() => {
        step += 1;
        wire.send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: message.id ?? 0, progress: step },
        });
      }, 20);
    }),
  },
};

/**
 * Modes of a server that starts slowly, as one that `npx` or `uvx` installs first: it answers nothing
 * until a file exists.
 */
export const slowModes = (file: string): Record<string, Mode> => {
  let isReady: Promise<void> | null = null;
  const handle: NonNullable<Mode['handle']> = (_message, _wire, next) => {
    isReady ??= new Promise((resolve) => {
      const timer = setInterval(() => {
        if (!existsSync(file)) return;
        clearInterval(timer);
        resolve();
      }, 10);
    });
    void isReady.then(next);
  };
  const says = (text: string, stream: NodeJS.WriteStream) => ({
    start: () => void stream.write(text),
    handle,
  });
  return {
    'slow-start': says('npm http fetch GET 200 pkg\n', process.stderr),
    'slow-silent': { handle },
    'slow-http': says('Listening on http://127.0.0.1:3000\n', process.stdout),
    'only-probe': {
      handle: (message, _wire, next) => {
        if (message.method === 'initialize') return;
        next();
        process.stderr.write('answered\n');
      },
    },
  };
};

/** Modes that print other text to standard output, or split the messages. */
export const noiseModes: Record<string, Mode> = {
  banner: {
    start: (wire) => wire.raw('Listening on stdio…\n=== ready ===\n'),
    handle: on('tools/list', (message, wire) => wire.raw(`about to list: ${list(message)}\n`)),
  },
  ansi: {
    start: (wire) => wire.raw('\u001b[32mready\u001b[0m\n'),
    handle: on('tools/list', (message, wire) => wire.raw(`\u001b[1m${list(message)}\u001b[0m\n`)),
  },
  bom: {
    start: (wire) => wire.raw('\ufeff'),
    handle: on('tools/list', (message, wire) => wire.raw(`\ufeff${list(message)}\n`)),
  },
  crlf: { handle: on('tools/list', (message, wire) => wire.raw(`\r\n${list(message)}\r\n\r\n`)) },
  nul: { handle: on('tools/list', (message, wire) => wire.raw(`\0\0${list(message)}\0\n\0\n`)) },
  'split-text': {
    handle: on('tools/list', (message, wire) => {
      const bytes = Buffer.from(
        `${JSON.stringify(result(message, { tools: [tool('grüße_🎈')] }))}\n`,
      );
      let at = 0;
      const step = (): void => {
        wire.raw(bytes.subarray(at, at + 1));
        at += 1;
        if (at < bytes.length) setImmediate(step);
      };
      step();
    }),
  },
  'two-in-one': {
    handle: on('tools/list', (message, wire) =>
      wire.raw(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } })}\n${list(message)}\n`,
      ),
    ),
  },
  'half-line': {
    handle: on('tools/list', (message, wire) =>
      exitAfter(() => wire.raw(`${list(message)}\n{"jsonrpc":"2.0","id":9`), 0),
    ),
  },
  'last-line-open': {
    handle: on('tools/list', (message, wire) => exitAfter(() => wire.raw(list(message)), 0)),
  },
};

/** Modes that violate JSON-RPC. */
export const ruleModes: Record<string, Mode> = {
  'bad-rpc': {
    handle: on('tools/list', (message, wire) =>
      wire.raw(`{"id":${JSON.stringify(message.id)},"result":"no object"}\n`),
    ),
  },
  'bad-json': {
    handle: on('tools/list', (message, wire) =>
      wire.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"tools":[}}\n`),
    ),
  },
  'both-result-and-error': {
    handle: on('tools/list', (message, wire) =>
      wire.send({
        jsonrpc: '2.0',
        id: message.id ?? null,
        result: { tools: [] },
        error: { code: 1, message: 'and an error' },
      }),
    ),
  },
  'wrong-id': {
    handle: on('tools/list', (message, wire, next) => {
      wire.send({ jsonrpc: '2.0', id: 424242, result: { tools: [tool('for_somebody_else')] } });
      next();
    }),
  },
  duplicate: {
    handle: on('tools/call', (message, wire) =>
      ['first', 'second'].forEach((text) =>
        wire.send(result(message, { content: [{ type: 'text', text }] })),
      ),
    ),
  },
  /** Fails every call with the text that it was given. */
  complaining: {
    handle: on('tools/call', (message, wire) => {
      const args = message.params['arguments'];
      const text = isJsonObject(args) && typeof args['text'] === 'string' ? args['text'] : '';
      process.stderr.write(`It failed: ${text}\n`);
      wire.send(failure(message, -32000, text));
    }),
  },
  'list-error': {
    handle: on('tools/list', (message, wire) =>
      wire.send(failure(message, -32603, 'The database is locked')),
    ),
  },
};

/** Characters of one to four bytes and escaped ones: their bytes end anywhere in what is read. */
export const mixedCharacters = 'Zoë – 東京 🚀 "quoted" \\ tab\t ';

/** About 1 MB of whole repetitions, as they stand inside a JSON text. */
function mixedBlock(): Buffer<ArrayBuffer> {
  const one = Buffer.from(JSON.stringify(mixedCharacters).slice(1, -1));
  return Buffer.alloc(one.length * Math.floor((1024 * 1024) / one.length), one);
}

/** Modes that send too much. */
export const floodModes: Record<string, Mode> = {
  'answer-50mb': {
    handle: on('tools/call', (message, wire) => {
      wire.raw(
        `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":[{"type":"text","text":"`,
      );
      write(wire, 50, () => wire.raw('"}]}}\n'));
    }),
  },
  'mixed-50mb': {
    handle: on('tools/call', (message, wire) => {
      wire.raw(
        `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":[{"type":"text","text":"`,
      );
      write(wire, 50, () => wire.raw('"}]}}\n'), mixedBlock());
    }),
  },
  'no-newline-30mb': {
    handle: on('tools/call', (_message, wire) => write(wire, 30, () => undefined)),
  },
  'stderr-flood': {
    start: () => {
      const block = Buffer.alloc(1024 * 1024, 121);
      let left = 200;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!process.stderr.write(block)) return void process.stderr.once('drain', more);
        }
      };
      more();
    },
  },
};

const family: NonNullable<Mode['start']> = () => {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
  spawn(process.execPath, ['-e', stayAlive], { stdio: 'inherit' });
  spawn(process.execPath, ['-e', stayAlive], { stdio: 'inherit', detached: true });
};

/** Modes that exit when they should not, or keep running when they should not. */
export const endingModes: Record<string, Mode> = {
  'exit-at-start': {
    start: () => exitAfter(() => process.stderr.write('config.json: no such file\n'), 3),
  },
  'exit-at-list': {
    handle: on('tools/list', () => exitAfter(() => process.stderr.write('out of luck\n'), 3)),
  },
  // Complains about the probe as the Python SDK does, and later fails for a reason of its own.
  'complain-and-exit': {
    handle: (message, wire, next) => {
      if (message.method === 'server/discover') {
        process.stderr.write(
          'WARNING: Failed to validate request: 2 validation errors for ClientRequest\n' +
            "PingRequest.method\n  Input should be 'ping' [input_value='server/discover']\n" +
            '    For further information visit https://errors.pydantic.dev/2/v/literal_error\n',
        );
        wire.send(failure(message, -32602, 'Invalid request parameters'));
      } else if (message.method === 'tools/list')
        exitAfter(() => process.stderr.write('The database is locked\n'), 3);
      else next();
    },
  },
  'exit-at-call': {
    handle: on('tools/call', () => exitAfter(() => process.stderr.write('out of luck\n'), 3)),
  },
  'crash-at-call': { handle: on('tools/call', () => void process.kill(process.pid, 'SIGSEGV')) },
  // Both pipes are closed but the process keeps running, so the next write fails with EPIPE.
  'broken-pipe': {
    handle: on('tools/call', () => [0, 1].forEach((descriptor) => closeSync(descriptor))),
  },
  // Exits on any request before initialize, as some servers do.
  picky: { handle: on('server/discover', () => process.exit(1)) },
  family: { start: family },
  'silent-family': { start: family, handle: () => undefined },
};

function exitAfter(act: () => unknown, code: number): void {
  act();
  process.exitCode = code;
  // Standard output and standard error are pipes, so what was written is flushed before the exit.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}
