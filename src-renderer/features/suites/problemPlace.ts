import type { FileProblem } from '../../../src-shared/domain/suiteFile.ts';

/** `line:column` as editors show it, or the path in the document if there is no line. */
export function problemPlace(problem: Pick<FileProblem, 'line' | 'column' | 'path'>): string {
  if (problem.line === null) return problem.path === '' ? 'file' : problem.path;
  return problem.column === null ? String(problem.line) : `${problem.line}:${problem.column}`;
}
