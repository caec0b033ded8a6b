import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { jsonObject } from '../../../../src-shared/domain/json.ts';
import { splitToolId, toolId } from '../../../../src-shared/domain/labels.ts';
import {
  listingOf,
  type ReceivedTool,
  type ServerListing,
  type Tool,
} from '../../../../src-shared/domain/tool.ts';
import type { AppliedChange, WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';

/** Tools with the servers they belong to, as a snapshot freezes them. */
export interface ToolSet {
  servers: ServerListing[];
  tools: { serverId: string | null; tool: ReceivedTool }[];
}

export interface ChangedToolSet extends ToolSet {
  changes: AppliedChange[];
  addedServers: string[];
  removedServers: string[];
}

/** The tools of a registered server as last listed; null when it was never listed. */
export type ListedServer = (server: string) => ToolSet | null;

const idOf = ({ tool }: ToolSet['tools'][number]) => toolId(tool.tool.server, tool.tool.name);

function invalidChange(thing: string, cause: string, nextStep: string): ServiceError {
  return new ServiceError('INVALID', { thing, cause, nextStep, field: 'changes' });
}

/**
 * Applies changes one after another to a set of tools. Throws INVALID at the first change that does
 * not fit and names it. Pure.
 */
export function applyChanges(
  base: ToolSet,
  changes: readonly WhatIfChange[],
  listed: ListedServer,
): ChangedToolSet {
  const set: ChangedToolSet = {
    servers: [...base.servers],
    tools: [...base.tools],
    changes: [],
    addedServers: [],
    removedServers: [],
  };
  for (const change of changes) applyChange(set, change, listed);
  return set;
}

function applyChange(set: ChangedToolSet, change: WhatIfChange, listed: ListedServer): void {
  switch (change.kind) {
    case 'remove_tool':
      findTool(set, change.toolId);
      set.tools = set.tools.filter((tool) => idOf(tool) !== change.toolId);
      set.changes.push(change);
      return;
    case 'remove_server': {
      const of = set.tools.filter(({ tool }) => tool.tool.server === change.server);
      if (!set.servers.some(({ server }) => server === change.server))
        throw invalidChange(
          `Server ${change.server}`,
          "Its tools weren't part of that evaluation.",
          'Choose one of its servers.',
        );
      set.tools = set.tools.filter(({ tool }) => tool.tool.server !== change.server);
      set.servers = set.servers.filter(({ server }) => server !== change.server);
      set.addedServers = set.addedServers.filter((server) => server !== change.server);
      set.removedServers.push(change.server);
      set.changes.push({ ...change, tools: of.length });
      return;
    }
    case 'add_tools':
      for (const tool of change.tools) addTool(set, { serverId: null, tool });
      set.changes.push(
        ...change.tools.map(({ tool }): AppliedChange => ({
          kind: 'add_tool',
          toolId: toolId(tool.server, tool.name),
        })),
      );
      return;
    case 'add_server': {
      const found = listed(change.server);
      if (!found)
        throw invalidChange(
          `Server ${change.server}`,
          'Its tools have never been listed.',
          'Connect to the server first.',
        );
      if (set.servers.some(({ server }) => server === change.server))
        throw invalidChange(
          `Server ${change.server}`,
          'Its tools are already offered.',
          'Choose another server.',
        );
      for (const tool of found.tools)
        addTool(
          set,
          tool,
          found.servers.find(({ server }) => server === change.server),
        );
      set.changes.push({ ...change, tools: found.tools.length });
      return;
    }
    case 'override': {
      const parts = (
        [
          ['description', change.description],
          ['title', change.title],
          ['input_schema', change.inputSchema],
        ] as const
      )
        .filter(([, value]) => value !== undefined)
        .map(([part]) => part);
      if (parts.length === 0)
        throw invalidChange(
          change.toolId,
          'The override is empty.',
          'Give a description, a title or an input schema.',
        );
      replaceTool(set, change.toolId, (tool) => ({
        ...tool,
        description: change.description ?? tool.description,
        title: change.title ?? tool.title,
        inputSchema: change.inputSchema ?? tool.inputSchema,
      }));
      set.changes.push({ kind: 'override', toolId: change.toolId, parts });
      return;
    }
    case 'present_as':
      set.changes.push(change);
      return;
    case 'rename': {
      const to = toolId(splitToolId(change.toolId).server, change.name);
      if (set.tools.some((tool) => idOf(tool) === to))
        throw invalidChange(
          change.toolId,
          `There is a tool ${to} already.`,
          'Choose a different name.',
        );
      replaceTool(set, change.toolId, (tool) => ({ ...tool, name: change.name }));
      set.changes.push({ kind: 'rename', toolId: change.toolId, to });
    }
  }
}

function findTool(set: ToolSet, id: string): ToolSet['tools'][number] {
  const found = set.tools.find((tool) => idOf(tool) === id);
  if (found) return found;
  throw invalidChange(
    `Tool ${id}`,
    "It wasn't part of that evaluation.",
    'Choose one of its tools, as server:tool.',
  );
}

function addTool(
  set: ChangedToolSet,
  added: ToolSet['tools'][number],
  listing?: ServerListing,
): void {
  const { server } = added.tool.tool;
  if (set.tools.some((tool) => idOf(tool) === idOf(added)))
    throw invalidChange(
      `Tool ${idOf(added)}`,
      'It is already offered.',
      'Remove it first, or override it.',
    );
  set.tools.push(added);
  if (set.servers.some((known) => known.server === server)) return;
  set.servers.push(listing ?? listingOf({ server, serverId: added.serverId }));
  set.addedServers.push(server);
  set.removedServers = set.removedServers.filter((removed) => removed !== server);
}

/**
 * Changes a tool together with its frozen raw text; other fields of the raw text stay as the server
 * sent them.
 */
function replaceTool(set: ToolSet, id: string, change: (tool: Tool) => Tool): void {
  const old = findTool(set, id);
  const tool = change(old.tool.tool);
  const { title, ...raw } = jsonObject.parse(parseJson(old.tool.raw));
  const text = JSON.stringify({
    ...raw,
    name: tool.name,
    ...(tool.title === null ? {} : { title: title === undefined ? tool.title : tool.title }),
    description: tool.description,
    inputSchema: tool.inputSchema,
  });
  set.tools = set.tools.map((entry) =>
    entry === old ? { ...entry, tool: { tool, raw: text } } : entry,
  );
}
