import { counted } from './numbers.ts';

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
