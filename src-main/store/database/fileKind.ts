import { readSync } from 'node:fs';
import { readRaw } from '../durability/rawFile.ts';

/**
 * SQLite's application id, in the header of the file: it says whose file this is. Backups have
 * their own, so that one that was copied into a workspace is told from the database before it.
 * The two differ in several bits.
 */
export const applicationIds = { workspace: 0x54535444, backup: 0x5453424b } as const;

/**
 * - `workspace`: a database with checksums.
 * - `backup`: was put here in place of another; journals and checksums next to it aren't its own.
 * - `unjournaled`: without a write-ahead journal, so it can't have written the one next to it.
 *   Earlier versions wrote backups in this form.
 * - `other`: a new one, or from a version without checksums.
 */
export type FileKind = 'workspace' | 'backup' | 'unjournaled' | 'other';

export function readHead(file: string): Buffer {
  const head = Buffer.alloc(100);
  return readRaw(file, (handle) => head.subarray(0, readSync(handle, head, 0, head.length, 0)));
}

export function readFileKind(file: string): FileKind {
  const head = readHead(file);
  if (head.length < 100) return 'other';
  if (head[18] === 1 && head[19] === 1) return 'unjournaled';
  const id = head.readUInt32BE(68);
  if (id === applicationIds.backup) return 'backup';
  // Any other id is one of ours that was damaged, which the checksums show.
  return id === 0 ? 'other' : 'workspace';
}
