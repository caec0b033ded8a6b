import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { ShardEntry } from '../../../../src-shared/domain/shardContent.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Store } from '../../../store/store.ts';
import { commitInChunks } from '../commitInChunks.ts';
import { endRuns } from '../endRuns.ts';
import type { RunTables } from '../runTables.ts';
import { brokenSeals } from './partSeal.ts';
import { haltReasons, refusingChanged, timesOf, type MergedRun, type Part } from './shardParts.ts';
import {
  entriesOfAll,
  entriesProblem,
  firstOfParts,
  maxNamed,
  type Entries,
  type PartReport,
} from './shardProblems.ts';
import { z } from 'zod';
import { modelSettings } from '../../../../src-shared/domain/model.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';

const repeated = z.object({
  repetitions: z.int(),
  firstRepetition: z.int().default(1),
});

/**
 * Reads the runs of a part and counts them on the way. `problem` says, once they were read, whether
 * each run that was planned is there, and only once.
 */
function plannedRuns<Run extends MergedRun>(
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

/** The report of one part, as `merge` reads it. */
export type MergedReport = PartReport & Part<MergedRun> & { evaluation_id: string };

export interface MergedUnit<
  Report extends PartReport,
  Event extends { seq: number; type: string },
> {
  tables: RunTables<Event>;
  open: (file: string) => Promise<Report>;
  entries: Entries<Report['shard']>;
  /** Scores that don’t follow from what was observed, one sentence each. */
  recheck: (reports: readonly Report[]) => Promise<string[]>;
  /** Inserts the rows of the merged evaluation, one case, task or run per step. */
  rows: (
    first: Report,
    reports: readonly Report[],
    entries: readonly ShardEntry[],
  ) => Iterator<unknown>;
}

/**
 * Makes one ended evaluation of the reports of all its parts, as if it had run in one piece: with the
 * ids of the first part and the runs of each. Returns its id. Throws INVALID where they are not the
 * parts of one evaluation or were changed, and CONFLICT where it is in the workspace already.
 */
export function mergeParts<
  Report extends MergedReport,
  Event extends { seq: number; type: string },
>(
  parts: { store: Store; clock: Clock; owner: string; sealKey?: string | null },
  files: readonly string[],
  { tables, open, entries, recheck, rows }: MergedUnit<Report, Event>,
): Promise<string> {
  return refusingChanged(async () => {
    const reports: Report[] = [];
    for (const file of files) reports.push(sharing(reports[0], await open(file)));
    const first = firstOfParts(reports, entries);
    const { store, clock, owner } = parts;
    const id = first.evaluation_id;
    if (tables.evaluations.get(id) !== null)
      throw new ServiceError('CONFLICT', {
        thing: `${tables.name} ${id}`,
        cause: 'It is in this workspace already.',
        nextStep: 'Merge the reports without a workspace.',
      });
    // Seals first: a changed part can't be expected to be scored.
    refuse(await brokenSeals(reports, parts.sealKey ?? null));
    const all = entriesOfAll(reports, entries);
    refuse(entriesProblem(reports, all, entries));
    const planned = reports.map((report) => plannedRuns(report, entries.of(report.shard).length));
    const wrong = await recheck(reports.map((report, at) => ({ ...report, ...planned[at] })));
    refuse([...planned.flatMap((each) => each.problem() ?? []), ...wrong]);
    // What all parts have in common is kept once, and what was taken from them not at all.
    for (const report of reports)
      Object.assign(report, { shard: { ...first.shard, models: report.shard.models } });
    const { started, completed } = timesOf(reports);
    await commitInChunks(parts, rows(first, reports, all), () => {
      tables.evaluations.setState(id, {
        state: 'running',
        reason: null,
        owner,
        startedAt: started,
        completedAt: null,
      });
      tables.evaluations.setDeleted(id, null);
      tables.events.append(id, clock.now(), {
        type: 'planned',
        runs: reports.reduce((sum, { runs }) => sum + runs, 0),
      });
      endRuns({ store, clock: { now: () => completed ?? clock.now() } }, tables, id, {
        endedBy: null,
        stopReason: null,
        haltReasons: haltReasons(reports),
        shard: null,
      });
    });
    return id;
  });
}

/**
 * A part that keeps what it has in common with the first one only once: tools and settings, which
 * can be most of a part without its runs.
 */
function sharing<Report extends PartReport>(first: Report | undefined, report: Report): Report {
  if (first === undefined) return report;
  const known = new Map<string, unknown>(Object.entries(first.shard));
  const shared = Object.entries(report.shard).filter(
    ([name, value]) => JSON.stringify(known.get(name)) === JSON.stringify(value),
  );
  Object.assign(report.shard, Object.fromEntries(shared.map(([name]) => [name, known.get(name)])));
  return report;
}

/** Throws INVALID where parts were changed after they were written. */
function refuse(found: readonly string[] | string | null): void {
  const problems = typeof found === 'string' ? [found] : (found ?? []);
  if (problems.length === 0) return;
  const more = problems.length - maxNamed;
  throw new ServiceError('INVALID', {
    thing: 'The reports',
    cause: [
      ...problems.slice(0, maxNamed),
      ...(more > 0 ? [`${counted(more, 'more problem')}.`] : []),
    ].join(' '),
    nextStep:
      'Run those parts again with this version, and merge their reports as they were written.',
  });
}
