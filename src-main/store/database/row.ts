import type { z } from 'zod';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';

/**
 * Reads one row into its domain type. The row was checked when it was written, but another version,
 * another program or a failing disk may have changed it since. Then the error names the row, and
 * other rows stay readable.
 */
export function readRow<T>(schema: z.ZodType<T>, thing: string, build: () => unknown): T {
  let cause: string;
  try {
    const parsed = schema.safeParse(build());
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    cause =
      issue === undefined
        ? 'unknown shape'
        : `${issue.path.join('.') || 'value'}: ${issue.message}`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    cause = error.message;
  }
  throw new ServiceError('TROUBLE', {
    thing,
    cause: `Its stored row can't be read (${cause}).`,
    nextStep: 'Restore a backup of the workspace, or open it read-only and export the rest.',
  });
}

/** Parses a JSON column. `readRow` checks its shape. */
export function json(text: string | null): unknown {
  return text === null ? null : parseJson(text);
}

/** Returns the row that was just written in the same transaction. */
export function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('A row that was just written is missing.');
  return row;
}
