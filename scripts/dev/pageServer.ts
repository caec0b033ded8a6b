import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createViteServer, type PluginOption } from 'vite';
import { loopbackAddress } from '../../src-main/endpoint/bindHost.ts';
import { listen } from '../../src-main/endpoint/listen.ts';
import { refuseUpgrade } from '../../src-main/endpoint/refuseUpgrade.ts';
import {
  checkHost,
  checkOrigin,
  refuse,
  type Refusal,
} from '../../src-main/endpoint/requestChecks.ts';
import { answerSignIn, sendText } from '../../src-main/hosts/loopback/answers.ts';
import { checkGuard } from '../../src-main/hosts/loopback/guards.ts';
import { findRoute, routes, type Route } from '../../src-main/hosts/loopback/routes.ts';
import { createSessions, type Session } from '../../src-main/hosts/loopback/sessions.ts';
import { pageHeaders } from '../../src-main/hosts/rendererFiles.ts';
import { systemClock } from '../../src-main/runtime/clock.ts';
import { forwardRequest, forwardUpgrade } from './forward.ts';
import type { HostProcess } from './hostProcess.ts';

export interface PageServer {
  newUrl(): string;
  close(): Promise<void>;
}

const fileRoute = routes.find(({ name }) => name === 'file') ?? 404;

/** Where Vite's client in the page connects to hear of changed modules. */
export const updatesPath = '/@updates';

type Admitted = { refused: null; route: Route; session: Session | null } | { refused: Refusal };

/**
 * Serves the renderer from its source files behind the guards of the loopback host, and forwards
 * its calls to the host process. The page's session is with this server and so outlives the host.
 * One rule is relaxed: scripts with this server's nonce may be inline, as hot reload needs.
 */
export async function startPageServer(
  root: string,
  host: HostProcess,
  plugins: PluginOption,
  port: number | undefined,
): Promise<PageServer> {
  const server = createServer();
  const ownPort = await listen(server, port);
  const sessions = createSessions(systemClock);
  const nonce = randomBytes(16).toString('base64');
  const allowNonce = (policy: string) =>
    policy.replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`);
  // Never listens: requests reach it only from here, after their checks.
  const updates = createServer();
  const vite = await createViteServer({
    configFile: false,
    root: join(root, 'src-renderer'),
    cacheDir: join(root, 'node_modules', '.cache', 'vite'),
    plugins: [plugins, { name: 'allow-nonce', transformIndexHtml: allowNonce }],
    html: { cspNonce: nonce },
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      cors: false,
      fs: { allow: [root] },
      hmr: { server: updates, path: updatesPath },
    },
  });

  const admit = (request: IncomingMessage, upgrade: boolean): Admitted => {
    const refusal = checkHost(request, ownPort) ?? checkOrigin(request, ownPort);
    if (refusal !== null) return { refused: refusal };
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://page');
    const found = findRoute(request.method ?? '', path, upgrade);
    // The sources have a folder `api` too; what the host does not answer there is a module.
    const route = found === 404 && (!upgrade || path === updatesPath) ? fileRoute : found;
    if (typeof route !== 'object') return { refused: refuse(404, "The page doesn't exist.", '') };
    const entry = checkGuard(route, { request, path, query }, sessions, ownPort);
    return entry.refusal === null
      ? { refused: null, route, session: entry.session }
      : { refused: entry.refusal };
  };

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admitted = admit(request, false);
    if (admitted.refused !== null) {
      sendText(response, admitted.refused.status, admitted.refused.message);
    } else if (admitted.route.name === 'file') {
      const policy = allowNonce(pageHeaders['content-security-policy'] ?? '');
      response.setHeaders(new Map(Object.entries(pageHeaders)));
      response.setHeader('content-security-policy', policy);
      vite.middlewares(request, response, () => sendText(response, 404, "The file doesn't exist."));
    } else if (
      !answerSignIn(admitted.route, admitted.session, response, {
        port: ownPort,
        invite: (session) => sessions.invite(session),
      })
    ) {
      forwardRequest(request, response, await host.access());
    }
  };
  server.on('request', (request, response) => {
    onRequest(request, response).catch(() => sendText(response, 503, 'The host did not start.'));
  });
  const onUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const admitted = admit(request, true);
    if (admitted.refused !== null) refuseUpgrade(socket, admitted.refused.status, 'Refused');
    else if (admitted.route.name === 'file') updates.emit('upgrade', request, socket, head);
    else forwardUpgrade(request, socket, head, await host.access());
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    onUpgrade(request, socket, head).catch(() => refuseUpgrade(socket, 503, 'No host'));
  });

  return {
    newUrl: () => `http://${loopbackAddress}:${ownPort}/open?token=${sessions.newLinkToken()}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await vite.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
