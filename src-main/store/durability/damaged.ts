import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { listBackups } from './backupFiles.ts';
import { checksumFile } from './pageChecksums.ts';

/** The error for a damaged database: it says that nothing was changed, and how to go on. */
export function damaged(file: string, cause: string, nextStep?: string): ServiceError {
  return new ServiceError('TROUBLE', {
    thing: `The database ${file}`,
    cause: `${cause} Nothing was changed.`,
    nextStep: nextStep ?? afterDamage(file),
  });
}

/** The same advice for damage that was found before anything was written, and later. */
export function afterDamage(file: string): string {
  const [backup] = listBackups(file);
  const salvage = '`touchstone salvage --out FOLDER` exports what is readable.';
  const restore = `\`touchstone restore\` brings back the newest backup (${backup}) and keeps the damaged files. `;
  return `${backup === undefined ? 'There is no backup yet. ' : restore}${salvage}`;
}

/** What else to do where the pages of the file aren't those that this program wrote. */
export const afterForeignChange = (file: string): string =>
  `If you changed it with another program, delete ${checksumFile(file)} and start again.`;

/** The error for damage that a check in the background found: from now on nothing is written. */
export const damageWhileOpen = (file: string, finding: string, also: readonly string[] = []) =>
  new ServiceError('TROUBLE', {
    thing: `The database ${file}`,
    cause: `Its content is damaged (${finding}). Touchstone no longer writes to it.`,
    nextStep: ['Close Touchstone.', afterDamage(file), ...also].join(' '),
  });
