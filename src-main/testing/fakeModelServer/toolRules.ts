import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

export type Dialect = 'responses' | 'chat' | 'messages';

export interface WireTool {
  name: JsonValue;
  schema: JsonValue;
  strict?: boolean;
  deferred?: boolean;
  /** The tool search of the provider for deferred tools. */
  search?: boolean;
}

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

/**
 * The tools of a request body in one form, or the refusal of the provider if they are misplaced.
 */
export function readTools(dialect: Dialect, body: JsonObject): WireTool[] | string {
  const { tools } = body;
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) return "Invalid type for 'tools': expected an array of objects.";
  const read: WireTool[] = [];
  for (const [index, tool] of tools.entries()) {
    if (!isJsonObject(tool)) return `Invalid type for 'tools[${index}]': expected an object.`;
    const flags = {
      strict:
        (isJsonObject(tool['function']) ? tool['function']['strict'] : tool['strict']) === true,
      deferred: tool['defer_loading'] === true,
    };
    if (
      dialect === 'messages' &&
      typeof tool['type'] === 'string' &&
      tool['type'].startsWith('tool_search_tool_')
    )
      read.push({ name: tool['name'] ?? null, schema: null, search: true });
    else if (dialect === 'responses' && tool['type'] === 'tool_search')
      read.push({ name: 'tool_search', schema: null, search: true });
    else if (dialect === 'messages')
      read.push({ name: tool['name'] ?? null, schema: tool['input_schema'] ?? null, ...flags });
    else if (tool['type'] !== 'function')
      return `Invalid value for 'tools[${index}].type'. Supported values are: 'function'.`;
    else if (dialect === 'responses')
      read.push({ name: tool['name'] ?? null, schema: tool['parameters'] ?? null, ...flags });
    else if (isJsonObject(tool['function']))
      read.push({
        name: tool['function']['name'] ?? null,
        schema: tool['function']['parameters'] ?? null,
        ...flags,
      });
    else return `Missing required parameter: 'tools[${index}].function'.`;
  }
  return read;
}

/** What the provider refuses with status 400, in its own words; null if it accepts the tools. */
export function refusalOf(dialect: Dialect, all: readonly WireTool[]): string | null {
  const tools = all.filter(({ search }) => search !== true);
  if (tools.some(({ deferred }) => deferred) && tools.length === all.length)
    return (
      'At least one tool must have defer_loading=false, or a tool search tool must be given, ' +
      'so that deferred tools can be found.'
    );
  if (tools.length < all.length && tools.length === 0)
    return 'A tool search tool needs at least one deferred tool.';
  const refusal = dialect === 'messages' ? anthropicRefusal(tools) : openAiRefusal(tools);
  if (refusal !== null) return refusal;
  const names = tools.map(({ name }) => name);
  if (new Set(names).size < names.length)
    return dialect === 'messages'
      ? 'tools: Tool names must be unique.'
      : "Invalid 'tools': duplicate function names are not allowed.";
  return null;
}

function openAiRefusal(tools: readonly WireTool[]): string | null {
  if (tools.length > 128)
    return (
      `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an ` +
      `array with length ${tools.length} instead.`
    );
  for (const [index, { name, schema, strict }] of tools.entries()) {
    const at = `'tools[${index}].name'`;
    if (typeof name !== 'string' || name === '')
      return (
        `Invalid ${at}: empty string. Expected a string with minimum length 1, but got an ` +
        'empty string instead.'
      );
    if (name.length > 64)
      return (
        `Invalid ${at}: string too long. Expected a string with maximum length 64, but got a ` +
        `string with length ${name.length} instead.`
      );
    if (!/^[a-zA-Z0-9_-]+$/.test(name))
      return (
        `Invalid ${at}: string does not match pattern. Expected a string that matches the ` +
        `pattern '^[a-zA-Z0-9_-]+$'.`
      );
    const wrong = openAiSchema(schema) ?? (strict === true ? strictRefusal(schema) : null);
    if (wrong !== null) return `Invalid schema for function '${name}': ${wrong}`;
  }
  return null;
}

/** Strict mode: every object closed, every parameter required, and only supported keywords. */
function strictRefusal(schema: JsonValue): string | null {
  if (!isJsonObject(schema)) return 'schema is not an object.';
  return walk(schema, [], (part, path) => {
    const context = `In context=(${path.map((step) => `'${step}'`).join(', ')})`;
    const unknown = [
      'allOf',
      'oneOf',
      'not',
      'if',
      'patternProperties',
      'dependentRequired',
      'prefixItems',
    ].find((keyword) => keyword in part);
    if (unknown !== undefined) return `${context}, '${unknown}' is not permitted.`;
    const types = Array.isArray(part['type']) ? part['type'] : [part['type']];
    if (!types.includes('object'))
      return part['type'] === undefined &&
        !('anyOf' in part) &&
        !('enum' in part) &&
        !('const' in part)
        ? `${context}, schema must have a 'type' key.`
        : null;
    if (part['additionalProperties'] !== false)
      return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
    const names = isJsonObject(part['properties']) ? Object.keys(part['properties']) : [];
    const required = Array.isArray(part['required']) ? part['required'] : [];
    const missing = names.find((name) => !required.includes(name));
    return missing === undefined
      ? null
      : `${context}, 'required' is required to be supplied and to be an array including every ` +
          `key in properties. Missing '${missing}'.`;
  });
}

