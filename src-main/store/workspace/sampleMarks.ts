import { z } from 'zod';
import type { Store } from '../store.ts';

const marked = z.object({
  servers: z.array(z.string()).default([]),
  suites: z.array(z.string()).default([]),
});

function readMarks(store: Pick<Store, 'settings'>): Partial<z.infer<typeof marked>> {
  const text = store.settings.recall('sample');
  return (text === null ? null : marked.safeParse(JSON.parse(text)).data) ?? {};
}

/** The ids of the servers that were added with the sample data, also of deleted ones. */
export const sampleServers = (store: Pick<Store, 'settings'>): ReadonlySet<string> =>
  new Set(readMarks(store).servers);

/** The servers of the sample that count nowhere: all of them once there is another, unless settings show it. */
export function hiddenServers(store: Pick<Store, 'settings' | 'servers'>): ReadonlySet<string> {
  const sample = sampleServers(store);
  const hasOwn = store.servers.list().some(({ id }) => !sample.has(id));
  return hasOwn && !store.settings.get().showSample ? sample : new Set();
}

/** Puts what a person added before what came with the sample data; else the order stays. */
export function ownFirst<One extends { id: string }>(
  store: Pick<Store, 'settings'>,
  kind: 'servers' | 'suites',
  all: readonly One[],
): One[] {
  const sample = new Set(readMarks(store)[kind]);
  return all.toSorted((a, b) => Number(sample.has(a.id)) - Number(sample.has(b.id)));
}
