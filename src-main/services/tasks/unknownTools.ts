import { didYouMean } from '../../../src-shared/display/nearest.ts';
import { readsServer } from '../../../src-shared/domain/checkKinds.ts';
import { callsOf, toolsNamed, useOf } from '../../../src-shared/domain/expectedCalls.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import type { CallsCheck, ExpectedUse, TaskContent } from '../../../src-shared/domain/task.ts';
import { isCallOf } from '../../scoring/tasks/madeCalls.ts';

interface ListedTool {
  server: string;
  name: string;
}

/** Tools of servers by their latest listing; null where a server was never listed. */
export type ListedTools = (server: string) => readonly ListedTool[] | null;

interface UnknownTool {
  message: string;
  /** Where the task names it, in its entry of a suite file. */
  path: JsonPath;
}

/** Where an entry of a `calls` check names a tool. */
function placeIn({ must, any = [], never }: CallsCheck, name: string): JsonPath {
  const isNamed = (entry: ExpectedUse): boolean => useOf(entry).tool === name;
  const own = (entry: ExpectedUse): JsonPath => (typeof entry === 'string' ? [] : ['tool']);
  for (const [at, entry] of must.entries()) {
    const group = Array.isArray(entry) ? entry : [entry];
    const inGroup = group.findIndex(isNamed);
    const found = group[inGroup];
    if (found !== undefined)
      return ['must', at, ...(Array.isArray(entry) ? [inGroup] : []), ...own(found)];
  }
  for (const [list, entries] of Object.entries({ any, never })) {
    const at = entries.findIndex(isNamed);
    const found = entries[at];
    if (found !== undefined) return [list, at, ...own(found)];
  }
  return [];
}

/**
 * The tools that the checks, fixtures and the setup of a task name and that no listing has: a check of
 * such a tool fails or passes whatever the model does. `shown` are the servers whose tools the model
 * sees. Of a server that was never listed, nothing is unknown.
 */
export function unknownTools(
  task: Pick<TaskContent, 'checks' | 'setup' | 'solution' | 'faults' | 'before' | 'reset'>,
  shown: readonly string[],
  listed: ListedTools,
): UnknownTool[] {
  const { checks, setup, solution = [], faults = [], before = {}, reset = [] } = task;
  const problems: UnknownTool[] = [];
  const missing = (
    what: string,
    [name, path]: [string, JsonPath],
    server: string,
    known: readonly ListedTool[],
  ) => {
    const names = known.map((tool) =>
      name.includes(':') ? `${tool.server}:${tool.name}` : tool.name,
    );
    const message = `${what} names ${name}, which isn't a tool of ${server}.${didYouMean(name, names)}`;
    problems.push({ message, path });
  };
  const read = (
    what: string,
    { server, tool }: { server: string; tool: string },
    path: JsonPath,
  ): void => {
    const known = listed(server);
    if (known !== null && !known.some(({ name }) => name === tool))
      missing(what, [tool, [...path, 'tool']], server, known);
  };
  for (const [at, step] of reset.entries())
    if ('tool' in step) read('its reset', step, ['reset', at]);
  for (const [name, reading] of Object.entries(before))
    read(`its reading before.${name}`, reading, ['before', name]);
  for (const [at, call] of setup.entries()) read('its setup', call, ['setup', at]);
  for (const [at, call] of solution.entries()) read('its solution', call, ['solution', at]);
  for (const [at, fault] of faults.entries()) read('one of its faults', fault, ['faults', at]);
  const offered = shown.map(listed);
  const known = offered.every((tools) => tools !== null) ? offered.flat() : null;
  for (const [at, check] of checks.entries()) {
    const what = `its check ${check.id}`;
    const path: JsonPath = ['checks', at, check.kind];
    if (readsServer(check)) read(what, check, path);
    for (const name of known === null ? [] : new Set(toolsNamed(check)))
      if (!known?.some((tool) => isCallOf({ server: tool.server, tool: tool.name }, name))) {
        const place = callsOf(check).flatMap((calls) => placeIn(calls, name));
        missing(what, [name, [...path, ...place]], shown.join(', '), known ?? []);
      }
  }
  return problems;
}
