import { explainFileProblem } from '../../../services/files/explainFileProblem.ts';
import { UsageError } from '../exitCodes.ts';

/** A failing or full disk, as opposed to a wrong path, which is a UsageError. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
}

/**
 * Converts an operating system error about a path to an error of the command line; null for any
 * other error. `file` is the path as the user wrote it, `access` what was attempted.
 */
export function asFileError(
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
