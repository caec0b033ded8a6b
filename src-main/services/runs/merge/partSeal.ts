import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { SharedShardContent } from '../../../../src-shared/domain/shardContent.ts';
import { openSeal, sealProblem } from '../../../runtime/seal.ts';
import { createYielder } from '../../../runtime/yieldToEventLoop.ts';

/** The fields of a report that a part is merged by, besides `shard` and times. */
interface Head {
  evaluation_id: string;
  suite: string;
  reason: string | null;
}

const plain = (value: unknown): JsonValue => parseJson(JSON.stringify(value)) as JsonValue;

/**
 * The seal of a part: of all that `merge` reads, except for times, as JSON with sorted names. The
 * runs come one by one, because they can be larger than memory.
 */
function openPartSeal(
  { evaluation_id: id, suite, reason }: Head,
  shard: object,
  key: string | null,
): { add: (run: unknown) => void; end: () => string } {
  const { seal: _, ...content } = { seal: null, ...shard, runs: [] };
  const text = canonicalJson([id, suite, reason, plain(content)]);
  // The first such name: only names that sort after it hold objects with names of their own.
  const at = text.indexOf(emptyRuns) + emptyRuns.length - 1;
  const seal = openSeal(key);
  seal.add(text.slice(0, at));
  let separator = '';
  return {
    add(run) {
      seal.add(separator + canonicalJson(plain(run)));
      separator = ',';
    },
    end() {
      seal.add(text.slice(at));
      return seal.end();
    },
  };
}
const emptyRuns = '"runs":[]';

interface SealedEvaluation {
  id: string;
  suiteName: string;
  reason: string | null;
}

const headOf = ({ id, suiteName, reason }: SealedEvaluation): Head => ({
  ...{ evaluation_id: id, suite: suiteName, reason },
});

export function sealed<Shard extends object, Run>(
  evaluation: SealedEvaluation,
  shard: Shard,
  runs: Run[],
  key: string | null,
): Shard & { runs: Run[]; seal: string } {
  const seal = openPartSeal(headOf(evaluation), shard, key);
  for (const run of runs) seal.add(run);
  return { ...shard, runs, seal: seal.end() };
}

/** A part whose runs are read while they are written, once, and whose seal is known after them. */
export function sealedWhileWritten<Shard extends object, Run>(
  evaluation: SealedEvaluation,
  shard: Shard,
  runs: Iterable<Run>,
  key: string | null,
): Shard & { runs: Iterable<Run>; seal: Promise<string> } {
  const seal = openPartSeal(headOf(evaluation), shard, key);
  const made = Promise.withResolvers<string>();
  function* read(): Generator<Run, void> {
    for (const run of runs) {
      seal.add(run);
      yield run;
    }
    made.resolve(seal.end());
  }
  return { ...shard, runs: read(), seal: made.promise };
}

/** The parts that their seals don't vouch for, one sentence each. */
export async function brokenSeals(
  parts: readonly (Head & { shard: SharedShardContent; eachRun: () => Iterable<unknown> })[],
  key: string | null,
): Promise<string[]> {
  const broken: string[] = [];
  const yieldIfDue = createYielder();
  for (const part of parts) {
    const { index, seal } = part.shard;
    const own = openPartSeal(part, part.shard, key);
    for (const run of part.eachRun()) {
      own.add(run);
      await yieldIfDue();
    }
    const problem = seal === undefined ? 'has no seal' : sealProblem(seal, own.end(), key);
    if (problem !== null) broken.push(`Part ${index} ${problem}.`);
  }
  return broken;
}
