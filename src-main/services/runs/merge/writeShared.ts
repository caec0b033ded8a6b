import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { isInShard, type Shard } from '../../../../src-shared/domain/shard.ts';
import {
  shardVersion,
  type ShardEntry,
  type SharedShardContent,
} from '../../../../src-shared/domain/shardContent.ts';
import type { FrozenSuite, RefusedByModel } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { hashEntries } from './hashEntries.ts';

interface PartRow {
  id: string;
  settings: object;
  suite: FrozenSuite;
  snapshotId: string | null;
  modelSettingsIds: readonly string[];
  refused: RefusedByModel;
}

/** What a part of either unit hands on besides its runs: of all cases or tasks, only its own. */
export function writeShared(
  store: Store,
  unit: EvaluationUnit,
  { id, settings, suite, snapshotId, modelSettingsIds, refused }: PartRow,
  shard: Shard,
): SharedShardContent & { entries: ShardEntry[] } {
  const snapshot = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
  const prices = store.evaluations.prices(id);
  const all = hashEntries();
  const entries: ShardEntry[] = [];
  for (const { position, sourceId, key, content } of store.entries.each(unit, id)) {
    const entry = { position, id: sourceId, key, content: JSON.stringify(content) };
    all.add(entry);
    if (isInShard(position, shard)) entries.push(entry);
  }
  return {
    version: shardVersion,
    ...shard,
    planned: all.planned(),
    settings: JSON.stringify(settings),
    suite: JSON.stringify(suite),
    models: modelSettingsIds.map((modelId) => {
      const known = prices.get(modelId) ?? null;
      return {
        settings: JSON.stringify(store.modelSettings.get(modelId)),
        price: known && JSON.stringify(known),
        ...(refused[modelId] && { refused: refused[modelId] }),
      };
    }),
    servers: JSON.stringify(snapshot?.servers ?? []),
    tools: (snapshot?.tools ?? []).map(({ hash, snapshotToolId: _, ...frozen }) => ({
      tool: JSON.stringify(frozen),
      raw: store.toolSnapshots.raw(hash),
    })),
    entries,
  };
}
