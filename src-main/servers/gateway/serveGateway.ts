import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Relay } from '../../services/gateway/relay.ts';
import { serveOverStdio } from '../serveOverStdio.ts';
import { serveSessionsOverHttp, type HttpSessions } from '../sessionsOverHttp.ts';
import { StdioClient } from './stdioClient.ts';

/** The relay as the server of an SDK, whose type of a message is narrower. */
const served = (relay: Relay) => ({
  server: relay.server,
  connect: (transport: Transport) => relay.connect(transport),
  close: () => relay.close(),
  settle: () => relay.settle(),
});

/** Serves one client over standard input and output, see `serveOverStdio`. */
export const serveGatewayOverStdio = (relay: Relay, log: (line: string) => void): Promise<void> =>
  serveOverStdio(served(relay), {
    log,
    clientOf: (lines) => new StdioClient(lines, process.stdout) as unknown as Transport,
  });

/**
 * Serves any number of clients over HTTP, each with a connection to the server of its own. Several
 * servers are at addresses of their own, because their tools may have the same names.
 *
 * @returns the address of each server, by its name
 */
export async function serveGatewayOverHttp(
  servers: readonly string[],
  open: (server: string) => Promise<Relay>,
  { port, token, log }: { port: number; token: string | null; log: (line: string) => void },
): Promise<{ urls: ReadonlyMap<string, string>; close: HttpSessions['close'] }> {
  const paths = new Map(
    servers.map((name): [path: string, name: string] => [
      servers.length === 1 ? '/mcp' : `/${encodeURIComponent(name)}/mcp`,
      name,
    ]),
  );
  const { url, close } = await serveSessionsOverHttp({
    ...{ port, token, log, paths: [...paths.keys()] },
    open: async (path) => served(await open(paths.get(path) ?? '')),
  });
  const urls = [...paths].map(([path, name]): [string, string] => [name, new URL(path, url).href]);
  return { urls: new Map(urls), close };
}
