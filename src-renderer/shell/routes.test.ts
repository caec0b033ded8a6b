import { createMemoryRouter, type RouteObject } from 'react-router';
import { expect, it } from 'vitest';
import { screens } from '../../src-shared/domain/hostCommand.ts';
import { candidateRoutes } from '../features/candidates/index.ts';
import { resultRoutes } from '../features/results/index.ts';
import { retrievalRoutes } from '../features/retrieval/index.ts';
import { securityRoutes } from '../features/security/index.ts';
import { settingsRoutes } from '../features/settings/index.ts';
import { suiteRoutes } from '../features/suites/index.ts';
import { toolRoutes } from '../features/tools/index.ts';
import { workshopRoutes } from '../features/workshop/index.ts';

const routes: RouteObject[] = [
  ...suiteRoutes({ SuiteTrend: () => null }),
  ...resultRoutes,
  ...candidateRoutes,
  ...retrievalRoutes,
  ...toolRoutes({ Candidates: () => null }).flatMap((route) => route.children ?? [route]),
  ...securityRoutes,
  ...workshopRoutes,
  ...settingsRoutes,
];

it.each(routes.map((route) => [route.path ?? '', route] as const))(
  'loads a page for %s',
  async (_path, route) => {
    if (typeof route.lazy !== 'function') throw new Error('Its code is part of the first paint.');
    const { Component } = await route.lazy();
    expect(typeof Component).toBe('function');
  },
);

it('lists every screen for menus and links, and no other', () => {
  const firsts = new Set(routes.flatMap(({ path }) => path?.split('/')[0] ?? []));
  expect([...screens].sort()).toEqual(['', ...firsts].sort());
});

it('changes the address together with the screen, and opens a bookmark on its screen', async () => {
  const router = createMemoryRouter(
    [{ HydrateFallback: () => null, children: [{ children: routes }] }],
    { initialEntries: ['/tools'] },
  );
  if (!router.state.initialized) {
    const ready = Promise.withResolvers<void>();
    const stop = router.subscribe(({ initialized }) => {
      if (initialized) ready.resolve();
    });
    await ready.promise;
    stop();
  }
  const shown = () => [
    router.state.location.pathname,
    router.state.matches.at(-1)?.route.element !== undefined,
    router.state.errors,
  ];
  expect(shown()).toEqual(['/tools', true, null]);
  const places: string[] = [];
  router.subscribe(
    ({ location, navigation }) => void places.push(`${location.pathname} ${navigation.state}`),
  );
  await router.navigate('/labs/detectors/corpora/x');
  expect(shown()).toEqual(['/labs/detectors/corpora/x', true, null]);
  // Until the code of the next screen is loaded, the address does not change.
  expect(places.filter((place) => place === '/labs/detectors/corpora/x loading')).toEqual([]);
});
