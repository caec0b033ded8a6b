import { plainName } from './fieldNames.ts';
import type { NamedTool } from './sourceCalls.ts';

/** A tool of a registered server, as an importer needs it. */
export interface ListedTool {
  name: string;
  /** According to its server. */
  readOnly: boolean;
  /** Names of the parameters that a call must give. */
  required: readonly string[];
}

export interface ToolCatalog {
  /**
   * The one tool that a name means: bare, or with its server in the form of any client
   * (`mcp__server__tool`, `mcp.server.tool`, `server.tool`, `server/tool`, `server:tool`,
   * `server__tool`, `server_tool`, `server-tool`). Null if none or several are meant.
   */
  resolve: (name: string) => { server: string; tool: string } | null;
  /** All tools of a server; none: it isn't registered, or was never listed. */
  toolsOf: (server: string) => readonly ListedTool[];
}

export const noCatalog: ToolCatalog = { resolve: () => null, toolsOf: () => [] };

const separators = [':', '/', '.', '__', '--', '_', '-'];

/** All ways to read a name as that of a server, and of a tool behind it. */
const splitsOf = (name: string): [server: string, tool: string][] =>
  separators.flatMap((separator) => {
    const splits: [string, string][] = [];
    for (let at = name.indexOf(separator); at > 0; at = name.indexOf(separator, at + 1))
      splits.push([name.slice(0, at), name.slice(at + separator.length)]);
    return splits;
  });

/** @param serversOf the names of the servers that list a tool of this name */
export function createCatalog(
  serversOf: (tool: string) => readonly string[],
  toolsOf: ToolCatalog['toolsOf'] = () => [],
): ToolCatalog {
  const known = new Map<string, ReturnType<ToolCatalog['resolve']>>();
  const find = (name: string): ReturnType<ToolCatalog['resolve']> => {
    const [only, ...others] = serversOf(name);
    if (only !== undefined) return others.length === 0 ? { server: only, tool: name } : null;
    const bare = name.replace(/^(?:mcp(?:__|[_.:/-])|functions\.)/, '');
    const [bareOnly, ...bareOthers] = bare === name ? [] : serversOf(bare);
    if (bareOnly !== undefined)
      return bareOthers.length === 0 ? { server: bareOnly, tool: bare } : null;
    const found = new Map<string, { server: string; tool: string }>();
    for (const [server, tool] of [...splitsOf(bare), ...(bare === name ? [] : splitsOf(name))])
      for (const owner of serversOf(tool))
        // Clients write names of servers with the signs that they allow.
        if (plainName(owner) === plainName(server))
          found.set(`${owner}\0${tool}`, { server: owner, tool });
    const [first = null, ...more] = found.values();
    return more.length === 0 ? first : null;
  };
  return {
    toolsOf,
    resolve(name) {
      let tool = known.get(name);
      if (tool === undefined) known.set(name, (tool = find(name)));
      return tool;
    },
  };
}

/** The server and tool of a name in a source; `fallback` where no registered server has it. */
export function ownerOf(
  { server, tool }: NamedTool,
  catalog: ToolCatalog,
  { lists, around }: { lists: (server: string, tool: string) => boolean; around: string | null },
): { server: string | null; tool: string } {
  const named = catalog.resolve(server === null ? tool : `${server}:${tool}`);
  if (server !== null) return named ?? { server, tool };
  if (around !== null && lists(around, tool)) return { server: around, tool };
  return named ?? { server: around, tool: around === null ? tool : withoutServer(tool, around) };
}

/** The tool that a name means on a server that the source names next to it. */
export function toolOn(
  server: string,
  tool: string,
  catalog: ToolCatalog,
  lists: (server: string, tool: string) => boolean,
): string {
  if (lists(server, tool)) return tool;
  const found = catalog.resolve(tool);
  return found !== null && plainName(found.server) === plainName(server)
    ? found.tool
    : withoutServer(tool, server);
}

/** A name without that of its server, in the form of any client whose separator is in no name. */
function withoutServer(name: string, server: string): string {
  const bare = name.replace(/^mcp(?:__|[.:/])/, '');
  const split = splitsOf(bare).find(
    ([before]) =>
      plainName(before) === plainName(server) && /^(?:[:/.]|__)/.test(bare.slice(before.length)),
  );
  return split?.[1] ?? name;
}
