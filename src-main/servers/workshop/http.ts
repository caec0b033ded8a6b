import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ServerResponse } from 'node:http';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import type { WorkshopBackend } from '../../services/workshop/serving.ts';
import { serveSessionsOverHttp } from '../sessionsOverHttp.ts';
import {
  announceChanges,
  createWorkshopServer,
  logToStandardError,
  type WorkshopLog,
} from './workshopServer.ts';

export interface HttpWorkshopOptions {
  backend: WorkshopBackend;
  /** 0 takes any free port. */
  port: number;
  /** Required of every request, as `Authorization: Bearer …`. */
  token: string;
  log?: WorkshopLog;
}

interface Announced {
  /** The last change that was announced to a session, or that it began with. */
  change: number;
  /** True while its stream is open, so that announcements arrive. */
  isListening: boolean;
}

/**
 * Serves streamable HTTP under /mcp, with sessions so that changed lists can be announced. Throws
 * TROUBLE if the port is not free.
 */
export async function serveWorkshopOverHttp({
  backend,
  port,
  token,
  log = logToStandardError,
}: HttpWorkshopOptions): Promise<{ url: string; close(): Promise<void> }> {
  const announced = new WeakMap<McpServer, Announced>();
  let changes = 0;
  const sessions = await serveSessionsOverHttp({
    port,
    token,
    log,
    open: () => {
      const server = createWorkshopServer(backend, log);
      announced.set(server, { change: changes, isListening: false });
      return server;
    },
    onStream: announceMissedChange,
  });
  const watching = new AbortController();
  const listeners = (): McpServer[] => {
    changes += 1;
    const servers = sessions.servers();
    for (const server of servers) {
      const known = announced.get(server);
      if (known?.isListening === true) known.change = changes;
    }
    return servers;
  };
  const announcing = announceChanges(backend, listeners, watching.signal, log);

  /**
   * Announces a change that happened after a client listed the tools and before it opened its
   * stream.
   */
  async function announceMissedChange(server: McpServer, response: ServerResponse): Promise<void> {
    while (!response.headersSent && !response.destroyed) await yieldToEventLoop();
    const known = announced.get(server);
    if (response.destroyed || response.statusCode !== 200 || known === undefined) return;
    known.isListening = true;
    response.once('close', () => (known.isListening = false));
    if (known.change === changes) return;
    known.change = changes;
    await server.server.sendToolListChanged().catch(() => undefined);
  }

  return {
    url: sessions.url,
    async close() {
      watching.abort();
      await sessions.close();
      await announcing;
    },
  };
}
