import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../runtime/makeFolder.ts';
import { slug } from '../files/safeFileName.ts';

/** Captured sessions are kept this long, and this many bytes of them. */
const maxAgeMs = 30 * 24 * 3600 * 1000;
const maxBytes = 256 * 1024 * 1024;

export interface SessionFile {
  path: string;
  bytes: number;
  changedAt: number;
}

const folderOf = (workspace: string): string => join(workspace, 'sessions');

/** The files of captured sessions, the one that was written last first. */
export async function sessionFiles(workspace: string): Promise<SessionFile[]> {
  const folder = folderOf(workspace);
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name): Promise<SessionFile[]> => {
        const path = join(folder, name);
        // One that another process just deleted is no session any more.
        const stats = await stat(path).catch(() => null);
        return stats?.isFile() !== true
          ? []
          : [{ path, bytes: stats.size, changedAt: stats.mtimeMs }];
      }),
  );
  return files.flat().sort((a, b) => b.changedAt - a.changedAt);
}

/** The file of a new session. Deletes sessions beyond the limits of age and size before. */
export async function newSessionFile(
  workspace: string,
  {
    server,
    now,
    limits = { ageMs: maxAgeMs, bytes: maxBytes },
  }: {
    server: string;
    now: string;
    limits?: { ageMs: number; bytes: number };
  },
): Promise<string> {
  makeFolder(folderOf(workspace));
  let bytes = 0;
  for (const file of await sessionFiles(workspace)) {
    bytes += file.bytes;
    if (bytes > limits.bytes || Date.parse(now) - file.changedAt > limits.ageMs)
      await rm(file.path, { force: true });
  }
  return join(
    folderOf(workspace),
    `${now.replaceAll(/[:.]/g, '-')}-${slug(server, 'server')}.jsonl`,
  );
}

/** Deletes all sessions and says how many there were. */
export async function removeSessions(workspace: string): Promise<number> {
  const files = await sessionFiles(workspace);
  for (const { path } of files) await rm(path, { force: true });
  return files.length;
}
