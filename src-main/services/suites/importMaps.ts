import { z } from 'zod';
import { columnMap, type ColumnMap } from '../../../src-shared/contract/suites.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import type { Store } from '../../store/store.ts';

const stored = z.record(z.string(), columnMap);
const maxKept = 100;

/** The maps with which files were imported, by the shape of their columns, the last one first. */
export function importMaps({ settings }: Pick<Store, 'settings'>): Record<string, ColumnMap> {
  const text = settings.recall('importMaps');
  return text === null ? {} : orElse(() => stored.parse(JSON.parse(text)), {});
}

/** Remembers a map for the next file with the same columns; an empty one is forgotten. */
export function rememberMap(store: Pick<Store, 'settings'>, shape: string, map: ColumnMap): void {
  const { [shape]: _before, ...others } = importMaps(store);
  const own = Object.keys(map).length === 0 ? {} : { [shape]: map };
  const kept = Object.entries({ ...own, ...others }).slice(0, maxKept);
  store.settings.remember('importMaps', JSON.stringify(Object.fromEntries(kept)));
}
