import { isJson, isJsonObject } from '../../../src-shared/domain/json.ts';
import {
  malformedIn,
  maxToolDepth,
  type ReceivedTool,
  type RejectedTool,
  type Tool,
} from '../../../src-shared/domain/tool.ts';
import type { ListKind } from './listPages.ts';

export const toolListKind = (server: string): ListKind<Tool> => ({
  method: 'tools/list',
  member: 'tools',
  noun: 'tool',
  keyName: 'name',
  read: (value, position) => readTool(value, server, position),
  keyOf: ({ name }) => name,
  nameOf: ({ name }) => name,
});

/** `readTool` with the text of the tool. */
export function parseTool(
  value: unknown,
  server: string,
  position: number,
): ReceivedTool | RejectedTool {
  const read = readTool(value, server, position);
  return 'reason' in read ? read : { tool: read, raw: JSON.stringify(value) };
}

/**
 * Parses one tool of a list independently of the others. Only a missing name or a schema that is no
 * object makes it unusable.
 */
function readTool(value: unknown, server: string, position: number): Tool | RejectedTool {
  const nameless = `(tool ${position})`;
  if (!isJsonObject(value)) return { server, name: nameless, reason: "It isn't an object." };
  const { name, title, description, inputSchema, outputSchema, annotations } = value;
  if (typeof name !== 'string' || name === '')
    return { server, name: nameless, reason: 'It has no name.' };
  if (!isJsonObject(inputSchema))
    return { server, name, reason: `Its inputSchema is ${kindOf(inputSchema)}, not an object.` };
  if (!isJson(value, maxToolDepth))
    return { server, name, reason: `It is nested deeper than ${maxToolDepth} levels.` };
  return {
    server,
    name,
    title: typeof title === 'string' ? title : null,
    description: typeof description === 'string' ? description : '',
    inputSchema,
    outputSchema: isJsonObject(outputSchema) ? outputSchema : null,
    annotations: isJsonObject(annotations) ? annotations : null,
    ...malformedIn(value),
  };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
