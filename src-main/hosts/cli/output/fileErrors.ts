import { explainFileProblem } from '../../../runtime/fileProblem.ts';
import { UsageError } from '../exitCodes.ts';

/**
 * Converts an operating system error about a path to an error of the command line: a UsageError for
 * a wrong path, and another one for a failing or full disk; null for any other error. `file` is the path as the user wrote it, `access` what was attempted.
 */
export function asFileError(
  error: unknown,
  file?: string,
  access: 'read' | 'write' = 'read',
): Error | null {
  const problem = explainFileProblem(error, access);
  const path =
    file ??
    (error instanceof Error && 'path' in error && typeof error.path === 'string'
      ? error.path
      : null);
  if (problem === null || path === null) return null;
  const message = `${path}: ${problem.cause} ${problem.nextStep}`;
  return problem.isDiskProblem
    ? new Error(message, { cause: error })
    : new UsageError(message, { cause: error });
}
