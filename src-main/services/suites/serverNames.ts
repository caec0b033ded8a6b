import { readsServer } from '../../../src-shared/domain/checkKinds.ts';
import {
  alternatives,
  type CaseContent,
  type ExpectedCall,
  type ToolReference,
} from '../../../src-shared/domain/testCase.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import { toolsNamed } from '../../../src-shared/domain/expectedCalls.ts';
import { renameServersOfTask } from '../../../src-shared/domain/taskRenames.ts';
import type { Store } from '../../store/store.ts';
import type { SuiteContent } from './suiteFileCodec.ts';

export interface UnknownServer {
  name: string;
  /** How many of its tools the suite names. */
  tools: number;
  /** The only registered server that has all these tools; null if none or several have. */
  suggestion: string | null;
}

/**
 * The servers of a suite that are not registered, by name. Each is offered the registered server
 * whose last listing has all tools that the suite names of it, if there is exactly one.
 */
export function unknownServers(store: Store, named: ToolsByServer): UnknownServer[] {
  const registered = store.servers.list();
  const known = new Set(registered.map(({ name }) => name));
  const unknown = [...named].filter(([name]) => !known.has(name));
  if (unknown.length === 0) return [];
  const listed = registered.map(({ id, name }) => {
    const listing = store.serverListings.latest(id);
    const tools =
      listing === null ? [] : (store.toolSnapshots.get(listing.snapshotId)?.tools ?? []);
    return { name, tools: new Set(tools.map((tool) => tool.name)) };
  });
  return unknown
    .map(([name, tools]) => {
      const fitting = listed.filter((server) => [...tools].every((tool) => server.tools.has(tool)));
      const [only] = fitting;
      return {
        name,
        tools: tools.size,
        suggestion: tools.size > 0 && fitting.length === 1 && only ? only.name : null,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export type ToolsByServer = Map<string, Set<string>>;

export function addNamedTools(found: ToolsByServer, suite: SuiteContent): void {
  const toolsOf = (server: string): Set<string> => {
    const tools = found.get(server) ?? new Set<string>();
    found.set(server, tools);
    return tools;
  };
  for (const name of suite.servers) toolsOf(name);
  for (const each of suite.cases) {
    for (const name of each.servers) toolsOf(name);
    for (const { server, tool } of [
      ...each.expectedCalls.flatMap(alternatives),
      ...each.allowedCalls,
    ])
      toolsOf(server).add(tool);
  }
  for (const { content } of suite.tasks) {
    for (const name of content.servers) toolsOf(name);
    const states = content.checks.filter(readsServer);
    for (const name of content.checks.flatMap(toolsNamed)) {
      const { server, tool } = splitToolId(name);
      if (server !== '') toolsOf(server).add(tool);
    }
    for (const { server, tool } of [
      ...content.setup,
      ...(content.solution ?? []),
      ...content.stubs,
      ...states,
    ])
      toolsOf(server).add(tool);
  }
}

/** The suite with other names of servers, wherever it names one. */
export function renameServers(
  suite: SuiteContent,
  names: Readonly<Record<string, string>>,
): SuiteContent {
  const to = new Map(Object.entries(names));
  if (to.size === 0) return suite;
  const renamed = (name: string): string => to.get(name) ?? name;
  const renamedList = (list: readonly string[]): string[] => [...new Set(list.map(renamed))];
  const reference = <Reference extends ToolReference>(given: Reference): Reference => ({
    ...given,
    server: renamed(given.server),
  });
  return {
    ...suite,
    servers: renamedList(suite.servers),
    cases: suite.cases.map((each): CaseContent & { key: string } => ({
      ...each,
      servers: renamedList(each.servers),
      expectedCalls: each.expectedCalls.map((call): ExpectedCall =>
        'anyOf' in call ? { ...call, anyOf: call.anyOf.map(reference) } : reference(call),
      ),
      allowedCalls: each.allowedCalls.map(reference),
      stubResults: each.stubResults.map(reference),
    })),
    tasks: suite.tasks.map(({ key, content }) => ({
      key,
      content: renameServersOfTask(content, renamed),
    })),
  };
}
