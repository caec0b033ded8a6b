import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Store } from '../../../store/store.ts';
import { commitInChunks } from '../commitInChunks.ts';
import { endRuns } from '../endRuns.ts';
import type { RunTables } from '../runTables.ts';
import { haltReasons, refusingChanged, timesOf, type Part } from './shardParts.ts';
import { firstOfParts, type Entries, type PartReport } from './shardProblems.ts';

/** The report of one part, as `merge` reads it. */
export type MergedReport = PartReport & Part<unknown> & { evaluation_id: string };

export interface MergedUnit<
  Report extends PartReport,
  Event extends { seq: number; type: string },
> {
  tables: RunTables<Event>;
  open: (file: string) => Report;
  entries: Entries<Report['shard']>;
  /** Inserts the rows of the merged evaluation, one case, task or run per step. */
  rows: (first: Report, reports: readonly Report[]) => Iterator<unknown>;
}

/**
 * Makes one ended evaluation of the reports of all its parts, as if it had run in one piece: with the
 * ids of the first part and the runs of each. Returns its id. Throws INVALID where they are not the
 * parts of one evaluation, and CONFLICT where it is in the workspace already.
 */
export function mergeParts<
  Report extends MergedReport,
  Event extends { seq: number; type: string },
>(
  parts: { store: Store; clock: Clock; owner: string },
  files: readonly string[],
  { tables, open, entries, rows }: MergedUnit<Report, Event>,
): Promise<string> {
  return refusingChanged(async () => {
    const reports = files.map(open);
    const first = firstOfParts(reports, entries);
    // The plan of all parts is the same, so one is kept.
    for (const report of reports)
      Object.assign(report, { shard: { ...first.shard, models: report.shard.models } });
    const { store, clock, owner } = parts;
    const id = first.evaluation_id;
    if (tables.evaluations.get(id) !== null)
      throw new ServiceError('CONFLICT', {
        thing: `${tables.name} ${id}`,
        cause: 'It is in this workspace already.',
        nextStep: 'Merge the reports without a workspace.',
      });
    const { started, completed } = timesOf(reports);
    await commitInChunks(parts, rows(first, reports), () => {
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
