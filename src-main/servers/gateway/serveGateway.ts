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
});

/** Serves one client over standard input and output, see `serveOverStdio`. */
export const serveGatewayOverStdio = (relay: Relay, log: (line: string) => void): Promise<void> =>
  serveOverStdio(served(relay), {
    log,
    clientOf: (lines) => new StdioClient(lines, process.stdout) as unknown as Transport,
  });

/** Serves any number of clients over HTTP, each with a connection to the server of its own. */
export const serveGatewayOverHttp = (
  open: () => Promise<Relay>,
  { port, token, log }: { port: number; token: string | null; log: (line: string) => void },
): Promise<HttpSessions> =>
  serveSessionsOverHttp({ port, token, open: async () => served(await open()), log });
