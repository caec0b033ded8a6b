import { readFileSync } from 'node:fs';
import { RUN_ID_VARIABLE } from './environment.ts';
import { parseStat, readProcess } from './processTable.ts';

/** Every run id begins with it, so that only processes of this program are ever considered. */
export const RUN_ID_PREFIX = 'touchstone-';

export interface RunIdOwner {
  pid: number;
  /** "0" if the platform has no cheap start time; then the pid alone decides. */
  startTime: string;
}

let count = 0;

/**
 * A new id for the tree of one child: `touchstone-<pid of the owner>-<its start>-<n>`. If this
 * program itself runs in such a tree, the outer id and a slash come first, so that ending the outer
 * tree also finds the inner one.
 */
export function createRunId(): string {
  count += 1;
  const own = `${RUN_ID_PREFIX}${process.pid}-${ownStartTime()}-${count}`;
  const outer = process.env[RUN_ID_VARIABLE];
  return outer === undefined || outer === '' ? own : `${outer}/${own}`;
}

/**
 * The process that started a tree, from the last part of its run id; null if the text is no run id
 * of this program.
 */
export function ownerOf(runId: string): RunIdOwner | null {
  const match = /^touchstone-(\d+)-(\d+)-\d+$/.exec(runId.split('/').at(-1) ?? '');
  return match?.[1] === undefined || match[2] === undefined
    ? null
    : { pid: Number(match[1]), startTime: match[2] };
}

/** Returns true if `runId` is `wanted` or belongs to a tree inside it. */
export function belongsTo(runId: string, wanted: string): boolean {
  return runId === wanted || runId.startsWith(`${wanted}/`);
}

/** Compares pid and start time, because pids are reused. */
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
