import type { IncomingMessage } from 'node:http';

/**
 * The host names that browsers use for this host, with the port. No other name is accepted,
 * whatever it resolves to.
 */
function ownNames(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** A rejected request: its status and two texts. */
export interface Refusal {
  status: 400 | 401 | 403 | 404 | 405 | 415;
  /** Shown in the browser. */
  message: string;
  /** For the log: names what was sent, but never a token. */
  reason: string;
}

/**
 * Checks the Host header first: after DNS rebinding, a plain GET of a foreign page has no Origin,
 * and only this check stops it.
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
 * Rejects requests of foreign pages on every route. A missing Origin is left to the route's guard.
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

/** All values of a header as they were sent: Node drops repetitions of some headers. */
function headerValues(request: IncomingMessage, name: string): string[] {
  return request.rawHeaders.filter(
    (_, index) => index % 2 === 1 && request.rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

/** Escapes all but printable ASCII, because a log is read in a terminal. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100).replace(/[^\u0020-\u007e]/g, '?'));
}

/** The token of a command, which is accepted in a header only. Null if none was sent. */
export function readBearer(request: IncomingMessage): string | null {
  const { authorization } = request.headers;
  return authorization === undefined ? null : authorization.replace(/^Bearer /, '');
}
