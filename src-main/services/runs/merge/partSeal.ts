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

const plain = (value: unknown): JsonValue => parseJson(JSON.stringify(value)) as JsonValue;

/**
 * What the seal of a part covers, in pieces: all that `merge` reads, except for times, as JSON with
 * sorted names. The runs come one by one, because they can be larger than memory.
 */
function* sealedText(
  { evaluation_id: id, suite, reason }: Head,
  shard: SharedShardContent,
  runs: Iterable<unknown>,
): Generator<string> {
  const { seal: _, ...content } = { ...shard, runs: [] };
  const text = canonicalJson([id, suite, reason, plain(content)]);
  // The first such name: only names that sort after it hold objects with names of their own.
  const at = text.indexOf(emptyRuns) + emptyRuns.length - 1;
  yield text.slice(0, at);
  let separator = '';
  for (const run of runs) {
    yield separator + canonicalJson(plain(run));
    separator = ',';
  }
  yield text.slice(at);
}
const emptyRuns = '"runs":[]';

/** A part with its seal. */
export const sealed = <Shard extends SharedShardContent & { runs: readonly unknown[] }>(
  { id, suiteName, reason }: { id: string; suiteName: string; reason: string | null },
  shard: Shard,
  key: string | null,
): Shard => ({
  ...shard,
  seal: sealOf(sealedText({ evaluation_id: id, suite: suiteName, reason }, shard, shard.runs), key),
});

/** The parts that their seals don't vouch for, one sentence each. */
export function brokenSeals(
  parts: readonly (Head & { shard: SharedShardContent; eachRun: () => Iterable<unknown> })[],
  key: string | null,
): string[] {
  return parts.flatMap((part) => {
    const { index, seal } = part.shard;
    const problem =
      seal === undefined
        ? 'has no seal, as in reports of earlier versions'
        : sealProblem(seal, sealedText(part, part.shard, part.eachRun()), key);
    return problem === null ? [] : [`Part ${index} ${problem}.`];
  });
}
