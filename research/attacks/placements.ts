import type { JsonObject } from '../../src-shared/domain/json.ts';
import { isJsonObject } from '../../src-shared/domain/json.ts';
import type { CorpusEntry } from '../../src-shared/domain/security.ts';
import type { Carrier } from './carriers.ts';
import type { Choices } from './random.ts';

export const placements = [
  'description',
  'parameter',
  'enum',
  'default',
  'example',
  'title',
  'annotation',
  'output_schema',
  'instructions',
] as const;
export type Placement = (typeof placements)[number];

type Planted = Pick<CorpusEntry, 'description' | 'tool' | 'instructions'>;

/** The carrier as a corpus entry states it. */
export function unchanged(carrier: Carrier): Planted {
  return { description: carrier.description, tool: definition(carrier, {}) };
}

const definition = ({ name, schema, outputSchema }: Carrier, changes: JsonObject): JsonObject => ({
  name,
  inputSchema: schema,
  ...(outputSchema ? { outputSchema } : {}),
  ...changes,
});

/**
 * Puts a text into a carrier. In a description it comes first, last or between two sentences; in a
 * parameter, the description of `parameter`, which is added if the schema doesn't have it.
 */
export function plant(
  carrier: Carrier,
  planted: { text: string; placement: Placement; parameter: string },
  choices: Choices,
): Planted {
  const { text, placement, parameter } = planted;
  const { description } = carrier;
  switch (placement) {
    case 'description':
      return { description: insert(description, text, choices), tool: definition(carrier, {}) };
    case 'title':
      return { description, tool: definition(carrier, { title: text }) };
    case 'annotation':
      return { description, tool: definition(carrier, { annotations: { title: text } }) };
    case 'instructions':
      return { description, tool: definition(carrier, {}), instructions: text };
    case 'output_schema':
      return {
        description,
        tool: definition(carrier, {
          outputSchema: {
            type: 'object',
            properties: { result: { type: 'string', description: text } },
          },
        }),
      };
    default:
      return {
        description,
        tool: definition(carrier, {
          inputSchema: withProperty(carrier.schema, parameter, valueOf[placement](text)),
        }),
      };
  }
}

const valueOf: Record<'parameter' | 'enum' | 'default' | 'example', (text: string) => JsonObject> =
  {
    parameter: (text) => ({ description: text }),
    enum: (text) => ({ enum: ['standard', text] }),
    default: (text) => ({ default: text }),
    example: (text) => ({ examples: [text] }),
  };

function insert(description: string, text: string, choices: Choices): string {
  if (description === '') return text;
  const place = choices.integer(3);
  if (place === 0) return `${text} ${description}`;
  const end = /[.!?。]\s/.exec(description);
  if (place === 1 && end)
    return `${description.slice(0, end.index + 1)} ${text} ${description.slice(end.index + 2)}`;
  return `${description}${choices.integer(2) === 0 ? '\n\n' : ' '}${text}`;
}

/** Adds to a property, or adds the property. */
export function withProperty(schema: JsonObject, name: string, added: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const own = isJsonObject(properties[name]) ? properties[name] : { type: 'string' };
  return { ...schema, type: 'object', properties: { ...properties, [name]: { ...own, ...added } } };
}
