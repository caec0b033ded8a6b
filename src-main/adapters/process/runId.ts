import { readFileSync } from 'node:fs';
import { RUN_ID_VARIABLE } from './environment.ts';
import { parseStat } from './processTable.ts';

/** Every run id begins with it, so that only processes of this program are ever considered. */
const prefix = 'touchstone-';

export interface RunIdOwner {
  pid: number;
  /** "0" if the platform has no cheap start time; then the pid alone decides. */
  startTime: string;
}

let count = 0;

/** This process as the owner of trees and folders. */
export function thisOwner(): RunIdOwner {
  return { pid: process.pid, startTime: ownStartTime() };
}

/**
 * A new id for the tree of one child: `touchstone-<pid of the owner>-<its start>-<n>`. If this
 * program itself runs in such a tree, the outer id and a slash come first, so that ending the outer
 * tree also finds the inner one.
 */
export function createRunId(): string {
  count += 1;
  const own = `${prefix}${process.pid}-${ownStartTime()}-${count}`;
  const outer = process.env[RUN_ID_VARIABLE];
  return outer === undefined || outer === '' ? own : `${outer}/${own}`;
}

/** The last part of a run id; null if the text is no run id of this program. */
export function parseRunId(runId: string): { owner: RunIdOwner; count: number } | null {
  const match = /^touchstone-(\d+)-(\d+)-(\d+)$/.exec(runId.split('/').at(-1) ?? '');
  const [, pid, startTime, n] = match ?? [];
  return pid === undefined || startTime === undefined || n === undefined
    ? null
    : { owner: { pid: Number(pid), startTime }, count: Number(n) };
}

/** The process that started a tree. */
export function ownerOf(runId: string): RunIdOwner | null {
  return parseRunId(runId)?.owner ?? null;
}

/** Returns true if `runId` is `wanted` or belongs to a tree inside it. */
export function belongsTo(runId: string, wanted: string): boolean {
  return runId === wanted || runId.startsWith(`${wanted}/`);
}

let startTime: string | null = null;

function ownStartTime(): string {
  startTime ??=
    process.platform === 'linux'
      ? (parseStat(process.pid, readFileSync('/proc/self/stat', 'utf8'))?.startTime ?? '0')
      : '0';
  return startTime;
}
