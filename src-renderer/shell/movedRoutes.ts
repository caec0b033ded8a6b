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

/** Pages that had a result in their query, or else the last one, and what is shown of it now. */
const pagesOfResults: readonly (readonly [from: string, page: string])[] = [
  ['improve', ''],
  ['improve/optimizer', '/search'],
  ['results/searches', '/search'],
];

/** Where the quality of all tools was listed; in the query, one tool that was open. */
const qualityPages = ['tools/quality', 'similarity/quality'];
/** Where a trend was shown, of the suite that the query names: it is on the page of that suite. */
const trends = ['evaluations/trend', 'results/trend'];
/** Where results were compared: on the page of one of them. */
const comparisons = ['evaluations/compare', 'results/compare'];
/** Where the candidates of all tools are listed. */
const candidateList = ['similarity/rewrites', 'improve/proofs'];
/** Where a tool was edited, by the result and, in the query, the tool. */
const editorOfResult = 'improve/fix/:id?';

type Address = Pick<Location, 'pathname' | 'search' | 'hash'>;

/** Where an address leads now, with its parameters, its query and its `#` part; null if nowhere. */
export function movedTo({ pathname, search, hash }: Address): string | null {
  if (pathname === '/tokens' && new URLSearchParams(search).get('tab') === 'frontier')
    return `/labs/accuracy-vs-tokens${withoutTab(search)}${hash}`;
  if (candidateList.some((path) => matchRoutes([{ path }], { pathname }) !== null))
    return `/tools${withQuery(search, { only: 'candidates' })}${hash}`;
  if (qualityPages.some((path) => matchRoutes([{ path }], { pathname }) !== null))
    return `${toolsOfQuality(search)}${hash}`;
  if (trends.some((path) => matchRoutes([{ path }], { pathname }) !== null))
    return `/suites${suiteOf(search)}${hash}`;
  if (comparisons.some((path) => matchRoutes([{ path }], { pathname }) !== null))
    return `${movedComparison(search)}${hash}`;
  const page = pagesOfResults.find(([path]) => matchRoutes([{ path }], { pathname }) !== null);
  if (page !== undefined) return `${pageOfResult(page[1], search)}${hash}`;
  const editor = matchRoutes([{ path: editorOfResult }], { pathname })?.[0];
  if (editor !== undefined) return `${editorOf(editor.params['id'] ?? null, search)}${hash}`;
  for (const [from, to] of movedAddresses) {
    // Unlike matchPath, it decodes the parameters, which generatePath encodes.
    const match = matchRoutes([{ path: from }], { pathname })?.[0];
    if (match !== undefined) return generatePath(to, match.params) + search + hash;
  }
  return null;
}

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
  const rest = query.size === 0 ? '' : `?${query.toString()}`;
  return `/results/${id === null ? 'last' : encodeURIComponent(id)}${page}${rest}`;
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

export const movedRoutes: RouteObject[] = [
  ...movedAddresses.map(([path]) => path),
  ...qualityPages,
  ...trends,
  ...candidateList,
  ...comparisons,
  ...pagesOfResults.map(([path]) => path),
  editorOfResult,
].map((path) => ({ path, Component: Moved }));
