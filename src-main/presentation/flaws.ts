import type { ListingFlaw } from '../../src-shared/domain/clientFacts.ts';
import { isJsonObject, type JsonValue } from '../../src-shared/domain/json.ts';

export type RawTool = Readonly<Record<string, JsonValue | undefined>>;

const properties = ({ inputSchema }: RawTool): JsonValue[] =>
  isJsonObject(inputSchema) && isJsonObject(inputSchema.properties)
    ? Object.values(inputSchema.properties)
    : [];

/** Every schema of a tool's parameters, the root included. */
function* schemasIn(value: JsonValue | undefined): Generator<Record<string, JsonValue>> {
  if (Array.isArray(value)) for (const one of value) yield* schemasIn(one);
  if (!isJsonObject(value)) return;
  yield value;
  for (const [member, below] of Object.entries(value))
    if (member === 'properties' || member === '$defs' || member === 'definitions') {
      if (isJsonObject(below)) for (const one of Object.values(below)) yield* schemasIn(one);
    } else if (['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].includes(member))
      yield* schemasIn(below);
}

const isText = (value: JsonValue | undefined): boolean =>
  value === undefined || typeof value === 'string';

/** What a tool must have for a flaw, each as the clients that notice it were seen to judge. */
const has: Readonly<Record<ListingFlaw, (tool: RawTool) => boolean>> = {
  'no-name': ({ name }) => typeof name !== 'string' || name === '',
  'no-input-schema': ({ inputSchema }) => !isJsonObject(inputSchema),
  'root-type': ({ inputSchema }) => isJsonObject(inputSchema) && inputSchema.type !== 'object',
  'property-boolean': (tool) => properties(tool).some((one) => typeof one === 'boolean'),
  'property-null': (tool) => properties(tool).includes(null),
  // Its reader of records finds the member that every object of JavaScript has.
  'property-constructor': ({ inputSchema }) =>
    isJsonObject(inputSchema) &&
    isJsonObject(inputSchema.properties) &&
    Object.hasOwn(inputSchema.properties, 'constructor'),
  'required-type': ({ inputSchema }) =>
    isJsonObject(inputSchema) &&
    inputSchema.required !== undefined &&
    !(
      Array.isArray(inputSchema.required) &&
      inputSchema.required.every((one) => typeof one === 'string')
    ),
  'description-type': ({ description }) => !isText(description),
  // Null counts as none.
  'description-value': ({ description }) => description !== null && !isText(description),
  'title-type': ({ title }) => !isText(title),
  'hint-type': ({ annotations }) =>
    isJsonObject(annotations) &&
    Object.entries(annotations).some(
      ([name, value]) => name.endsWith('Hint') && typeof value !== 'boolean',
    ),
  'annotations-type': ({ annotations }) => annotations !== undefined && !isJsonObject(annotations),
  'output-root-type': ({ outputSchema }) =>
    outputSchema !== undefined && (!isJsonObject(outputSchema) || outputSchema.type !== 'object'),
  'root-union': ({ inputSchema }) =>
    isJsonObject(inputSchema) &&
    ['anyOf', 'oneOf', 'allOf'].some((member) => inputSchema[member] !== undefined),
  'items-list': ({ inputSchema }) =>
    [...schemasIn(inputSchema)].some(({ items }) => Array.isArray(items)),
  'member-type': ({ inputSchema }) =>
    [...schemasIn(inputSchema)].some(
      (schema) =>
        !isText(schema.description) ||
        (schema.required !== undefined && !Array.isArray(schema.required)) ||
        (schema.enum !== undefined && !Array.isArray(schema.enum)),
    ),
};

/** The first of the flaws that a tool has; null if it has none of them. */
export const flawOf = (tool: RawTool, flaws: readonly ListingFlaw[]): ListingFlaw | null =>
  flaws.find((flaw) => has[flaw](tool)) ?? null;
