import { renamedFixtures } from './fixtureParts.ts';
import { splitToolId, toolId } from './labels.ts';
import { byCheckKind, type TaskCheck, type TaskContent } from './task.ts';

/** The same task with other names of servers, wherever it names one. */
export const renameServersOfTask = (
  task: TaskContent,
  renamed: (server: string) => string,
): TaskContent => ({
  ...renameReferences(
    task,
    (given) => ({ ...given, server: renamed(given.server) }),
    // A check names a tool alone, or as `server:tool`.
    (name) => {
      const { server, tool } = splitToolId(name);
      return server === '' ? name : toolId(renamed(server), tool);
    },
  ),
  servers: [...new Set(task.servers.map(renamed))],
});

/** The same task with other names of tools, wherever it names one; `renamed` takes and gives ids. */
export const renameToolsOfTask = (
  task: TaskContent,
  renamed: (id: string) => string,
): TaskContent => {
  const { injection, ...others } = renameReferences(
    task,
    (given) => ({ ...given, tool: splitToolId(renamed(toolId(given.server, given.tool))).tool }),
    renamed,
  );
  const tool = injection?.canary.tool;
  return {
    ...others,
    injection:
      injection === null || tool === undefined
        ? injection
        : { ...injection, canary: { ...injection.canary, tool: renamed(tool) } },
  };
};

function renameReferences(
  task: TaskContent,
  reference: <Reference extends { server: string; tool: string }>(given: Reference) => Reference,
  toolName: (name: string) => string,
): TaskContent {
  const renamedUse = <Use extends { tool: string }>(entry: Use | string): Use | string =>
    typeof entry === 'string' ? toolName(entry) : { ...entry, tool: toolName(entry.tool) };
  return {
    ...task,
    setup: task.setup.map(reference),
    ...(task.solution && { solution: task.solution.map(reference) }),
    ...(task.faults && { faults: task.faults.map(reference) }),
    checks: task.checks.map((each) =>
      byCheckKind<TaskCheck>({
        state: reference,
        end_state: reference,
        unchanged: reference,
        answer: (check) => check,
        calls: (check) => ({
          ...check,
          must: check.must.map((entry) =>
            Array.isArray(entry) ? entry.map((use) => renamedUse(use)) : renamedUse(entry),
          ),
          ...(check.any && { any: check.any.map((use) => renamedUse(use)) }),
          never: check.never.map((use) => renamedUse(use)),
        }),
        program: (check) => check,
        judge: (check) => check,
      })(each),
    ),
    ...renamedFixtures(task, reference),
    stubs: task.stubs.map(reference),
    injection: task.injection && reference(task.injection),
  };
}
