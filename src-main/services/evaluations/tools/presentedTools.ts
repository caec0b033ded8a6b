import type { ClientFacts } from '../../../../src-shared/domain/clientFacts.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import type { RejectedTool, ShownTool, SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { present, type HiddenTool } from '../../../presentation/present.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import { isCut, sentServers } from '../../clients/clientViews.ts';

export interface PresentedTools<Tool extends SnapshotTool> {
  /** The tools that reach the model, as their servers published them, in the order of the client. */
  tools: Tool[];
  /** The same as the model reads them. */
  shown: ShownTool[];
  hidden: HiddenTool[];
  client: ClientFacts;
}

/**
 * Presents listed tools as a client does. A tool that this program can't offer isn't presented, but
 * for it a client can hide others.
 */
export function presentTools<Tool extends SnapshotTool>(
  listed: readonly Tool[],
  rejected: readonly RejectedTool[],
  client: ClientFacts,
): PresentedTools<Tool> {
  const left = new Map(listed.map((tool) => [toolId(tool.server, tool.name), tool]));
  const { offered, hidden } = present(sentServers(listed, rejected), client);
  const pairs = offered.flatMap(({ server, tool: name, namespace, wireName, ...one }) => {
    const id = toolId(server, name);
    const tool = left.get(id);
    if (tool === undefined) return [];
    // A name that a server lists twice is one tool here.
    left.delete(id);
    const { description } = one;
    // A declaration is called with the arguments of the schema that it is made from.
    const schema = one.from === undefined ? one.schema : one.from.schema;
    const inputSchema: JsonObject = schema ?? { type: 'object', properties: {} };
    const shownName = namespace === null ? wireName : `${namespace}__${wireName}`;
    // What is asked of other texts is another request.
    const hash = sha256(JSON.stringify([tool.hash, shownName, description, inputSchema]));
    return [{ tool, shown: { ...tool, description, inputSchema, hash, wireName: shownName } }];
  });
  return {
    tools: pairs.map(({ tool }) => tool),
    shown: pairs.map(({ shown }) => shown),
    ...{ hidden, client },
  };
}

/** What of listed tools doesn't reach a model as a whole in a client, by the ids of the tools. */
export function lostTools({ tools, hidden, client }: PresentedTools<SnapshotTool>): {
  hidden: string[];
  cut: string[];
} {
  return {
    hidden: [...new Set(hidden.map(({ server, tool }) => toolId(server, tool)))],
    cut: tools
      .filter(({ description }) => isCut(client, { description }))
      .map(({ server, name }) => toolId(server, name)),
  };
}

const propertiesOf = ({ properties }: JsonObject): JsonObject =>
  isJsonObject(properties) ? properties : {};

/** Parameters that a client adds, by the id of the tool. */
type Added = ReadonlyMap<string, readonly string[]>;
/** Equal tools are the same object for a whole evaluation. */
const addedBy = new WeakMap<readonly ShownTool[], Added>();

const addedArguments = (tools: readonly SnapshotTool[], shown: readonly ShownTool[]): Added =>
  new Map(
    tools.flatMap((tool, at) => {
      const own = propertiesOf(tool.inputSchema);
      const names = Object.keys(propertiesOf(shown[at]?.inputSchema ?? {})).filter(
        (name) => !Object.hasOwn(own, name),
      );
      return names.length === 0 ? [] : [[toolId(tool.server, tool.name), names] as const];
    }),
  );

/** An answer without the arguments that only the client knows: it keeps them from the server. */
export function withoutClientArguments(
  observation: Observation,
  { tools, shown }: { tools: readonly SnapshotTool[]; shown: readonly ShownTool[] },
): Observation {
  const added = addedBy.get(shown) ?? addedArguments(tools, shown);
  addedBy.set(shown, added);
  if (added.size === 0) return observation;
  return {
    ...observation,
    calls: observation.calls.map((call) => {
      const names = added.get(toolId(call.server ?? '', call.tool ?? ''));
      if (names === undefined || call.arguments === null) return call;
      const kept = Object.entries(call.arguments).filter(([name]) => !names.includes(name));
      return { ...call, arguments: Object.fromEntries(kept) };
    }),
  };
}
