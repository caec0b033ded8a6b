import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { waitAtMost } from '../../runtime/deadline.ts';
import type { ProcessRow } from './processTable.ts';
import { findMembers, findMembersAtOnce, signalMember, type TreeMark } from './treeMembers.ts';
import { endWindowsTree } from './windowsTree.ts';

/** How long each step of ending a tree may last, in milliseconds. */
export interface Graces {
  /** After the end of its standard input. */
  stdinMs: number;
  /** After SIGTERM. */
  termMs: number;
  /** After SIGKILL, repeated signals included. */
  killMs: number;
}

export const politeGraces: Graces = { stdinMs: 1000, termMs: 1000, killMs: 1000 };
/** For trees that misbehaved, or whose user waits: a cancel takes effect within a second. */
export const hastyGraces: Graces = { stdinMs: 0, termMs: 200, killMs: 500 };

/** Node reports the exit of a child but not of a grandchild, which has to be polled for. */
const pollIntervalMs = 40;

/**
 * Ends a tree: closes standard input, then sends SIGTERM, then SIGKILL, and waits after each step.
 * Returns true if no process is left.
 */
export async function endTree(
  child: ChildProcess,
  mark: TreeMark,
  graces: Graces,
): Promise<boolean> {
  child.stdin?.end();
  if (process.platform === 'win32') return endOnWindows(child, graces);
  if (graces.stdinMs > 0 && (await emptyWithin(mark, graces.stdinMs, exitOf(child)))) return true;
  if ((await signalAll(mark, 'SIGTERM')) === 0 && (await isEmpty(mark))) return true;
  if (graces.termMs > 0 && (await emptyWithin(mark, graces.termMs, exitOf(child)))) return true;
  return killAll(mark, graces.killMs);
}

/**
 * Ends a tree by force. Its members are stopped before they are killed: a process that is stopped
 * forks no more and stays the parent of its children, so that nobody slips away between a listing
 * and the signal.
 */
export async function killAll(mark: TreeMark, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (;;) {
    for (const member of await stopAll(mark, until)) signalMember(member, 'SIGKILL');
    if (await isEmpty(mark)) return true;
    if (performance.now() >= until) return false;
    await pause(pollIntervalMs);
  }
}

/** Stops members until a listing shows none that still runs. */
async function stopAll(mark: TreeMark, until: number): Promise<ProcessRow[]> {
  const stopped = new Map<string, ProcessRow>();
  for (;;) {
    const members = await findMembers(mark);
    const running = members.filter((member) => !stopped.has(keyOf(member)));
    for (const member of running) {
      signalMember(member, 'SIGSTOP');
      stopped.set(keyOf(member), member);
    }
    if (running.length === 0 || performance.now() >= until) return [...stopped.values()];
  }
}

const keyOf = ({ pid, startTime }: ProcessRow): string => `${pid} ${startTime}`;

/**
 * True if two listings in a row find nobody: a process that forks while one is read can be missed
 * by that one.
 */
async function isEmpty(mark: TreeMark): Promise<boolean> {
  return (await findMembers(mark)).length === 0 && (await findMembers(mark)).length === 0;
}

/** How often the exit of this program kills what it finds, at most. */
const maxRoundsAtExit = 20;

/** Kills a tree without waiting for anything, for the exit of this program. */
export function killAtOnce(mark: TreeMark): void {
  for (let round = 0, empty = 0; round < maxRoundsAtExit && empty < 2; round += 1) {
    const members = findMembersAtOnce(mark);
    empty = members.length === 0 ? empty + 1 : 0;
    for (const member of members) signalMember(member, 'SIGSTOP');
    for (const member of members) signalMember(member, 'SIGKILL');
  }
}

/** Sends a signal to every member of the tree and returns how many there were. */
export async function signalAll(mark: TreeMark, signal: NodeJS.Signals): Promise<number> {
  const members = await findMembers(mark);
  for (const member of members) signalMember(member, signal);
  return members.length;
}

/** Waits for the exit of the child, then polls until its descendants are gone too. */
export async function emptyWithin(
  mark: TreeMark,
  withinMs: number,
  firstExit: Promise<unknown> = Promise.resolve(),
): Promise<boolean> {
  const until = performance.now() + withinMs;
  await waitAtMost(withinMs, firstExit);
  for (;;) {
    if (await isEmpty(mark)) return true;
    if (performance.now() >= until) return false;
    await pause(pollIntervalMs);
  }
}

function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Windows has no process groups and no SIGTERM: the tree is ended by the pid of its root. */
async function endOnWindows(child: ChildProcess, graces: Graces): Promise<boolean> {
  if (child.pid === undefined) return true;
  const politeEnd = async (): Promise<boolean> => {
    await waitAtMost(graces.stdinMs, exitOf(child));
    return child.exitCode !== null || child.signalCode !== null;
  };
  // Listing the processes of Windows takes about a second.
  return endWindowsTree(child.pid, {
    politeEnd,
    withinMs: Math.max(3_000, graces.termMs + graces.killMs),
  });
}
