import type { TaskRunRow } from '../domain/taskEvaluation.ts';
import { counted, formatCount } from './numbers.ts';

/** How the checks of a run ended: "1 of 3 checks failed". An advisory check decides nothing. */
export function checksTitle({ checks, outcome }: Pick<TaskRunRow, 'checks' | 'outcome'>): string {
  const deciding = checks.filter(({ advisory }) => advisory !== true);
  const failed = deciding.filter(({ passed }) => passed === false).length;
  const unread = deciding.filter(({ passed }) => passed === null).length;
  const of = `of ${counted(checks.length, 'check')}`;
  if (checks.length === 0) return 'Checks not judged';
  if (outcome === 'not_scored') return 'The checks don’t count';
  if (failed > 0) return `${formatCount(failed)} ${of} failed`;
  if (unread > 0) return `${formatCount(unread)} ${of} not judged`;
  return checks.every(({ passed }) => passed === true)
    ? 'All checks passed'
    : 'All checks that count passed';
}
