import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { RecordedRun } from '../../../../src-shared/domain/recordedExchange.ts';
import type { TaskCheck } from '../../../../src-shared/domain/task.ts';

const isBroken = ({ trajectory: { end } }: RecordedRun): boolean => end.by === 'infrastructure';
const textOf = (checks: readonly TaskCheck[]): string => canonicalJson([...checks] as JsonValue[]);

/**
 * The runs of tasks in a recording. Tasks that differ in their checks alone have one key, and a run of
 * one of them lacks the states that another one reads: so a run with the same checks comes first.
 */
export class RecordedRuns {
  readonly #byKey = new Map<string, Map<string, RecordedRun>>();

  /** A later attempt counts, but trouble replaces no run that was played to its end. */
  add(key: string, run: RecordedRun): void {
    const runs = this.#byKey.get(key) ?? new Map<string, RecordedRun>();
    this.#byKey.set(key, runs);
    const checks = textOf(run.checks);
    const known = runs.get(checks);
    if (known !== undefined && !isBroken(known) && isBroken(run)) return;
    runs.delete(checks);
    runs.set(checks, run);
  }

  /** The run of a task with these checks, else the last one with others; null: none was recorded. */
  find(key: string, checks: readonly TaskCheck[]): RecordedRun | null {
    const runs = this.#byKey.get(key);
    const same = runs?.get(textOf(checks));
    if (same !== undefined) return same;
    const all = [...(runs?.values() ?? [])];
    return all.findLast((run) => !isBroken(run)) ?? all.at(-1) ?? null;
  }

  clear(): void {
    this.#byKey.clear();
  }
}
