import type { IncomingMessage } from 'node:http';
import { pageTokenHeader, socketTokenPrefix } from '../../../src-shared/domain/connection.ts';
import { readBearer, refuse, type Refusal } from '../../endpoint/requestChecks.ts';
import type { Route } from './routes.ts';
import type { Session, Sessions } from './sessions.ts';

export const cookieName = (port: number): string => `touchstone_${port}`;

/** A rejection, or the session of the tab; null for a command and where a cookie is enough. */
export type GuardResult = { refusal: Refusal } | { refusal: null; session: Session | null };

export interface GuardedRequest {
  request: IncomingMessage;
  path: string;
  query: URLSearchParams;
}

export function checkGuard(
  route: Route,
  { request, query }: GuardedRequest,
  sessions: Sessions,
  port: number,
): GuardResult {
  const cookie = readCookie(request, cookieName(port));
  switch (route.guard) {
    case 'link': {
      // A browser's prefetch must not use up the link.
      if (request.headers['sec-purpose'] !== undefined)
        return refused(403, 'This page is not loaded ahead.', 'a prefetch of the link');
      const session = sessions.redeem(query.get('token') ?? '', cookie);
      return session === null
        ? refused(401, linkExpired, 'a link that is wrong, used or too old')
        : { refusal: null, session };
    }
    case 'cookie':
      return sessions.hasCookie(cookie)
        ? { refusal: null, session: null }
        : refused(401, noSession, 'no session');
    case 'invitation': {
      if (request.headers.origin === undefined) return noOrigin;
      const session = sessions.join(readPageToken(request, route) ?? '', cookie);
      return session === null
        ? refused(401, noSession, 'an invitation that is wrong, used or too old')
        : { refusal: null, session };
    }
    case 'session': {
      const bearer = readBearer(request);
      if (bearer === null && request.headers.origin === undefined) return noOrigin;
      if (bearer !== null && sessions.isCommand(bearer)) return { refusal: null, session: null };
      const session = bearer === null ? sessions.find(cookie, readPageToken(request, route)) : null;
      return session === null
        ? refused(401, noSession, 'no session or a wrong token')
        : { refusal: null, session };
    }
  }
}

const linkExpired =
  'This link was already used or has expired. Press Enter in the terminal where Touchstone ' +
  'runs to print a new one.';
const noSession =
  "This window isn't signed in. Press Enter in the terminal where Touchstone runs, or run " +
  '“touchstone open” there again, and open the link that it prints.';

const noOrigin = refused(403, 'Other programs may not use Touchstone.', 'no Origin');

function refused(status: Refusal['status'], message: string, reason: string): GuardResult {
  return { refusal: refuse(status, message, reason) };
}

function readCookie(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}

function readPageToken(request: IncomingMessage, route: Route): string | null {
  if (!route.upgrade) {
    const token = request.headers[pageTokenHeader];
    return typeof token === 'string' ? token : null;
  }
  // A page can't set headers on a socket, so its token travels as a second subprotocol.
  const offered = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim());
  return (
    offered.find((name) => name.startsWith(socketTokenPrefix))?.slice(socketTokenPrefix.length) ??
    null
  );
}
