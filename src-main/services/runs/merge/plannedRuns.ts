import { z } from 'zod';
import { modelSettings } from '../../../../src-shared/domain/model.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { MergedRun, Part } from './shardParts.ts';

const repeated = z.object({
  repetitions: z.int(),
  firstRepetition: z.int().default(1),
});

/**
 * Reads the runs of a part and counts them on the way. `problem` says, once they were read, whether
 * each run that was planned is there, and only once.
 */
export function plannedRuns<Run extends MergedRun>(
  { shard, eachRun }: Pick<Part<Run>, 'shard' | 'eachRun'>,
  entries: number,
): { eachRun: () => Generator<Run, void>; problem: () => string | null } {
  const { repetitions, firstRepetition } = repeated.parse(JSON.parse(shard.settings));
  // A model that was chosen twice is one model.
  const ids = shard.models.map(({ settings }) => modelSettings.parse(parseJson(settings)).id);
  const models = [...new Set(ids)];
  const all = entries * models.length * repetitions;
  const seen = new Uint8Array(all);
  let [read, others] = [0, 0];
  const cellOf = ({ position, model_id: model, repetition }: MergedRun): number | undefined => {
    const entry = (position - shard.index + 1) / shard.of;
    const place = [entry, models.indexOf(model), repetition - firstRepetition] as const;
    const sizes = [entries, models.length, repetitions] as const;
    if (place.some((at, of) => !Number.isInteger(at) || at < 0 || at >= (sizes[of] ?? 0)))
      return undefined;
    return (place[2] * entries + place[0]) * models.length + place[1];
  };
  return {
    *eachRun() {
      for (const run of eachRun()) {
        const cell = cellOf(run);
        if (cell === undefined || (run.is_current && seen[cell] === 1)) others += 1;
        else if (run.is_current) {
          seen[cell] = 1;
          read += 1;
        }
        yield run;
      }
    },
    problem: () =>
      read === all && others === 0
        ? null
        : `Part ${shard.index}: its runs are not those that were planned.`,
  };
}
