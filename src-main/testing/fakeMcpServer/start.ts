import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { HttpConfig, StdioConfig } from '../../../src-shared/domain/server.ts';
import { hastyGraces } from '../../adapters/process/endTree.ts';
import { spawnTree } from '../../adapters/process/spawnTree.ts';
import { testProgram } from '../testPrograms.ts';
import { readTools, type Era } from './answer.ts';
import { createHttpServer, type HttpShape } from './overHttp.ts';

export interface FakeOptions {
  /** Path of a file with the tools to serve, see `readTools`. */
  tools?: string;
  era?: Era;
  /** The other address, for the modes that name one. */
  location?: string;
  /** Size of a hostile mode; 1 is the one in its name. */
  scale?: string;
}

const main = testProgram('src-main/testing/fakeMcpServer/main.ts');

function argsFor(mode: string, options: FakeOptions): string[] {
  const pairs = Object.entries({
    tools: options.tools,
    era: options.era,
    location: options.location,
    scale: options.scale,
  });
  return [
    main,
    mode,
    ...pairs.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
  ];
}

/** The configuration of the fake server over stdio, as a user would register it. */
export function fakeStdioServer(mode = 'normal', options: FakeOptions = {}): StdioConfig {
  return {
    transport: 'stdio',
    command: process.execPath,
    args: argsFor(mode, options),
    cwd: null,
    env: {},
  };
}

export interface FakeHttpServer extends AsyncDisposable {
  url: string;
  config(headers?: Record<string, string>): HttpConfig;
  /** What has arrived so far: one line per request. */
  requests(): string;
  close(): Promise<void>;
}

/**
 * Starts the fake server on a free port of 127.0.0.1: as a process of its own, unless it behaves as it
 * should.
 */
export async function startFakeHttpServer(
  mode = 'normal',
  shape: HttpShape = 'json',
  options: FakeOptions = {},
): Promise<FakeHttpServer> {
  if (mode === 'normal') return startHere(shape, options);
  const tree = await spawnTree({
    command: process.execPath,
    args: [...argsFor(mode, options), '--http', shape],
  });
  const lines = createInterface({ input: tree.stdout });
  const first = await Promise.race([once(lines, 'line') as Promise<[string]>, tree.ended]);
  if (!Array.isArray(first)) throw new Error(`The fake server did not start: ${tree.log.tail()}`);
  const { port } = JSON.parse(first[0]) as { port: number };
  const close = async (): Promise<void> => {
    lines.close();
    await tree.end(hastyGraces);
  };
  return listening(port, shape, () => tree.log.tail({ lines: 1000, bytes: 65_536 }), close);
}

async function startHere(shape: HttpShape, options: FakeOptions): Promise<FakeHttpServer> {
  const arrived: string[] = [];
  const served = readTools(options.tools, options.era ?? '2025-11-25');
  const server = createHttpServer(
    { name: 'normal', mode: {}, served, shape, location: options.location ?? '' },
    (line) => void arrived.push(line),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return listening(port, shape, () => arrived.join('\n'), close);
}

function listening(
  port: number,
  shape: HttpShape,
  requests: () => string,
  close: () => Promise<void>,
): FakeHttpServer {
  const url = `http://127.0.0.1:${port}/mcp`;
  return {
    url,
    config: (headers = {}) => ({
      transport: shape === 'sse' ? 'sse' : 'streamable-http',
      url,
      headers,
    }),
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}
