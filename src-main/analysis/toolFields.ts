import { isJsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import type { RankableTool } from './rankers/ranker.ts';

/** The text of a tool by field. */
export interface ToolFields {
  name: string;
  description: string;
  /**
   * The description up to the end of its first sentence: by convention it says what the tool does,
   * and the rest says when and with what.
   */
  firstSentence: string;
  parameterNames: string;
  parameterDescriptions: string;
}

/**
 * Properties are read down to this depth. Deeper names say little about the tool's purpose, and a
 * hostile schema stays cheap.
 */
const maxDepth = 3;
const maxProperties = 200;

/**
 * Reads the fields of a tool. Parameters are the properties of the input schema and of nested
 * objects, in order.
 */
export function toolFields(tool: RankableTool): ToolFields {
  const names: string[] = [];
  const descriptions: string[] = [];
  collect(tool.inputSchema, 0, names, descriptions);
  return {
    name: tool.name,
    description: tool.description,
    firstSentence: firstSentence(tool.description),
    parameterNames: names.join(' '),
    parameterDescriptions: descriptions.join(' '),
  };
}

function firstSentence(description: string): string {
  const text = description.trimStart();
  const end = /[.!?:;](?:\s|$)|\n/u.exec(text);
  return end ? text.slice(0, end.index) : text;
}

function collect(
  schema: JsonValue | undefined,
  depth: number,
  names: string[],
  descriptions: string[],
): void {
  if (!isJsonObject(schema) || depth >= maxDepth) return;
  if (isJsonObject(schema['properties'])) {
    for (const [name, property] of Object.entries(schema['properties'])) {
      if (names.length >= maxProperties) return;
      names.push(name);
      if (isJsonObject(property) && typeof property['description'] === 'string')
        descriptions.push(property['description']);
      collect(property, depth + 1, names, descriptions);
    }
  }
  collect(schema['items'], depth + 1, names, descriptions);
}
