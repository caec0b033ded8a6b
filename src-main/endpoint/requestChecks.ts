import type { IncomingMessage } from 'node:http';

/**
 * The names under which browsers know this host, with the port; nothing else is a name of it,
 * however it resolves.
 */
export function ownNames(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

export interface Refusal {
  status: 400 | 401 | 403 | 404 | 405 | 415;
  /** For the person in front of a browser. */
  message: string;
  /** For the log; names what was sent, never a token. */
  reason: string;
}

/**
 * Host first: after DNS rebinding a foreign page's plain GET carries no Origin, so this is the
 * check that stops it.
 */
export function checkHost(request: IncomingMessage, port: number): Refusal | null {
  const hosts = headerValues(request, 'host');
  const host = hosts[0];
  if (hosts.length !== 1 || host === undefined)
    return refuse(400, 'Exactly one Host is needed.', `${hosts.length} Host headers`);
  if (ownNames(port).includes(host)) return null;
  return refuse(403, 'This is not an address of Touchstone.', `Host ${quote(host)}`);
}

/**
 * A foreign page's request is refused on every route, whatever else it brings. Absent is looked at
 * by the route's guard.
 */
export function checkOrigin(request: IncomingMessage, port: number): Refusal | null {
  const origins = headerValues(request, 'origin');
  if (origins.length === 0) return null;
  const own = ownNames(port).map((name) => `http://${name}`);
  if (
    origins.length === 1 &&
    origins[0] === `http://${request.headers.host ?? ''}` &&
    own.includes(origins[0])
  )
    return null;
  return refuse(403, 'Another page may not use Touchstone.', `Origin ${quote(origins.join(', '))}`);
}

export function refuse(status: Refusal['status'], message: string, reason: string): Refusal {
  return { status, message, reason };
}

/** Node keeps the first of some repeated headers and drops the rest; what was sent counts here. */
function headerValues(request: IncomingMessage, name: string): string[] {
  return request.rawHeaders.filter(
    (_, index) => index % 2 === 1 && request.rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

/** Printable ASCII only: a log is read in a terminal. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100).replace(/[^\u0020-\u007e]/g, '?'));
}

/** The token of a command, which travels in a header only; null where none was sent. */
export function readBearer(request: IncomingMessage): string | null {
  const { authorization } = request.headers;
  return authorization === undefined ? null : authorization.replace(/^Bearer /, '');
}
