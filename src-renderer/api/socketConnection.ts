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
import { createLine, type Connection } from './connection.ts';

const firstDelayMs = 250;
const maxDelayMs = 5000;

/**
 * In the browser: a socket to the page's own host, opened again whenever it is lost, with growing
 * pauses.
 */
export function connectBySocket(): Connection {
  const line = createLine();
  const token = sessionStorage.getItem(pageTokenKey);
  let socket: WebSocket | null = null;
  let timer: number | undefined;
  let failures = 0;
  let closed = false;

  const open = (pageToken: string) => {
    const opening = new WebSocket(`ws://${location.host}${socketPath}`, [
      socketProtocol,
      socketTokenPrefix + pageToken,
    ]);
    socket = opening;
    // Before the link hears of it: a call that fails then knows its transport is gone.
    opening.addEventListener('close', () => void retry(pageToken));
    const link = new RPCLink({ websocket: bounded(opening) });
    opening.addEventListener('open', () => {
      failures = 0;
      line.up(link);
    });
  };

  const retry = async (pageToken: string) => {
    if (closed) return;
    line.down('lost');
    // The browser doesn't say why a handshake failed; the session does.
    if (await isSignedOut(pageToken)) {
      line.down('refused');
      return;
    }
    const pause = Math.min(firstDelayMs * 2 ** failures, maxDelayMs);
    failures += 1;
    timer = window.setTimeout(() => open(pageToken), pause);
  };

  if (token === null) line.down('refused');
  else open(token);
  return {
    host: 'loopback',
    link: line.link,
    state: line.state,
    subscribe: line.subscribe,
    close() {
      closed = true;
      window.clearTimeout(timer);
      socket?.close();
    },
  };
}

/** False where nobody answers: that is a lost host, not a refusal. */
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

/** A message above the host's limit would cost the whole connection; its own call fails instead. */
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
