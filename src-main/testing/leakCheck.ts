import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { readCommand } from '../adapters/process/processTable.ts';
import { findMembers } from '../adapters/process/treeMembers.ts';
import { ownTrees } from '../adapters/process/treeTag.ts';
import { temporaryFolderPrefix } from './temporaryFolder.ts';

/** What this test process left behind: live processes of its trees, and its temporary folders. */
export async function findLeaks(): Promise<string[]> {
  const leaks: string[] = [];
  for (const { pid } of await findMembers(ownTrees()))
    leaks.push(`process ${pid}: ${await readCommand(pid)}`);
  for (const name of await readdir(tmpdir()))
    if (name.startsWith(temporaryFolderPrefix)) leaks.push(`folder ${name}`);
  return leaks;
}

/** For `afterEach`: fails if a test left a process or a folder behind. */
export async function expectNoLeaks(): Promise<void> {
  const leaks = await findLeaks();
  if (leaks.length > 0) throw new Error(`The test left behind:\n${leaks.join('\n')}`);
}
