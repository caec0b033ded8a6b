import { RPCLink } from '@orpc/client/websocket';
import {
  maxFrameLength,
  pageTokenHeader,
  pageTokenKey,
  sessionPath,
  socketPath,
  socketProtocol,
  socketTokenPrefix,
} from '../../src-shared/domain/connection.ts';
import { createReconnectingLink, type Connection } from './connection.ts';
import { createTabs } from './tabs.ts';

const firstDelayMs = 250;
const maxDelayMs = 5000;

/**
 * In the browser: a WebSocket to the host of the page. A lost socket is opened again with growing
 * pauses. A tab without a session asks the other tabs for one.
 */
export function connectBySocket(): Connection {
  const reconnecting = createReconnectingLink();
  const stored = sessionStorage.getItem(pageTokenKey);
  let token: string | null = null;
  let socket: WebSocket | null = null;
  let timer: number | undefined;
  let failures = 0;
  let closed = false;

  const tabs = createTabs({
    token: () => (reconnecting.state() === 'open' ? token : null),
    onSignedIn: () => {
      if (reconnecting.state() === 'refused') void signIn();
    },
  });

  const signIn = async () => {
    reconnecting.disconnected('connecting');
    const joined = await tabs.join();
    if (closed) return;
    if (joined === null) reconnecting.disconnected('refused');
    else open(joined);
  };

  const open = (pageToken: string) => {
    token = pageToken;
    const opening = new WebSocket(`ws://${location.host}${socketPath}`, [
      socketProtocol,
      socketTokenPrefix + pageToken,
    ]);
    socket = opening;
    // Before the link is told, so that a call that fails then knows that its transport is gone.
    opening.addEventListener('close', () => void retry(pageToken));
    const transport = new RPCLink({ websocket: bounded(opening) });
    opening.addEventListener('open', () => {
      failures = 0;
      reconnecting.connected(transport);
      tabs.announce();
    });
  };

  const retry = async (pageToken: string) => {
    if (closed) return;
    reconnecting.disconnected('lost');
    // The browser does not say why a handshake failed; the session endpoint does.
    if (await isSignedOut(pageToken)) {
      await signIn();
      return;
    }
    const pause = Math.min(firstDelayMs * 2 ** failures, maxDelayMs);
    failures += 1;
    timer = window.setTimeout(() => open(pageToken), pause);
  };

  if (stored === null) void signIn();
  else open(stored);
  return {
    host: 'loopback',
    link: reconnecting.link,
    state: reconnecting.state,
    subscribe: reconnecting.subscribe,
    signIn: () => void signIn(),
    close() {
      closed = true;
      tabs.close();
      window.clearTimeout(timer);
      socket?.close();
    },
  };
}

/** False if nothing answers: then the host is lost, which is no refusal. */
async function isSignedOut(pageToken: string): Promise<boolean> {
  try {
    const response = await fetch(sessionPath, {
      method: 'POST',
      headers: { [pageTokenHeader]: pageToken },
      signal: AbortSignal.timeout(5000),
    });
    return response.status === 401 || response.status === 403;
  } catch {
    return false;
  }
}

/**
 * A message above the limit of the host would end the connection, so its call fails instead.
 */
function bounded(
  socket: WebSocket,
): Pick<WebSocket, 'addEventListener' | 'removeEventListener' | 'send' | 'readyState'> {
  return {
    addEventListener: socket.addEventListener.bind(socket),
    removeEventListener: socket.removeEventListener.bind(socket),
    get readyState() {
      return socket.readyState;
    },
    send(message) {
      const tooLarge =
        typeof message === 'string' &&
        message.length * 3 > maxFrameLength &&
        new Blob([message]).size > maxFrameLength;
      if (tooLarge)
        throw new Error(`What was sent is larger than ${maxFrameLength / 1024 / 1024} MB.`);
      socket.send(message);
    },
  };
}
