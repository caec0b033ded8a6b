import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import type { CorpusEntry, PeerTool } from '../../../src-shared/domain/security.ts';
import type { ServerItem } from '../../../src-shared/domain/serverItem.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import type { PreviousVersion, Subject } from '../../analysis/detectors/subject.ts';
import { cutDepth } from '../../scoring/depth.ts';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const objectOrNull = (value: unknown): JsonObject | null =>
  isJsonObject(value) ? cutDepth(value) : null;

/**
 * What a detector may see of an entry. Label, category, technique, provenance and id are left out,
 * so that no rule can be written against them.
 */
export function entrySubject(entry: CorpusEntry): Subject {
  const tool: JsonObject = isJsonObject(entry.tool) ? entry.tool : { name: entry.tool ?? '' };
  return {
    server: entry.server ?? '',
    name: textOrNull(tool['name']) ?? '',
    title: textOrNull(tool['title']),
    description: entry.description,
    annotations: objectOrNull(tool['annotations']),
    instructions: entry.instructions ?? null,
    inputSchema: objectOrNull(tool['input_schema'] ?? tool['inputSchema'] ?? entry.schema) ?? {},
    outputSchema: objectOrNull(tool['output_schema'] ?? tool['outputSchema']),
    peers: entry.peers ?? [],
    previous: entry.previous ?? null,
  };
}

/** A tool with its context, without the server's instructions: they are a subject of their own. */
export function toolSubject(
  tool: Tool,
  context: {
    peers: readonly PeerTool[];
    previous: PreviousVersion | null;
  },
): Subject {
  return {
    server: tool.server,
    name: tool.name,
    title: tool.title,
    description: tool.description,
    annotations: tool.annotations && cutDepth(tool.annotations),
    instructions: null,
    inputSchema: cutDepth(tool.inputSchema),
    outputSchema: tool.outputSchema && cutDepth(tool.outputSchema),
    ...(tool.skill === undefined ? {} : { skill: tool.skill }),
    ...context,
  };
}

/** A prompt, a resource or a template, with its last known version. */
export function itemSubject(item: ServerItem, previous: ServerItem | null): Subject {
  return {
    ...instructionsSubject(item.server, ''),
    name: item.name,
    title: item.title,
    description: item.description,
    instructions: null,
    item,
    previous: previous && { description: previous.description, item: previous },
  };
}

export function instructionsSubject(server: string, instructions: string): Subject {
  return {
    server,
    name: '',
    title: null,
    description: '',
    annotations: null,
    instructions,
    inputSchema: {},
    outputSchema: null,
    peers: [],
    previous: null,
  };
}
