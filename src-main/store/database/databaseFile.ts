import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { damaged } from '../durability/damaged.ts';
import { writeDurably } from '../durability/durableFile.ts';
import { inUseFile, inspectJournal, journalFile } from '../durability/journal.ts';
import { readHead } from './fileKind.ts';

/**
 * A file next to a database that holds data. Without it, an emptied database looks like a new
 * workspace.
 */
export const markerFile = (file: string) => `${file}.has-data`;

export type FileState = 'new' | 'existing';

/**
 * Checks the files before SQLite sees them, because SQLite would turn an empty or missing file into
 * a new database.
 */
export function inspectFile(file: string): FileState {
  const state = inspectPlace(file);
  if (state === 'new') return state;
  const head = readHead(file);
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw damaged(file, `It isn't a SQLite database: it begins with ${shown(head)}.`);
  return state;
}

/** The same without a look into the file, which SQLite then has when it only reads. */
export function inspectPlace(file: string): FileState {
  const stat = statSync(file, { throwIfNoEntry: false });
  const hadData = existsSync(markerFile(file));
  if (stat === undefined || (stat.isFile() && stat.size === 0)) {
    const what = stat === undefined ? 'It is missing' : 'It is empty';
    if (hadData) throw damaged(file, `${what}, but ${markerFile(file)} says that it held data.`);
    if ((statSync(journalFile(file), { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw damaged(file, `${what}, but its journal ${journalFile(file)} is there.`);
    return 'new';
  }
  if (stat.isDirectory())
    throw damaged(
      file,
      'It is a folder, not a file.',
      'Move the folder away, or choose another workspace folder.',
    );
  if (!stat.isFile())
    throw damaged(file, "It isn't a regular file.", 'Choose another workspace folder.');
  return 'existing';
}

/**
 * Throws where the journal next to the database is not the one that the last session left. Returns
 * whether there is a journal to read.
 */
export function requireOwnJournal(file: string): boolean {
  const finding = inspectJournal(file, existsSync(markerFile(file)));
  if (finding === 'missing') {
    throw damaged(
      file,
      `Its last session ended without closing it, and the journal ${journalFile(file)} with what was saved last is missing.`,
      `Put the journal back. To continue without it, with what the database contains, delete ${inUseFile(file)} and start again.`,
    );
  }
  if (finding === 'foreign') {
    throw damaged(
      file,
      `The journal ${journalFile(file)}next to it was not written by its last session, or its beginning is damaged: it is left from another database or from an earlier state, or another program is writing to the database.`,
      'Close other programs that use it. If there is none, move the journal away and start again.',
    );
  }
  return finding !== 'none';
}

/** Only the owner may read it, like every file of a workspace. */
export function createEmpty(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

export function markHasData(file: string): void {
  if (!existsSync(markerFile(file)))
    writeDurably(
      markerFile(file),
      'This file records that the database next to it contains data. Keep them together.\n',
    );
}

function shown(head: Buffer): string {
  return JSON.stringify(head.toString('latin1', 0, 16).replaceAll(/[^\x20-\x7e]/g, '.'));
}
