import { matchPath } from 'react-router';
import { describe, expect, it } from 'vitest';
import { candidateRoutes } from '../features/candidates/index.ts';
import { resultRoutes } from '../features/results/index.ts';
import { retrievalRoutes } from '../features/retrieval/index.ts';
import { securityRoutes } from '../features/security/index.ts';
import { toolRoutes } from '../features/tools/index.ts';
import { movedAddresses, movedRoutes, movedTo } from './movedRoutes.ts';
import { places } from './places.ts';

const pages = [
  ...resultRoutes,
  ...candidateRoutes,
  ...retrievalRoutes,
  ...securityRoutes,
  ...toolRoutes({ Candidates: () => null }).flatMap((route) => route.children ?? [route]),
].map(({ path = '' }) => `/${path}`);
const exists = (address: string): boolean =>
  pages.some((path) => matchPath(path, address) !== null);

/** Where an address leads. */
const follow = (address: string): string | null => {
  const { pathname, search, hash } = new URL(address, 'http://127.0.0.1');
  return movedTo({ pathname, search, hash });
};

describe('an address of an earlier version', () => {
  it.each(movedAddresses)(
    '/%s leads to a page that exists, with its query and # part',
    (from, to) => {
      const ids = (path: string): string => path.replace(/:\w+/g, 'a b');
      const found = follow(`/${encodeURI(ids(from))}?of=x%2By#part`);
      expect(found).toBe(`${encodeURI(ids(to))}?of=x%2By#part`);
      expect(exists(ids(to))).toBe(true);
    },
  );

  it.each([
    ['/tokens?of=corpus', '/tools/tokens?of=corpus'],
    ['/tokens?tab=frontier&k=1#curve', '/labs/accuracy-vs-tokens?k=1#curve'],
    ['/tokens?tab=frontier', '/labs/accuracy-vs-tokens'],
    ['/tools/quality?server=mail&rule=deprecated#a', '/tools?server=mail&quality=#a'],
    ['/similarity/quality', '/tools?quality='],
    ['/tools/quality?tool=my%20s%3Aa%2Fb&off=x', '/tools/my%20s/a%2Fb'],
    ['/improve/proofs', '/tools?only=candidates'],
    ['/similarity/rewrites?x=1#a', '/tools?x=1&only=candidates#a'],
    [
      '/improve/fix/e1?tool=s%3Aadd&model=m1&candidate=c1',
      '/tools/s/add/edit?result=e1&model=m1&candidate=c1',
    ],
    ['/improve/fix?tool=my%20s%3Aa%2Fb', '/tools/my%20s/a%2Fb/edit'],
    [
      '/improve/fix?tool=s%3Aadd&description=New.&source=model',
      '/tools/s/add/edit?text=New.&source=model',
    ],
    ['/improve/fix', '/tools'],
    ['/evaluations/trend', '/suites'],
    ['/evaluations/trend?suite=a%20b&of=task#x', '/suites/a%20b#x'],
    ['/results/trend?suite=s1&metric=recall', '/suites/s1'],
    ['/evaluations/compare?base=b&with=a#x', '/results/a?compare=b#x'],
    ['/results/compare', '/results/last?compare='],
    ['/improve', '/results/last'],
    ['/improve?evaluation=e1#a', '/results/e1#a'],
    ['/improve/optimizer', '/results/last/search'],
    ['/improve/optimizer?evaluation=e1&model=m1', '/results/e1/search?model=m1'],
    ['/results/searches?evaluation=e1', '/results/e1/search'],
  ])('%s leads to %s', (from, to) => {
    expect(follow(from)).toBe(to);
  });

  it('has a route, so that its bookmark is followed', () => {
    const addresses = movedAddresses.map(([from]) => `/${from}`);
    expect(movedRoutes.map(({ path = '' }) => `/${path}`)).toEqual([
      ...addresses,
      '/tools/quality',
      '/similarity/quality',
      '/evaluations/trend',
      '/results/trend',
      '/similarity/rewrites',
      '/improve/proofs',
      '/evaluations/compare',
      '/results/compare',
      '/improve',
      '/improve/optimizer',
      '/results/searches',
      '/improve/fix/:id?',
    ]);
  });
});

it('leads nowhere from an address that never moved', () => {
  expect(follow('/servers/a?tab=tools#x')).toBeNull();
});

it('has seven places, whose tabs are pages', () => {
  expect(places.map(({ label }) => label)).toEqual([
    'Overview',
    'Tools',
    'Suites',
    'Results',
    'Workshop',
    'Labs',
    'Settings',
  ]);
  for (const { to } of places.flatMap(({ tabs }) => tabs))
    expect([to, exists(to)]).toEqual([to, true]);
});
