import { linkPath, sessionPath, socketPath } from '../../../src-shared/domain/connection.ts';

/**
 * What a request must bring before its route looks at anything else. There is no route without one.
 */
export type Guard =
  /** The one-time token of a printed URL. */
  | 'link'
  /** The session's cookie: the renderer's files, which hold no secret. */
  | 'cookie'
  /** Cookie and page token with a listed Origin, or the command line's token. */
  | 'session';

export interface Route {
  name: 'open' | 'openScript' | 'session' | 'link' | 'call' | 'socket' | 'file';
  method: 'GET' | 'POST';
  /** Exact, or a prefix where it ends in `/*`. */
  path: string;
  guard: Guard;
  /** True for the WebSocket handshake. */
  upgrade: boolean;
}

/**
 * Everything that this host answers. The first that fits is taken; what fits none is answered by
 * 404 or 405, behind Host and Origin checks.
 */
export const routes: readonly Route[] = [
  { name: 'open', method: 'GET', path: '/open', guard: 'link', upgrade: false },
  { name: 'openScript', method: 'GET', path: '/open.js', guard: 'cookie', upgrade: false },
  { name: 'session', method: 'POST', path: sessionPath, guard: 'session', upgrade: false },
  { name: 'link', method: 'POST', path: linkPath, guard: 'session', upgrade: false },
  { name: 'call', method: 'POST', path: '/api/call/*', guard: 'session', upgrade: false },
  { name: 'socket', method: 'GET', path: socketPath, guard: 'session', upgrade: true },
  { name: 'file', method: 'GET', path: '/*', guard: 'cookie', upgrade: false },
];

function fits(route: Route, path: string): boolean {
  return route.path.endsWith('/*') ? path.startsWith(route.path.slice(0, -1)) : path === route.path;
}

/** The route of a request, or the status that says why there is none. */
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
