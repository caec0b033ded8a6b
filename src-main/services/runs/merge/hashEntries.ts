import { createHash } from 'node:crypto';
import type { ShardEntry, SharedShardContent } from '../../../../src-shared/domain/shardContent.ts';

/**
 * Counts and hashes cases or tasks one after the other, in the order of the suite: SHA-256 over one
 * line of JSON each, [position, key, content]. Their own ids differ from workspace to workspace.
 */
export function hashEntries(): {
  add: (entry: ShardEntry) => void;
  planned: () => SharedShardContent['planned'];
} {
  const hash = createHash('sha256');
  let entries = 0;
  return {
    add({ position, key, content }) {
      hash.update(`${JSON.stringify([position, key, content])}\n`);
      entries += 1;
    },
    planned: () => ({ entries, sha256: hash.copy().digest('hex') }),
  };
}
