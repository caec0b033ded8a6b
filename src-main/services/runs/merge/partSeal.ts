import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { SharedShardContent } from '../../../../src-shared/domain/shardContent.ts';
import { sealOf, sealProblem } from '../../../runtime/seal.ts';

/** The fields of a report that a part is merged by, besides `shard` and times. */
interface Head {
  evaluation_id: string;
  suite: string;
  reason: string | null;
}

/** What the seal of a part covers: all that `merge` reads, except for times. */
function sealedText({ evaluation_id: id, suite, reason }: Head, shard: SharedShardContent): string {
  const { seal: _, ...content } = shard;
  return canonicalJson(parseJson(JSON.stringify([id, suite, reason, content])) as JsonValue);
}

/** A part with its seal. */
export const sealed = <Shard extends SharedShardContent>(
  { id, suiteName, reason }: { id: string; suiteName: string; reason: string | null },
  shard: Shard,
  key: string | null,
): Shard => ({
  ...shard,
  seal: sealOf(sealedText({ evaluation_id: id, suite: suiteName, reason }, shard), key),
});

/** The parts that their seals don't vouch for, one sentence each. */
export function brokenSeals(
  parts: readonly (Head & { shard: SharedShardContent })[],
  key: string | null,
): string[] {
  return parts.flatMap((part) => {
    const { index, seal } = part.shard;
    const problem =
      seal === undefined
        ? 'has no seal, as in reports of earlier versions'
        : sealProblem(seal, sealedText(part, part.shard), key);
    return problem === null ? [] : [`Part ${index} ${problem}.`];
  });
}
