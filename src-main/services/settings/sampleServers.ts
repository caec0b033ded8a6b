import { z } from 'zod';
import type { Store } from '../../store/store.ts';

const marked = z.object({ servers: z.array(z.string()) });

/** The ids of the servers that were added with the sample data, also of deleted ones. */
export function sampleServers(store: Pick<Store, 'settings'>): ReadonlySet<string> {
  const text = store.settings.recall('sample');
  const read = text === null ? null : marked.safeParse(JSON.parse(text));
  return new Set(read?.data?.servers);
}
