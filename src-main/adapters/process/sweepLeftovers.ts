import { errorText } from '../../../src-shared/domain/errorText.ts';
import { waitAtMost } from '../../runtime/deadline.ts';
import type { Log } from '../../runtime/log.ts';
import { endLeftovers, findLeftovers } from './leftovers.ts';
import { removeLeftFolders } from './programFolder.ts';

/** Closing the program waits at most this long for a sweep, in ms. */
const maxSweepMs = 3_000;

/**
 * Whether a program that opens a workspace sweeps. It reads each process of the machine, and a test
 * process opens thousands.
 */
export const sweeping = { atStart: true };

/**
 * Starts to remove the processes and folders that a killed run left behind; never those of a running one.
 * Runs in the background so that it does not delay the start. Returns a function that waits for its
 * end, but not for long.
 */
export function startSweep(log: Log | undefined): () => Promise<void> {
  const sweep = sweepLeftovers(log);
  return () => waitAtMost(maxSweepMs, sweep);
}

async function sweepLeftovers(log: Log | undefined): Promise<void> {
  // The folders come second, because a process could still write into its own.
  for (const [what, sweepOne] of [
    ['processes', sweepProcesses],
    ['folders', sweepFolders],
  ] as const)
    try {
      await sweepOne(log);
    } catch (error) {
      log?.error(`Could not look for ${what} left behind by a killed run: ${errorText(error)}`);
    }
}

async function sweepFolders(log: Log | undefined): Promise<void> {
  const { left } = await removeLeftFolders();
  for (const folder of left)
    log?.error(
      `Could not remove a folder left behind by a killed run: ${folder}. Remove it manually.`,
    );
}

async function sweepProcesses(log: Log | undefined): Promise<void> {
  const found = await findLeftovers();
  if (found.length === 0) return;
  const left = await endLeftovers(found);
  log?.info(`Ended processes left behind by a killed run: ${found.length - left.length}.`);
  if (left.length > 0)
    log?.error(
      'Could not end processes left behind by a killed run: ' +
        `${left.map(({ pid }) => pid).join(', ')}. End them manually.`,
    );
}
