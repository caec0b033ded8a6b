import { createElement } from 'react';
import {
  generatePath,
  matchRoutes,
  Navigate,
  useLocation,
  type Location,
  type RouteObject,
} from 'react-router';

/** Addresses of earlier versions, which bookmarks and links still use, and where they lead now. */
export const movedAddresses: readonly (readonly [from: string, to: string])[] = [
  ['tools', '/tools/quality'],
  ['labs', '/labs/retrieval'],
  ['similarity', '/tools/similar'],
  ['similarity/quality', '/tools/quality'],
  ['similarity/rewrites', '/improve/proofs'],
  ['retrieval', '/labs/retrieval'],
  ['retrieval/golden/:version', '/labs/retrieval/golden/:version'],
  ['security', '/tools/security'],
  ['security/detectors', '/labs/detectors'],
  ['security/corpora', '/labs/detectors/corpora'],
  ['security/corpora/:id', '/labs/detectors/corpora/:id'],
  ['evaluations', '/results'],
  ['evaluations/new', '/results/new'],
  ['evaluations/compare', '/results/compare'],
  ['evaluations/trend', '/results/trend'],
  ['evaluations/metrics', '/results/numbers'],
  ['evaluations/tasks/:id', '/results/:id'],
  ['evaluations/tasks/:id/runs/:runId', '/results/:id/runs/:runId'],
  ['evaluations/:id', '/results/:id'],
  ['evaluations/:id/runs/:runId', '/results/:id/runs/:runId'],
  ['evaluations/:id/what-if', '/results/:id/estimate'],
  ['improve/what-if', '/results/estimate'],
  ['improve/what-if/tasks/:id', '/results/:id/estimate'],
  ['improve/what-if/:id', '/results/:id/estimate'],
  ['improve/optimizer', '/results/searches'],
  ['improve/optimizer/:id', '/results/searches/:id'],
  ['tokens', '/tools/tokens'],
];

type Address = Pick<Location, 'pathname' | 'search' | 'hash'>;

/** Where an address leads now, with its parameters, its query and its `#` part; null if nowhere. */
export function movedTo({ pathname, search, hash }: Address): string | null {
  if (pathname === '/tokens' && new URLSearchParams(search).get('tab') === 'frontier')
    return `/labs/accuracy-vs-tokens${withoutTab(search)}${hash}`;
  for (const [from, to] of movedAddresses) {
    // Unlike matchPath, it decodes the parameters, which generatePath encodes.
    const match = matchRoutes([{ path: from }], { pathname })?.[0];
    if (match !== undefined) return generatePath(to, match.params) + search + hash;
  }
  return null;
}

/** The tab became a page of its own. */
function withoutTab(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('tab');
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** A component and no loader, because a loader's request has no `#` part. */
function Moved() {
  return createElement(Navigate, { to: movedTo(useLocation()) ?? '/', replace: true });
}

export const movedRoutes: RouteObject[] = movedAddresses.map(([path]) => ({
  path,
  Component: Moved,
}));
