import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';

interface ShownParameter {
  name: string;
  /** `string`, `string or null`, or `any` if the schema doesn't say. */
  type: string;
  required: boolean;
  description: string;
}

function typeOf(schema: JsonObject): string {
  const { type } = schema;
  if (Array.isArray(schema['enum']))
    return `one of ${schema['enum'].map((value) => JSON.stringify(value)).join(', ')}`;
  if (Array.isArray(type)) return type.map(String).join(' or ');
  return typeof type === 'string' ? type : 'any';
}

/** The parameters at the top of a schema, required ones first, as people read them. */
export function parametersShown(schema: JsonObject): ShownParameter[] {
  const properties = schema['properties'];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties)
    .map(([name, value]) => {
      const own = isJsonObject(value) ? value : {};
      const description = own['description'];
      return {
        name,
        type: typeOf(own),
        required: required.includes(name),
        description: typeof description === 'string' ? description.trim() : '',
      };
    })
    .sort((a, b) => Number(b.required) - Number(a.required));
}
