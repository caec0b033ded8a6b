import { redirect, type RouteObject } from 'react-router';

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
  ['evaluations/:id/what-if', '/improve/what-if/:id'],
];

/** Redirects that keep the parameters and the query of an address. */
export const movedRoutes: RouteObject[] = [
  ...movedAddresses.map(([path, to]): RouteObject => ({
    path,
    loader: ({ params, request }) =>
      redirect(
        to.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) +
          new URL(request.url).search,
      ),
  })),
  {
    path: 'tokens',
    loader: ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      if (searchParams.get('tab') !== 'frontier') return redirect(`/tools/tokens${search}`);
      searchParams.delete('tab');
      const rest = searchParams.toString();
      return redirect(`/labs/accuracy-vs-tokens${rest === '' ? '' : `?${rest}`}`);
    },
  },
];
