import { counted } from './numbers.ts';

/** Which record an import left out, and its line. The names of some records hold it. */
export function skippedPlace({ case: name, line }: { case: string; line: number | null }): string {
  return line === null || /\bline \d/.test(name) ? name : `${name}, line ${line}`;
}

/** What a suite holds: "61 cases", "20 tasks", or "61 cases and 20 tasks". */
export function suiteSize({
  caseCount,
  taskCount,
}: {
  caseCount: number;
  taskCount: number;
}): string {
  const tasks = counted(taskCount, 'task');
  if (taskCount === 0) return counted(caseCount, 'case');
  return caseCount === 0 ? tasks : `${counted(caseCount, 'case')} and ${tasks}`;
}

/** What an import of a file says whose suite is in the workspace as the file has it. */
export const nothingNewText = (suite: Parameters<typeof suiteSize>[0] & { name: string }): string =>
  `Nothing new: ${suite.name} has ${suiteSize(suite)} of this file already, unchanged.`;
