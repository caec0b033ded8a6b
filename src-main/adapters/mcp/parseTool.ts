import { isJsonObject } from '../../../src-shared/domain/json.ts';
import type { ReceivedTool, RejectedTool } from '../../../src-shared/domain/tool.ts';

/** One tool as it stands in the list, whatever its neighbours are. Only a missing name and a schema that is no object make it unusable. */
export function parseTool(value: unknown, server: string, position: number): ReceivedTool | RejectedTool {
  const nameless = `(tool ${position})`;
  if (!isJsonObject(value)) return { server, name: nameless, reason: 'It is no object.' };
  const { name, title, description, inputSchema, outputSchema, annotations } = value;
  if (typeof name !== 'string' || name === '') return { server, name: nameless, reason: 'It has no name.' };
  if (!isJsonObject(inputSchema)) return { server, name, reason: `Its inputSchema is ${kindOf(inputSchema)}, not an object.` };
  const raw = stringify(value);
  if (raw === null) return { server, name, reason: 'It is nested too deeply to be written down.' };
  return {
    tool: {
      server,
      name,
      title: typeof title === 'string' ? title : null,
      description: typeof description === 'string' ? description : '',
      inputSchema,
      outputSchema: isJsonObject(outputSchema) ? outputSchema : null,
      annotations: isJsonObject(annotations) ? annotations : null,
    },
    raw,
  };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** JSON.parse takes any depth, JSON.stringify does not. */
function stringify(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
