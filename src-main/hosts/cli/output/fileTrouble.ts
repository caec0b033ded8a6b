import { explainFileProblem } from '../../../services/files/explainFileProblem.ts';
import { UsageError } from '../exitCodes.ts';

/** Trouble with a disk, as opposed to a name that was given wrongly. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
}

/**
 * The one place where the operating system's refusal of a path becomes an error of the command
 * line. Null where the error is something else; `file` is the path as the caller named it, `access`
 * what was wanted of it.
 */
export function asFileTrouble(
  error: unknown,
  file?: string,
  access: 'read' | 'write' = 'read',
): UsageError | DiskError | null {
  const problem = explainFileProblem(error, access);
  const path =
    file ??
    (error instanceof Error && 'path' in error && typeof error.path === 'string'
      ? error.path
      : null);
  if (problem === null || path === null) return null;
  const message = `${path}: ${problem.cause} ${problem.nextStep}`;
  return problem.isDiskProblem
    ? new DiskError(message, { cause: error })
    : new UsageError(message, { cause: error });
}
