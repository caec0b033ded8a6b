import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { adaptSchema, type SchemaDialect } from './adaptSchema.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { nameTools } from './toolNames.ts';

export interface WireTool {
  name: string;
  description: string;
  schema: JsonObject;
  tool: SnapshotTool;
}

export interface WireTools {
  offered: readonly WireTool[];
  byName: ReadonlyMap<string, SnapshotTool>;
  /** Tools that no mapping makes acceptable, with their reason: they are not offered. */
  excluded: readonly { tool: string; reason: string }[];
  /** Where a schema that is sent says less than the published one: `server:tool #/place: what`. */
  relaxations: readonly string[];
}

const maximumRelaxations = 200;
const prepared: Record<SchemaDialect, WeakMap<readonly SnapshotTool[], WireTools>> = { openai: new WeakMap(), anthropic: new WeakMap() };

/** The tools as a provider takes them. The same list is the same object for a whole evaluation, so it is prepared once. */
export function prepareWireTools(tools: readonly SnapshotTool[], dialect: SchemaDialect): WireTools {
  const known = prepared[dialect].get(tools);
  if (known) return known;
  const made = prepare(tools, dialect);
  prepared[dialect].set(tools, made);
  return made;
}

function prepare(tools: readonly SnapshotTool[], dialect: SchemaDialect): WireTools {
  const names = nameTools(tools);
  const offered: WireTool[] = [];
  const excluded: { tool: string; reason: string }[] = [];
  const relaxations: string[] = [];
  for (const [index, tool] of tools.entries()) {
    const adapted = adaptSchema(tool.inputSchema, dialect);
    const id = toolId(tool.server, tool.name);
    if ('excluded' in adapted) {
      excluded.push({ tool: id, reason: adapted.excluded });
      continue;
    }
    offered.push({ name: names[index] ?? '', description: tool.description, schema: adapted.schema, tool });
    relaxations.push(...adapted.relaxations.map((text) => `${id} ${text}`));
  }
  const beyond = relaxations.length - maximumRelaxations;
  if (beyond > 0) relaxations.splice(maximumRelaxations, beyond, `${beyond} more`);
  return { offered, byName: new Map(offered.map(({ name, tool }) => [name, tool])), excluded, relaxations };
}
