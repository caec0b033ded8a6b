import type { ImportPreview, ImportProgress } from '../contract/suites.ts';
import type { EvaluationUnit } from '../domain/gate.ts';
import { counted, formatBytes, formatCount } from './numbers.ts';

/** Which record an import left out, and its line. The names of some records hold it. */
export function skippedPlace({ case: name, line }: { case: string; line: number | null }): string {
  return line === null || /\bline \d/.test(name) ? name : `${name}, line ${line}`;
}

/** How far an import is: "12,000 of 50,000 records", or "12,000 records" while nobody knows of how many. */
export function importProgressText({ done, total, unit }: ImportProgress): string {
  if (unit === 'bytes')
    return total === null ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total)}`;
  return total === null
    ? counted(done, 'record')
    : `${formatCount(done)} of ${counted(total, 'record')}`;
}

/** That a plan leaves out what its suite has of the other kind; empty if it leaves out nothing. */
export const leftOutText = (
  unit: EvaluationUnit,
  { leftOut = 0 }: { leftOut?: number | undefined },
): string => {
  const others = unit === 'case' ? 'task' : 'case';
  return leftOut === 0
    ? ''
    : `The suite also has ${counted(leftOut, others)}. Cases and tasks run apart, and the ${others}s are left out.`;
};

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

type Sized = Parameters<typeof suiteSize>[0];

/**
 * What a workspace expects, as a heading: "2 suites with 12 cases". Beside own suites, those of the
 * sample are told apart: "2 own suites with 12 cases, and 3 of the sample".
 */
export function suitesTitle(
  suites: readonly (Sized & { name: string })[],
  ofSample: readonly string[],
): string {
  const own = suites.filter(({ name }) => !ofSample.includes(name));
  const isMixed = own.length > 0 && own.length < suites.length;
  const meant = isMixed ? own : suites;
  const size = suiteSize({
    caseCount: meant.reduce((sum, { caseCount }) => sum + caseCount, 0),
    taskCount: meant.reduce((sum, { taskCount }) => sum + taskCount, 0),
  });
  return isMixed
    ? `${counted(own.length, 'own suite')} with ${size}, and ${formatCount(suites.length - own.length)} of the sample`
    : `${counted(suites.length, 'suite')} with ${size}`;
}

/** What an import into a suite says of what it has already, a sentence each. */
export function knownTexts({ into }: Pick<ImportPreview, 'into'>): string[] {
  if (into === null) return [];
  const { known, similar, firstSimilar } = into;
  const [first] = firstSimilar;
  return [
    ...(known === 0
      ? []
      : [
          `${counted(known, 'record')} ${known === 1 ? 'is' : 'are'} in the suite already, or in the file before, and ${known === 1 ? 'is' : 'are'} left out.`,
        ]),
    ...(first === undefined
      ? []
      : [
          `${counted(similar ?? 0, 'query', 'queries')} ${similar === 1 ? 'is' : 'are'} nearly the same as another one, the first: “${first.query.slice(0, maxShownQuery)}”, like “${first.other.slice(0, maxShownQuery)}”.`,
        ]),
    ...(similar === null ? ['Near duplicates weren’t looked for: there are too many cases.'] : []),
  ];
}
const maxShownQuery = 120;

/** What an import of a file says whose suite, or the one it is added to, has it already. */
export const nothingNewText = (
  suite: Parameters<typeof suiteSize>[0] & { name: string },
  { into }: Pick<ImportPreview, 'into'> = { into: null },
): string =>
  into === null
    ? `Nothing new: ${suite.name} has ${suiteSize(suite)} of this file already, unchanged.`
    : `Nothing new: ${suite.name} has all of this file already.`;