function openAiSchema(schema: JsonValue): string | null {
  if (!isJsonObject(schema) || schema['type'] !== 'object')
    return (
      `schema must be a JSON Schema of 'type: "object"', got 'type: ` +
      `${JSON.stringify(isJsonObject(schema) ? (schema['type'] ?? null) : null)}'.`
    );
  if (['oneOf', 'anyOf', 'allOf', 'enum', 'not'].some((keyword) => keyword in schema))
    return (
      "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the " +
      'top level.'
    );
  return (
    walk(schema, [], (part, path) => {
      const context = `In context=(${path.map((step) => `'${step}'`).join(', ')})`;
      const types = Array.isArray(part['type']) ? part['type'] : [part['type']];
      if (types.includes('array') && !('items' in part))
        return `${context}, array schema missing items.`;
      if ('items' in part && Array.isArray(part['items']))
        return `${context}, array schema items is not an object.`;
      const { properties } = part;
      if (properties === undefined) return null;
      if (!isJsonObject(properties)) return `${context}, properties is not an object.`;
      const bad = Object.entries(properties).find(
        ([, value]) => !isJsonObject(value) && typeof value !== 'boolean',
      );
      return bad
        ? `${context}, ${JSON.stringify(bad[1])} is not of type 'object', 'boolean'.`
        : null;
    }) ?? notJsonSchema(schema, 'schema is not valid JSON Schema.')
  );
}

function anthropicRefusal(tools: readonly WireTool[]): string | null {
  for (const [index, { name, schema }] of tools.entries()) {
    const at = `tools.${index}.custom`;
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      return `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    if (!isJsonObject(schema)) return `${at}.input_schema: Input should be a valid dictionary`;
    if (schema['type'] === undefined) return `${at}.input_schema.type: Field required`;
    if (schema['type'] !== 'object') return `${at}.input_schema.type: Input should be 'object'`;
    if (['oneOf', 'anyOf', 'allOf'].some((keyword) => keyword in schema))
      return (
        `${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top ` +
        'level'
      );
    const keys = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
    if (keys.some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)))
      return (
        `${at}.input_schema.properties: Property keys should match pattern ` +
        `'^[a-zA-Z0-9_.-]{1,64}$'`
      );
    const wrong = notJsonSchema(
      schema,
      'JSON schema is invalid. It must match JSON Schema draft 2020-12.',
    );
    if (wrong !== null) return `${at}.input_schema: ${wrong}`;
  }
  return null;
}

/**
 * Both providers validate JSON Schema strictly and fetch nothing: a reference must point inside the
 * schema.
 */
function notJsonSchema(schema: JsonObject, message: string): string | null {
  const { $schema, ...rest } = schema;
  if ($schema !== undefined && $schema !== 'https://json-schema.org/draft/2020-12/schema')
    return message;
  if (ajv.validateSchema(rest) !== true) return message;
  return walk(schema, [], (part) =>
    typeof part['$ref'] === 'string' && !part['$ref'].startsWith('#') ? message : null,
  );
}

/** Every nested object, property maps included, as a careless checker would see them. */
function walk(
  value: JsonValue,
  path: string[],
  visit: (part: JsonObject, path: string[]) => string | null,
): string | null {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const wrong = walk(item, [...path, String(index)], visit);
      if (wrong !== null) return wrong;
    }
    return null;
  }
  if (!isJsonObject(value)) return null;
  const isMap =
    ['properties', 'patternProperties', '$defs', 'default', 'const', 'enum', 'examples'].includes(
      path.at(-1) ?? '',
    ) && path.at(-2) !== 'properties';
  const wrong = isMap ? null : visit(value, path);
  if (wrong !== null) return wrong;
  for (const [key, child] of Object.entries(value)) {
    if (['default', 'const', 'enum', 'examples'].includes(key) && path.at(-1) !== 'properties')
      continue;
    const below = walk(child, [...path, key], visit);
    if (below !== null) return below;
  }
  return null;
}

const countable: Readonly<Record<Exclude<Dialect, 'chat'>, readonly string[]>> = {
  responses: [
    'conversation',
    'input',
    'instructions',
    'model',
    'parallel_tool_calls',
    'personality',
    'previous_response_id',
    'reasoning',
    'text',
    'tool_choice',
    'tools',
    'truncation',
  ],
  messages: [
    'cache_control',
    'messages',
    'model',
    'output_config',
    'system',
    'thinking',
    'tool_choice',
    'tools',
  ],
};

/** What a request to count tokens may not contain, in the words of the provider. */
export function countRefusal(dialect: Dialect, body: JsonObject): string | null {
  if (dialect === 'chat') return null;
  const foreign = Object.keys(body).find((name) => !countable[dialect].includes(name));
  if (foreign !== undefined)
    return dialect === 'messages'
      ? `${foreign}: Extra inputs are not permitted`
      : `Unknown parameter: '${foreign}'.`;
  if (
    dialect === 'messages' &&
    (!Array.isArray(body['messages']) || typeof body['model'] !== 'string')
  )
    return `${Array.isArray(body['messages']) ? 'model' : 'messages'}: Field required`;
  return null;
}
