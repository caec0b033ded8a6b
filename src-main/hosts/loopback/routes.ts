import {
  invitationPath,
  joinPath,
  linkPath,
  sessionPath,
  socketPath,
} from '../../../src-shared/domain/connection.ts';

/** What a request must bring before its route reads anything else. Every route has one. */
type Guard =
  /** The one-time token of a sign-in link. */
  | 'link'
  /** The cookie and a one-time invitation by a tab of the same session, with a listed Origin. */
  | 'invitation'
  /** The session's cookie, enough for the renderer's files, which hold no secret. */
  | 'cookie'
  /** Cookie and page token with a listed Origin, or a command's token. */
  | 'session';

export interface Route {
  name: 'open' | 'openScript' | 'session' | 'link' | 'invite' | 'join' | 'call' | 'socket' | 'file';
  method: 'GET' | 'POST';
  /** An exact path, or a prefix if it ends with `/*`. */
  path: string;
  guard: Guard;
  /** True for the WebSocket handshake. */
  upgrade: boolean;
}

/**
 * All routes of this host; the first match wins. Everything else is answered with 404 or 405, after
 * the checks of Host and Origin.
 */
export const routes: readonly Route[] = [
  { name: 'open', method: 'GET', path: '/open', guard: 'link', upgrade: false },
  { name: 'openScript', method: 'GET', path: '/open.js', guard: 'cookie', upgrade: false },
  { name: 'session', method: 'POST', path: sessionPath, guard: 'session', upgrade: false },
  { name: 'link', method: 'POST', path: linkPath, guard: 'session', upgrade: false },
  { name: 'invite', method: 'POST', path: invitationPath, guard: 'session', upgrade: false },
  { name: 'join', method: 'POST', path: joinPath, guard: 'invitation', upgrade: false },
  { name: 'call', method: 'POST', path: '/api/call/*', guard: 'session', upgrade: false },
  { name: 'socket', method: 'GET', path: socketPath, guard: 'session', upgrade: true },
  { name: 'file', method: 'GET', path: '/*', guard: 'cookie', upgrade: false },
];

function fits(route: Route, path: string): boolean {
  return route.path.endsWith('/*') ? path.startsWith(route.path.slice(0, -1)) : path === route.path;
}

/** The route of a request, or the status that explains why there is none. */
export function findRoute(method: string, path: string, upgrade: boolean): Route | 404 | 405 {
  const found = routes.find(
    (route) =>
      fits(route, path) &&
      route.method === method &&
      route.upgrade === upgrade &&
      !(route.name === 'file' && path.startsWith('/api/')),
  );
  if (found !== undefined) return found;
  return routes.some(
    (route) => fits(route, path) && route.upgrade === upgrade && route.method !== method,
  )
    ? 405
    : 404;
}
