import { createElement } from 'react';
import {
  generatePath,
  matchRoutes,
  Navigate,
  useLocation,
  type Location,
  type RouteObject,
} from 'react-router';
import { movedComparison } from '../features/results/compare/compareAddress.ts';
import { editAddress, toolAddress } from '../../src-shared/display/toolAddresses.ts';

/** Addresses of earlier versions, which bookmarks and links still use, and where they lead now. */
export const movedAddresses: readonly (readonly [from: string, to: string])[] = [
  ['servers', '/tools'],
  ['servers/import', '/tools/import'],
  ['tools/security', '/tools/signals'],
  ['labs', '/labs/retrieval'],
  ['similarity', '/tools/similar'],
  ['retrieval', '/labs/retrieval'],
  ['retrieval/golden/:version', '/labs/retrieval/golden/:version'],
  ['security', '/tools/signals'],
  ['security/detectors', '/labs/detectors'],
  ['security/corpora', '/labs/detectors/corpora'],
  ['security/corpora/:id', '/labs/detectors/corpora/:id'],
  ['evaluations', '/results'],
  ['evaluations/new', '/results/new'],
  ['evaluations/metrics', '/results/numbers'],
  ['evaluations/tasks/:id', '/results/:id'],
  ['evaluations/tasks/:id/runs/:runId', '/results/:id/runs/:runId'],
  ['evaluations/:id', '/results/:id'],
  ['evaluations/:id/runs/:runId', '/results/:id/runs/:runId'],
  ['evaluations/:id/what-if', '/results/:id/estimate'],
  ['improve/what-if', '/results/last/estimate'],
  ['results/estimate', '/results/last/estimate'],
  ['improve/what-if/tasks/:id', '/results/:id/estimate'],
  ['improve/what-if/:id', '/results/:id/estimate'],
  ['improve/optimizer/:id', '/results/searches/:id'],
  ['tokens', '/tools/tokens'],
];

type Address = Pick<Location, 'pathname' | 'search' | 'hash'>;

/** Pages whose place now depends on their query. */
const pagesByQuery: readonly (readonly [
  from: readonly string[],
  to: (search: string, id: string | null) => string,
])[] = [
  [['tools/quality', 'similarity/quality'], toolsOfQuality],
  [['evaluations/trend', 'results/trend'], (search) => `/suites${suiteOf(search)}`],
  [
    ['similarity/rewrites', 'improve/proofs'],
    (search) => `/tools${withQuery(search, { only: 'candidates' })}`,
  ],
  [['evaluations/compare', 'results/compare'], movedComparison],
  // These had a result in their query, or else the last one.
  [['improve'], (search) => pageOfResult('', search)],
  [['improve/optimizer', 'results/searches'], (search) => pageOfResult('/search', search)],
  [['improve/fix/:id?'], (search, id) => editorOf(id, search)],
];

/** Where an address leads now, with its parameters, its query and its `#` part; null if nowhere. */
export function movedTo({ pathname, search, hash }: Address): string | null {
  const query = new URLSearchParams(search);
  if (pathname === '/tokens' && query.get('tab') === 'frontier') {
    query.delete('tab');
    return `/labs/accuracy-vs-tokens${textOf(query)}${hash}`;
  }
  // Unlike matchPath, it decodes the parameters, which generatePath encodes.
  const paramsOf = (paths: readonly string[]) =>
    matchRoutes(
      paths.map((path) => ({ path })),
      { pathname },
    )?.[0]?.params;
  for (const [from, to] of pagesByQuery) {
    const params = paramsOf(from);
    if (params !== undefined) return `${to(search, params['id'] ?? null)}${hash}`;
  }
  for (const [from, to] of movedAddresses) {
    const params = paramsOf([from]);
    if (params !== undefined) return generatePath(to, params) + search + hash;
  }
  return null;
}

const textOf = (query: URLSearchParams): string => (query.size === 0 ? '' : `?${query.toString()}`);

function withQuery(search: string, also: Record<string, string>): string {
  const query = new URLSearchParams(search);
  for (const [key, value] of Object.entries(also)) query.set(key, value);
  return `?${query.toString()}`;
}

/** The page of a tool whose findings were open, else what the rules cost all chosen servers. */
function toolsOfQuality(search: string): string {
  const query = new URLSearchParams(search);
  const tool = query.get('tool');
  if (tool !== null) return toolAddress(tool);
  for (const key of ['rule', 'severity', 'search', 'off']) query.delete(key);
  return `/tools${withQuery(query.toString(), { quality: '' })}`;
}

/** A page of the result that a query names, or else of the last one. */
function pageOfResult(page: string, search: string): string {
  const query = new URLSearchParams(search);
  const id = query.get('evaluation');
  query.delete('evaluation');
  return `/results/${id === null ? 'last' : encodeURIComponent(id)}${page}${textOf(query)}`;
}

/** The suite of a trend as a part of an address; empty where it names none. */
function suiteOf(search: string): string {
  const suite = new URLSearchParams(search).get('suite');
  return suite === null ? '' : `/${encodeURIComponent(suite)}`;
}

/** The editor of a tool; of an address that names none, the list of tools. */
function editorOf(result: string | null, search: string): string {
  const query = new URLSearchParams(search);
  const tool = query.get('tool');
  if (tool === null) return '/tools';
  return editAddress(tool, {
    result,
    model: query.get('model'),
    candidate: query.get('candidate'),
    ...(query.has('description') && { text: query.get('description') ?? '' }),
    ...(query.has('source') && { source: query.get('source') === 'model' ? 'model' : 'rule' }),
  });
}

/** A component and no loader, because a loader's request has no `#` part. */
function Moved() {
  return createElement(Navigate, { to: movedTo(useLocation()) ?? '/', replace: true });
}

export const movedRoutes: RouteObject[] = [
  ...movedAddresses.map(([path]) => path),
  ...pagesByQuery.flatMap(([paths]) => paths),
].map((path) => ({ path, Component: Moved }));
