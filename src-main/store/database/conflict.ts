import Sqlite from 'better-sqlite3';
import { ServiceError, type ErrorData } from '../../../src-shared/contract/errors.ts';

/**
 * What to say when a constraint is violated, by the columns that SQLite names, or 'foreign key'.
 */
export type Conflicts = Record<string, () => ErrorData>;

/**
 * Turns a violated constraint into CONFLICT that names what is taken. A constraint without an entry
 * becomes INVALID with SQLite's own words.
 */
export function namingConflicts<T>(what: string, conflicts: Conflicts, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT'))
      throw error;
    const known = conflicts[constraintOf(error)];
    if (known !== undefined) throw new ServiceError('CONFLICT', known(), { cause: error });
    throw new ServiceError(
      'INVALID',
      {
        thing: what,
        cause: `It breaks a rule of the database (${error.message}).`,
        nextStep: 'Fix the value and try again.',
      },
      { cause: error },
    );
  }
}

function constraintOf(error: { code: string; message: string }): string {
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'foreign key';
  return /^UNIQUE constraint failed: (.+)$/.exec(error.message)?.[1] ?? error.message;
}

export const notFound = (
  what: string,
  id: string,
  nextStep = 'Choose one from the list.',
): ServiceError =>
  new ServiceError('NOT_FOUND', { thing: `${what} ${id}`, cause: "It doesn't exist.", nextStep });
