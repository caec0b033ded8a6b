import { stringify } from 'yaml';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import { toFillIn } from '../../../../src-shared/domain/toFillIn.ts';
import type { Tool } from '../../../../src-shared/domain/tool.ts';

type ProposedFor = Pick<Tool, 'server' | 'name' | 'description' | 'inputSchema'>;

const about = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 120);

/** A value of the schema's type, which a person replaces. */
function sampleOf(schema: JsonValue | undefined): JsonValue {
  if (!isJsonObject(schema)) return '…';
  const { type, enum: choices } = schema;
  if (Array.isArray(choices)) return choices[0] ?? null;
  if (type === 'number' || type === 'integer') return 0;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  return type === 'object' ? {} : '…';
}

function argumentsOf({ properties, required }: JsonObject): JsonObject {
  const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [];
  return Object.fromEntries(
    names.map((name) => [name, sampleOf(isJsonObject(properties) ? properties[name] : undefined)]),
  );
}

/** A suite with one case for each tool, and one that needs none; a person writes the requests. */
export function proposedSuite(servers: readonly string[], tools: readonly ProposedFor[]): string {
  const cases = tools.map((tool) => ({
    id: servers.length > 1 ? `${tool.server}-${tool.name}` : tool.name,
    name: `${tool.name}: ${about(tool.description) || 'has no description'}`,
    query: `${toFillIn}what a person asks when ${tool.name} is right`,
    expected_calls: [
      { server: tool.server, tool: tool.name, parameters: argumentsOf(tool.inputSchema) },
    ],
  }));
  const none = {
    id: 'no-tool',
    name: 'No tool is needed',
    query: `${toFillIn}what a person asks when no tool is right`,
    expected_calls: [],
  };
  return (
    '# Proposed cases. Write each request as a person would ask, and the arguments that it needs;\n' +
    '# delete what you don’t need. `touchstone check` runs nothing while one is open.\n' +
    stringify({ version: 1, name: servers[0] ?? 'tools', servers, cases: [...cases, none] })
  );
}
