import { createMemoryRouter, matchPath } from 'react-router';
import { describe, expect, it } from 'vitest';
import { evaluationRoutes } from './features/evaluations/index.ts';
import { retrievalRoutes } from './features/retrieval/index.ts';
import { securityRoutes } from './features/security/index.ts';
import { similarityRoutes } from './features/similarity/index.ts';
import { tokenRoutes } from './features/tokens/index.ts';
import { movedAddresses, movedRoutes } from './movedRoutes.ts';
import { places } from './places.ts';

const pages = [
  ...evaluationRoutes,
  ...retrievalRoutes,
  ...securityRoutes,
  ...similarityRoutes,
  ...tokenRoutes,
].map(({ path = '' }) => `/${path}`);
const exists = (address: string): boolean =>
  pages.some((path) => matchPath(path, address) !== null);

/** Where an address leads. */
async function follow(address: string): Promise<string> {
  const router = createMemoryRouter(
    [
      {
        HydrateFallback: () => null,
        children: [...movedRoutes, { path: '*', element: null }],
      },
    ],
    { initialEntries: [address] },
  );
  if (!router.state.initialized) {
    const ready = Promise.withResolvers<void>();
    const stop = router.subscribe(({ initialized }) => {
      if (initialized) ready.resolve();
    });
    await ready.promise;
    stop();
  }
  const { pathname, search } = router.state.location;
  return pathname + search;
}

describe('an address of an earlier version', () => {
  it.each(movedAddresses)('/%s leads to a page that exists, with its query', async (from, to) => {
    const ids = (path: string): string => path.replace(/:\w+/g, 'a b');
    const found = await follow(`/${encodeURI(ids(from))}?of=x%2By`);
    expect(found).toBe(`${encodeURI(ids(to))}?of=x%2By`);
    expect(exists(ids(to))).toBe(true);
  });

  it.each([
    ['/tokens?of=corpus', '/tools/tokens?of=corpus'],
    ['/tokens?tab=frontier&k=1', '/labs/accuracy-vs-tokens?k=1'],
    ['/tokens?tab=frontier', '/labs/accuracy-vs-tokens'],
  ])('%s leads to %s', async (from, to) => {
    expect(await follow(from)).toBe(to);
  });
});

it('has nine places, whose tabs are pages', () => {
  expect(places.map(({ label }) => label)).toEqual([
    'Overview',
    'Servers',
    'Tools',
    'Suites',
    'Evaluations',
    'Improve',
    'Labs',
    'Workshop',
    'Settings',
  ]);
  for (const { to } of places.flatMap(({ tabs }) => tabs))
    expect([to, exists(to)]).toEqual([to, true]);
});
