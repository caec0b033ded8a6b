import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';

export const plainTypes = ['string', 'integer', 'number', 'boolean'] as const;
export type PlainType = (typeof plainTypes)[number];

/** A parameter that a form can represent completely. */
export interface PlainParameter {
  name: string;
  type: PlainType;
  description: string;
  required: boolean;
}

const known = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  '$schema',
]);

/**
 * The parameters of a schema that a form can represent without losing anything; null if the schema
 * says more.
 */
export function readPlainSchema(text: string): PlainParameter[] | null {
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch {
    return null;
  }
  if (
    !isJsonObject(schema) ||
    schema['type'] !== 'object' ||
    Object.keys(schema).some((key) => !known.has(key))
  )
    return null;
  const properties = schema['properties'] ?? {};
  const required = schema['required'] ?? [];
  if (
    !isJsonObject(properties) ||
    !Array.isArray(required) ||
    isJsonObject(schema['additionalProperties'])
  )
    return null;
  const parameters: PlainParameter[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (
      !isJsonObject(property) ||
      Object.keys(property).some((key) => key !== 'type' && key !== 'description')
    )
      return null;
    const type = plainTypes.find((plain) => plain === property['type']);
    const description = property['description'] ?? '';
    if (type === undefined || typeof description !== 'string') return null;
    parameters.push({ name, type, description, required: required.includes(name) });
  }
  return parameters;
}

/** The schema with these parameters; other top-level keywords are kept. */
export function writePlainSchema(text: string, parameters: readonly PlainParameter[]): string {
  const { properties: _properties, required: _required, ...rest } = JSON.parse(text) as JsonObject;
  const properties = Object.fromEntries(
    parameters.map(({ name, type, description }) => [
      name,
      description === '' ? { type } : { type, description },
    ]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const { additionalProperties, ...head } = rest;
  return JSON.stringify(
    {
      ...head,
      properties,
      ...(required.length === 0 ? {} : { required }),
      ...(additionalProperties === undefined ? {} : { additionalProperties }),
    },
    null,
    2,
  );
}
