import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { valueAtPointer } from '../../../src-shared/domain/jsonPointer.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { toolFields } from '../toolFields.ts';

/**
 * Everything that a model reads about a tool: name, description, and the names and descriptions of
 * its parameters, one per line.
 */
export function fullText(tool: AnalysedTool): string {
  const { name, description, parameterNames, parameterDescriptions } = toolFields(tool);
  return [name, description, parameterNames, parameterDescriptions]
    .filter((part) => part !== '')
    .join('\n');
}

const maxReferences = 8;

/**
 * Parameters of a tool as `name:type`, each once, ascending: the top-level properties of its input
 * schema, with local `$ref`s resolved. The type is the schema's (several joined by `|`, ascending),
 * `enum` for a list of values without a type, and `any` if the schema doesn't say.
 */
export function parameterPairs(tool: AnalysedTool): string[] {
  const properties = tool.inputSchema['properties'];
  if (!isJsonObject(properties)) return [];
  return [
    ...new Set(
      Object.entries(properties).map(
        ([name, schema]) => `${name}:${typeOf(schema, tool.inputSchema)}`,
      ),
    ),
  ].sort();
}

/** The name in a `name:type` pair; no type has a colon. */
export const nameOfPair = (pair: string): string => pair.slice(0, pair.lastIndexOf(':'));

function typeOf(schema: JsonValue, root: JsonObject): string {
  const found = new Set<string>();
  collectTypes(schema, root, 0, found);
  return found.size === 0 ? 'any' : [...found].sort().join('|');
}

function collectTypes(
  schema: JsonValue | undefined,
  root: JsonObject,
  depth: number,
  found: Set<string>,
): void {
  if (!isJsonObject(schema) || depth > maxReferences) return;
  const { type } = schema;
  if (typeof type === 'string') found.add(type);
  else if (Array.isArray(type))
    for (const each of type.filter((one) => typeof one === 'string')) found.add(each);
  else if (typeof schema['$ref'] === 'string')
    collectTypes(follow(schema['$ref'], root), root, depth + 1, found);
  else {
    for (const key of ['anyOf', 'oneOf'])
      if (Array.isArray(schema[key]))
        for (const branch of schema[key]) collectTypes(branch, root, depth + 1, found);
    if (found.size === 0 && (Array.isArray(schema['enum']) || 'const' in schema)) found.add('enum');
  }
}

function follow(reference: string, root: JsonObject): JsonValue | undefined {
  return reference.startsWith('#/') ? valueAtPointer(root, reference.slice(1)) : undefined;
}
