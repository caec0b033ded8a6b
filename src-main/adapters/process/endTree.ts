import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { waitAtMost } from '../../runtime/deadline.ts';
import { findMembers, sendSignal, type TreeMark } from './treeMembers.ts';
import { endWindowsTree } from './windowsTree.ts';

/** How long each step of taking a tree down may last, in milliseconds. */
export interface Graces {
  /** After its standard input was ended. */
  stdinMs: number;
  /** After SIGTERM. */
  termMs: number;
  /** For SIGKILL to be seen to work, sweeps included. */
  killMs: number;
}

export const politeGraces: Graces = { stdinMs: 1000, termMs: 1000, killMs: 1000 };
/** For trees that already misbehaved, or whose user waits: cancel takes effect within a second. */
export const hastyGraces: Graces = { stdinMs: 0, termMs: 200, killMs: 500 };

/** A dead child is an event; a dead grandchild is not, so it is looked for this often. */
const LOOK_EVERY_MS = 40;

/**
 * Ends standard input, waits, SIGTERM, waits, SIGKILL until nobody is left or the time is up. True
 * where nobody is left.
 */
export async function endTree(
  child: ChildProcess,
  mark: TreeMark,
  graces: Graces,
): Promise<boolean> {
  child.stdin?.end();
  if (process.platform === 'win32') return endOnWindows(child, graces);
  if (graces.stdinMs > 0 && (await emptyWithin(mark, graces.stdinMs, exitOf(child)))) return true;
  if ((await signalAll(mark, 'SIGTERM')) === 0) return true;
  if (graces.termMs > 0 && (await emptyWithin(mark, graces.termMs, exitOf(child)))) return true;
  return killAll(mark, graces.killMs);
}

/** SIGKILL, again and again: a member may have forked between the look and the blow. */
export async function killAll(mark: TreeMark, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (;;) {
    if ((await signalAll(mark, 'SIGKILL')) === 0) return true;
    if (performance.now() >= until) return false;
    await pause(LOOK_EVERY_MS);
  }
}

export async function signalAll(mark: TreeMark, signal: NodeJS.Signals): Promise<number> {
  const members = await findMembers(mark);
  for (const member of members) sendSignal(member.pid, signal);
  return members.length;
}

/** Waits for the child's exit first (an event), then looks whether it took its family along. */
export async function emptyWithin(
  mark: TreeMark,
  withinMs: number,
  firstExit: Promise<unknown> = Promise.resolve(),
): Promise<boolean> {
  const until = performance.now() + withinMs;
  await waitAtMost(withinMs, firstExit);
  for (;;) {
    if ((await findMembers(mark)).length === 0) return true;
    if (performance.now() >= until) return false;
    await pause(LOOK_EVERY_MS);
  }
}

function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Windows has no groups and no SIGTERM: the tree is ended by its root's number. */
async function endOnWindows(child: ChildProcess, graces: Graces): Promise<boolean> {
  if (child.pid === undefined) return true;
  const politeEnd = async (): Promise<boolean> => {
    await waitAtMost(graces.stdinMs, exitOf(child));
    return child.exitCode !== null || child.signalCode !== null;
  };
  // Asking Windows who is whose child takes about a second.
  return endWindowsTree(child.pid, {
    politeEnd,
    withinMs: Math.max(3_000, graces.termMs + graces.killMs),
  });
}
