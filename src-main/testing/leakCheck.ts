import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { listProcesses, readCommand, readRunId } from '../adapters/process/processTable.ts';
import { ownerOf } from '../adapters/process/runId.ts';
import { temporaryFolderPrefix } from './temporaryFolder.ts';

/**
 * What this test process left behind: live processes with one of its run ids, and its temporary
 * folders.
 */
export async function findLeaks(): Promise<string[]> {
  const leaks: string[] = [];
  for (const row of await listProcesses()) {
    const runId = await readRunId(row.pid);
    if (row.pid !== process.pid && runId !== null && ownerOf(runId)?.pid === process.pid)
      leaks.push(`process ${row.pid}: ${await readCommand(row.pid)}`);
  }
  for (const name of await readdir(tmpdir()))
    if (name.startsWith(temporaryFolderPrefix)) leaks.push(`folder ${name}`);
  return leaks;
}

/** For `afterEach`: fails if a test left a process or a folder behind. */
export async function expectNoLeaks(): Promise<void> {
  const leaks = await findLeaks();
  if (leaks.length > 0) throw new Error(`The test left behind:\n${leaks.join('\n')}`);
}
