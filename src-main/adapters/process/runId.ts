import { readFileSync } from 'node:fs';
import { RUN_ID_VARIABLE } from './environment.ts';
import { parseStat, readProcess } from './processTable.ts';

/** Stands before every run id, so that only this program's own processes are ever looked at. */
export const RUN_ID_PREFIX = 'touchstone-';

export interface RunIdOwner {
  pid: number;
  /** "0" where the platform tells no start time cheaply; then the pid alone decides. */
  startTime: string;
}

let count = 0;

/**
 * A new id for one child's tree: `touchstone-<owner's pid>-<owner's start>-<n>`. Where this program
 * itself runs inside such a tree its own id stands before, after a slash: ending the outer tree
 * finds the inner one too.
 */
export function createRunId(): string {
  count += 1;
  const own = `${RUN_ID_PREFIX}${process.pid}-${ownStartTime()}-${count}`;
  const outer = process.env[RUN_ID_VARIABLE];
  return outer === undefined || outer === '' ? own : `${outer}/${own}`;
}

/**
 * Whose child the process was, by the last part of its run id; null where the text is no run id of
 * this program.
 */
export function ownerOf(runId: string): RunIdOwner | null {
  const match = /^touchstone-(\d+)-(\d+)-\d+$/.exec(runId.split('/').at(-1) ?? '');
  return match?.[1] === undefined || match[2] === undefined
    ? null
    : { pid: Number(match[1]), startTime: match[2] };
}

/** True where `runId` is `wanted` or stands below it. */
export function belongsTo(runId: string, wanted: string): boolean {
  return runId === wanted || runId.startsWith(`${wanted}/`);
}

/** A pid is given out again some day; together with its start time it is one process for good. */
export async function isAlive(owner: RunIdOwner): Promise<boolean> {
  const row = await readProcess(owner.pid);
  return row !== null && (owner.startTime === '0' || row.startTime === owner.startTime);
}

let startTime: string | null = null;

function ownStartTime(): string {
  startTime ??=
    process.platform === 'linux'
      ? (parseStat(process.pid, readFileSync('/proc/self/stat', 'utf8'))?.startTime ?? '0')
      : '0';
  return startTime;
}
