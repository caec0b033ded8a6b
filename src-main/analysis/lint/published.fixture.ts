import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { malformedIn } from '../../../src-shared/domain/tool.ts';
import { lintTools } from './lintTools.ts';
import { schemaRules } from './schemaRules.ts';

const schemaIds = new Set(schemaRules.map(({ id }) => id));

/** A tool as a server publishes it. */
export const published = (more: JsonObject): JsonObject => ({
  name: 'archive_invoice',
  description: 'Moves a paid bill to the archive. Use it once the money is there.',
  inputSchema: { type: 'object', properties: {} },
  ...more,
});

/** The same as it is read; only an object counts as a schema. */
export function readPublished(tool: JsonObject): AnalysedTool {
  const { name, description, inputSchema, outputSchema } = tool;
  return {
    server: 'ledger',
    name: name as string,
    description: typeof description === 'string' ? description : '',
    inputSchema: inputSchema as JsonObject,
    outputSchema: isJsonObject(outputSchema) ? outputSchema : null,
    annotations: null,
    ...malformedIn(tool),
  };
}

export const found = (tool: JsonObject) =>
  lintTools([readPublished(tool)]).findings.filter(({ rule }) => schemaIds.has(rule));
