import type { IncomingMessage } from 'node:http';
import { pageTokenHeader, socketTokenPrefix } from '../../../src-shared/domain/connection.ts';
import type { Route } from './routes.ts';
import type { Session, Sessions } from './sessions.ts';

/** The names under which browsers know this host, with the port; nothing else is a name of it, however it resolves. */
export function ownNames(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

export const cookieName = (port: number): string => `touchstone_${port}`;

export interface Refusal {
  status: 400 | 401 | 403 | 404 | 405 | 415;
  /** For the person in front of a browser. */
  message: string;
  /** For the log; names what was sent, never a token. */
  reason: string;
}

export type Entry = { refusal: Refusal } | { refusal: null; session: Session | null };

export interface GuardedRequest {
  request: IncomingMessage;
  path: string;
  query: URLSearchParams;
}

/** Host first: after DNS rebinding a foreign page's plain GET carries no Origin, so this is the check that stops it. */
export function checkHost(request: IncomingMessage, port: number): Refusal | null {
  const hosts = headerValues(request, 'host');
  const host = hosts[0];
  if (hosts.length !== 1 || host === undefined) return refuse(400, 'Exactly one Host is needed.', `${hosts.length} Host headers`);
  if (ownNames(port).includes(host)) return null;
  return refuse(403, 'This is not an address of Touchstone.', `Host ${quote(host)}`);
}

/** A foreign page's request is refused on every route, whatever else it brings. Absent is looked at by the route's guard. */
export function checkOrigin(request: IncomingMessage, port: number): Refusal | null {
  const origins = headerValues(request, 'origin');
  if (origins.length === 0) return null;
  const own = ownNames(port).map((name) => `http://${name}`);
  if (origins.length === 1 && origins[0] === `http://${request.headers.host ?? ''}` && own.includes(origins[0])) return null;
  return refuse(403, 'Another page may not use Touchstone.', `Origin ${quote(origins.join(', '))}`);
}

/** Lets a request into its route, or says why not. */
export function enter(route: Route, { request, query }: GuardedRequest, sessions: Sessions, port: number): Entry {
  const cookie = readCookie(request, cookieName(port));
  switch (route.guard) {
    case 'link': {
      // A browser that loads ahead of a click must not use up the link.
      if (request.headers['sec-purpose'] !== undefined) return no(403, 'This page is not loaded ahead.', 'a prefetch of the link');
      const session = sessions.redeem(query.get('token') ?? '');
      return session === null ? no(401, linkOver, 'a link that is wrong, used or too old') : { refusal: null, session };
    }
    case 'cookie':
      return sessions.hasCookie(cookie) ? { refusal: null, session: null } : no(401, noSession, 'no session');
    case 'session': {
      const bearer = readBearer(request);
      if (bearer === null && request.headers.origin === undefined) return no(403, 'Another program may not use Touchstone.', 'no Origin');
      const allowed = bearer === null ? sessions.hasBoth(cookie, readPageToken(request, route)) : sessions.isCommand(bearer);
      return allowed ? { refusal: null, session: null } : no(401, noSession, 'no session or a wrong token');
    }
  }
}

const linkOver = 'This link was used already or is too old. Press Enter in the terminal where Touchstone runs: it prints a new one.';
const noSession = 'This window has no session. Press Enter in the terminal where Touchstone runs and open the link that it prints.';

function no(status: Refusal['status'], message: string, reason: string): Entry {
  return { refusal: refuse(status, message, reason) };
}

export function refuse(status: Refusal['status'], message: string, reason: string): Refusal {
  return { status, message, reason };
}

/** Node keeps the first of some repeated headers and drops the rest; what was sent counts here. */
function headerValues(request: IncomingMessage, name: string): string[] {
  return request.rawHeaders.filter((_, index) => index % 2 === 1 && request.rawHeaders[index - 1]?.toLowerCase() === name);
}

/** Printable ASCII only: a log is read in a terminal. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100).replace(/[^\u0020-\u007e]/g, '?'));
}

function readCookie(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}

function readBearer(request: IncomingMessage): string | null {
  const { authorization } = request.headers;
  return authorization === undefined ? null : authorization.replace(/^Bearer /, '');
}

function readPageToken(request: IncomingMessage, route: Route): string | null {
  if (!route.upgrade) {
    const token = request.headers[pageTokenHeader];
    return typeof token === 'string' ? token : null;
  }
  // A page can't set headers on a socket; its token travels as a subprotocol beside the one that is chosen.
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => name.startsWith(socketTokenPrefix))?.slice(socketTokenPrefix.length) ?? null;
}
