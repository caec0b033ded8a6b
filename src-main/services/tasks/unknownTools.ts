import { didYouMean } from '../../../src-shared/display/nearest.ts';
import { callsBefore, resetCalls } from '../../../src-shared/domain/taskFixtures.ts';
import { readsServer } from '../../../src-shared/domain/checkKinds.ts';
import { toolsNamed } from '../../../src-shared/domain/expectedCalls.ts';
import { type TaskContent } from '../../../src-shared/domain/task.ts';
import { isCallOf } from '../../scoring/tasks/madeCalls.ts';

interface ListedTool {
  server: string;
  name: string;
}

/** Tools of servers by their latest listing; null where a server was never listed. */
export type ListedTools = (server: string) => readonly ListedTool[] | null;

/**
 * The tools that the checks and the setup of a task name and that no listing has, a sentence each: a
 * check of such a tool fails or passes whatever the model does. `shown` are the servers whose tools
 * the model sees. Of a server that was never listed, nothing is unknown.
 */
export function unknownTools(
  {
    checks,
    setup,
    solution = [],
    ...fixtures
  }: Pick<TaskContent, 'checks' | 'setup' | 'solution' | 'before' | 'reset'>,
  shown: readonly string[],
  listed: ListedTools,
): string[] {
  const problems: string[] = [];
  const missing = (what: string, name: string, server: string, known: readonly ListedTool[]) => {
    const names = known.map((tool) =>
      name.includes(':') ? `${tool.server}:${tool.name}` : tool.name,
    );
    problems.push(
      `${what} names ${name}, which isn't a tool of ${server}.${didYouMean(name, names)}`,
    );
  };
  const read = (what: string, { server, tool }: { server: string; tool: string }): void => {
    const known = listed(server);
    if (known !== null && !known.some(({ name }) => name === tool))
      missing(what, tool, server, known);
  };
  for (const call of resetCalls(fixtures)) read('its reset', call);
  for (const call of callsBefore(fixtures)) read('its reading before the run', call);
  for (const call of setup) read('its setup', call);
  for (const call of solution) read('its solution', call);
  const offered = shown.map(listed);
  const known = offered.every((tools) => tools !== null) ? offered.flat() : null;
  for (const check of checks) {
    const what = `its check ${check.id}`;
    if (readsServer(check)) read(what, check);
    for (const name of known === null ? [] : new Set(toolsNamed(check)))
      if (!known?.some((tool) => isCallOf({ server: tool.server, tool: tool.name }, name)))
        missing(what, name, shown.join(', '), known ?? []);
  }
  return problems;
}
