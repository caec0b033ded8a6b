import { isDeepStrictEqual } from 'node:util';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ShownTool, SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { adaptSchema, type SchemaDialect } from './adaptSchema.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { strictSchema } from './strictSchema.ts';
import { nameTools } from './toolNames.ts';

export interface WireTool {
  name: string;
  description: string;
  schema: JsonObject;
  /** The schema in strict mode's narrower form; null where it is off for this tool. */
  strict: JsonObject | null;
  tool: SnapshotTool;
}

export interface WireTools {
  offered: readonly WireTool[];
  byName: ReadonlyMap<string, WireTool>;
  /** Tools that can't be adapted and are not offered, with the reason. */
  excluded: readonly { tool: string; reason: string }[];
  /** Where a sent schema is looser than the published one: `server:tool #/place: what`. */
  relaxations: readonly string[];
  /** Tools whose schema is sent in another form than it was published, with all that changes. */
  adapted: readonly { tool: string; changes: readonly string[] }[];
}

const maxRelaxations = 200;
const prepared = new Map<string, WeakMap<readonly SnapshotTool[], WireTools>>();

/**
 * The tools as a provider accepts them. A whole evaluation uses the same list object, so it is
 * prepared once.
 */
export function prepareWireTools(
  tools: readonly SnapshotTool[],
  dialect: SchemaDialect,
  strict = false,
): WireTools {
  const kind = `${dialect} ${strict}`;
  const cache = prepared.get(kind) ?? new WeakMap<readonly SnapshotTool[], WireTools>();
  prepared.set(kind, cache);
  const known = cache.get(tools);
  if (known) return known;
  const made = prepare(tools, dialect, strict);
  cache.set(tools, made);
  return made;
}

function prepare(tools: readonly ShownTool[], dialect: SchemaDialect, strict: boolean): WireTools {
  if (tools.some(({ wireName }) => wireName !== undefined)) return asPresented(tools);
  const names = nameTools(tools);
  const offered: WireTool[] = [];
  const excluded: { tool: string; reason: string }[] = [];
  const relaxations: string[] = [];
  const adaptations: { tool: string; changes: string[] }[] = [];
  for (const [index, tool] of tools.entries()) {
    const adapted = adaptSchema(tool.inputSchema, dialect);
    const id = toolId(tool.server, tool.name);
    if ('excluded' in adapted) {
      excluded.push({ tool: id, reason: adapted.excluded });
      continue;
    }
    const narrowed = strict ? strictSchema(adapted.schema) : null;
    offered.push({
      name: names[index] ?? '',
      description: tool.description,
      schema: adapted.schema,
      strict: narrowed && 'schema' in narrowed ? narrowed.schema : null,
      tool,
    });
    const looser = [...adapted.relaxations];
    if (narrowed && 'reason' in narrowed)
      looser.push(`#: strict mode off, since ${narrowed.reason}`);
    relaxations.push(...looser.map((text) => `${id} ${text}`));
    const closed = narrowed && 'schema' in narrowed ? narrowed.schema : null;
    if (!isDeepStrictEqual(closed ?? adapted.schema, tool.inputSchema))
      adaptations.push({
        tool: id,
        changes: changesOf(looser, adapted.rewrites, closed !== null),
      });
  }
  const beyond = relaxations.length - maxRelaxations;
  if (beyond > 0) relaxations.splice(maxRelaxations, beyond, `${beyond} more`);
  return {
    offered,
    byName: new Map(offered.map((tool) => [tool.name, tool])),
    excluded,
    relaxations,
    adapted: adaptations,
  };
}

/** Tools as a client presents them: the client has named and adapted them, and nothing else is. */
function asPresented(tools: readonly ShownTool[]): WireTools {
  const offered = tools.map((tool) => ({
    name: tool.wireName ?? tool.name,
    description: tool.description,
    schema: tool.inputSchema,
    strict: null,
    tool,
  }));
  return {
    offered,
    byName: new Map(offered.map((tool) => [tool.name, tool])),
    ...{ excluded: [], relaxations: [], adapted: [] },
  };
}

/** More of one tool say nothing new. */
const maxChanges = 20;

function changesOf(
  relaxations: readonly string[],
  rewrites: readonly string[],
  isClosed: boolean,
): string[] {
  const all = [
    ...relaxations,
    ...rewrites,
    ...(isClosed ? ['strict mode: objects closed, optional parameters required and nullable'] : []),
  ];
  if (all.length === 0) return ['written in the form that the provider takes'];
  return all.length > maxChanges
    ? [...all.slice(0, maxChanges), `${all.length - maxChanges} more`]
    : all;
}
