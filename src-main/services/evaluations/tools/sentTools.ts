import { isDeepStrictEqual } from 'node:util';
import type { ClientId } from '../../../../src-shared/domain/clientFacts.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SentTools, SentToolsOfModel } from '../../../../src-shared/domain/sentTools.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import type {
  RejectedTool,
  SnapshotTool,
  ToolSnapshot,
} from '../../../../src-shared/domain/tool.ts';
import type { ToolMapping } from '../../../adapters/llm/chatModel.ts';
import { factsOf, hiddenText } from '../../clients/clientViews.ts';
import { readSchema } from '../../../scoring/schema/readSchema.ts';
import { nameModels } from '../read/nameModels.ts';
import { lostTools, presentTools, type PresentedTools } from './presentedTools.ts';

/** The names under which a wire format sends tools, with excluded tools and relaxed schemas. */
export type MapTools = (
  wireApi: string,
  tools: readonly SnapshotTool[],
  sent: ModelSettings['sent'],
) => ToolMapping;

/** Tools that are offered together, and how they are sent. */
export interface SentGroup {
  tools: readonly SnapshotTool[];
  rejected: readonly RejectedTool[];
  mapping: ToolMapping;
}

/**
 * What a model is sent of all tools of several groups, each tool once. A tool that can be offered in
 * one group and not in another counts as left out, because some runs lack it.
 */
export function accountOf(groups: readonly SentGroup[]): SentTools {
  const ids = new Set<string>();
  const leftOut = new Map<string, string>();
  const adapted = new Map<string, string[]>();
  const renamed = new Map<string, string>();
  const unreadable = new Map<string, string[]>();
  for (const { tools, rejected, mapping } of groups) {
    for (const { server, name, reason } of rejected) {
      const id = toolId(server, name);
      // A second tool of a name is none of its own: only the first one is published to models.
      if (!tools.some((tool) => toolId(tool.server, tool.name) === id)) leftOut.set(id, reason);
    }
    for (const { tool, reason } of mapping.excluded) leftOut.set(tool, reason);
    for (const { tool, changes } of mapping.adapted) adapted.set(tool, [...changes]);
    const plain = new Map(
      tools.map(({ server, name }) => [toolId(server, name), `${server}__${name}`]),
    );
    for (const { tool, wire } of mapping.names)
      if (wire !== tool && wire !== plain.get(tool)) renamed.set(tool, wire);
    for (const { server, name, inputSchema } of tools) {
      const id = toolId(server, name);
      ids.add(id);
      const places = readSchema(inputSchema).unreadable.map(({ path }) => path);
      if (places.length > 0) unreadable.set(id, [...new Set(places)]);
    }
  }
  for (const id of leftOut.keys()) {
    ids.add(id);
    adapted.delete(id);
    renamed.delete(id);
  }
  return {
    published: ids.size,
    offered: ids.size - leftOut.size,
    leftOut: [...leftOut].map(([tool, reason]) => ({ tool, reason })),
    adapted: [...adapted].map(([tool, changes]) => ({ tool, changes })),
    renamed: [...renamed].map(([tool, name]) => ({ tool, name })),
    unreadable: [...unreadable].map(([tool, places]) => ({ tool, places })),
  };
}

/**
 * What the models of an evaluation were sent of its frozen tools. Empty until the tools are frozen.
 * A wire format that this version doesn't know is left out.
 */
export function sentToolsOf(
  snapshot: ToolSnapshot | null,
  models: readonly ModelSettings[],
  mapTools: MapTools | undefined,
  client?: ClientId,
): SentToolsOfModel[] {
  if (snapshot === null || mapTools === undefined) return [];
  const labels = nameModels(models);
  const rejected = snapshot.servers.flatMap((listing) => listing.rejected);
  const presented = client && presentTools(snapshot.tools, rejected, factsOf(client));
  return [...new Map(models.map((model) => [model.id, model])).values()].map((model) => ({
    modelSettingsId: model.id,
    label: labels.get(model.id) ?? model.model,
    ...accountOf([
      {
        tools: snapshot.tools,
        rejected,
        mapping: presented
          ? clientMapping(presented, mapTools(model.wireApi, presented.shown, model.sent))
          : mapTools(model.wireApi, snapshot.tools, model.sent),
      },
    ]),
    ...(presented && { byClient: { name: presented.client.name, ...lostTools(presented) } }),
  }));
}

/** How a provider takes the tools of a client, with what the client hides and rewrites. */
function clientMapping(
  { tools, shown, hidden, client }: PresentedTools<SnapshotTool>,
  mapping: ToolMapping,
): ToolMapping {
  return {
    ...mapping,
    excluded: [
      ...mapping.excluded,
      ...hidden.map((one) => ({
        tool: toolId(one.server, one.tool),
        reason: hiddenText(one, client),
      })),
    ],
    adapted: tools.flatMap((tool, at) =>
      isDeepStrictEqual(shown[at]?.inputSchema, tool.inputSchema)
        ? []
        : [{ tool: toolId(tool.server, tool.name), changes: [`as ${client.name} sends it`] }],
    ),
  };
}
