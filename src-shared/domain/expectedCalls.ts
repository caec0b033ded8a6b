import { byCheckKind, type CallsCheck, type ExpectedUse, type TaskCheck } from './task.ts';

export const callsOf = byCheckKind<readonly CallsCheck[]>({
  state: () => [],
  end_state: () => [],
  unchanged: () => [],
  answer: () => [],
  calls: (check) => [check],
  program: () => [],
  judge: () => [],
});

/** All that an entry of a `calls` check says. */
export const useOf = (given: ExpectedUse): Exclude<ExpectedUse, string> =>
  typeof given === 'string' ? { tool: given } : given;
/** What must be called, one group after the other if the check is ordered. */
export const groupsOf = ({ must }: Pick<CallsCheck, 'must'>): ExpectedUse[][] =>
  must.map((entry) => (Array.isArray(entry) ? entry : [entry]));
/** The tools of entries, each as often as it must be called. */
const timesCalled = (entry: ExpectedUse): string[] => {
  const { tool, at_least: least = 1 } = useOf(entry);
  return Array.from({ length: least }, () => tool);
};
/** The tools of `must`, each as often as it must be called. */
export const requiredTools = (check: Pick<CallsCheck, 'must'>): string[] =>
  groupsOf(check).flat().flatMap(timesCalled);
export const toolsToCall = (check: TaskCheck): string[] => callsOf(check).flatMap(requiredTools);
/** The tools whose calls a check accepts: those that must be called, and those to choose from. */
export const toolsAccepted = (check: TaskCheck): string[] =>
  callsOf(check).flatMap(({ any = [], ...calls }) =>
    [...groupsOf(calls).flat(), ...any].map((entry) => useOf(entry).tool),
  );
/** The tools that a check says something about by their names. */
export const toolsNamed = (check: TaskCheck): string[] => [
  ...toolsAccepted(check),
  ...callsOf(check).flatMap(({ never }) => never.map((entry) => useOf(entry).tool)),
];
