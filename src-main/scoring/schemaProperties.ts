import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { MAX_DEPTH } from './depth.ts';
import { readDialect } from './schema/schemaDialect.ts';
import { requiredByFlag } from './schema/schemaGraph.ts';
import { resolveDynamic, resolveReference } from './schema/schemaReferences.ts';

/** What a tool's input schema says about the names of its arguments. */
export interface SchemaNames {
  /** Every name in a reachable `properties`, with its first schema, in the order of appearance. */
  properties: ReadonlyMap<string, JsonValue>;
  /** Names that are required for any arguments to conform. */
  required: ReadonlySet<string>;
  /**
   * An explicit `additionalProperties` or `unevaluatedProperties` other than false, or a place that
   * can't be read and might name more: any name is allowed.
   */
  open: boolean;
  /** Keys of reachable `patternProperties`: a name that matches one of them is allowed. */
  patterns: readonly string[];
}

const inPlaceLists = ['allOf', 'anyOf', 'oneOf'] as const;
const inPlaceSchemas = ['if', 'then', 'else'] as const;

const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

function targetOf(
  schema: JsonObject,
  key: (typeof referenceKeywords)[number],
  root: JsonObject,
): JsonValue | undefined {
  const reference = schema[key];
  if (typeof reference !== 'string') return undefined;
  return (key === '$ref' ? resolveReference : resolveDynamic)(root, reference, schema);
}

/**
 * Whether something that can't be read might name more arguments: it accuses none of being made up. A
 * keyword that is null is a missing one.
 */
function mayNameMore(schema: JsonValue, root: JsonObject): boolean {
  if (typeof schema === 'boolean') return false;
  if (!isJsonObject(schema)) return schema !== null;
  const isOther = (value: JsonValue | undefined): boolean =>
    value !== undefined && value !== null && typeof value !== 'boolean' && !isJsonObject(value);
  return (
    referenceKeywords.some(
      (key) => schema[key] !== undefined && targetOf(schema, key, root) === undefined,
    ) ||
    ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'].some(
      (key) => isOther(schema[key]),
    )
  );
}

export function references(schema: JsonObject, root: JsonObject): JsonValue[] {
  return referenceKeywords
    .map((key) => targetOf(schema, key, root))
    .filter((target) => target !== undefined);
}

/**
 * Schemas that apply to the same object as `schema`: targets of references, branches, conditions,
 * dependent schemas.
 */
export function inPlace(schema: JsonObject, root: JsonObject): JsonValue[] {
  const lists = inPlaceLists
    .map((key) => schema[key])
    .filter((branches) => Array.isArray(branches));
  const single = inPlaceSchemas.map((key) => schema[key]).filter((branch) => branch !== undefined);
  const dependent = (['dependentSchemas', 'dependencies'] as const).flatMap((key) => {
    const schemas = schema[key];
    return isJsonObject(schemas) ? Object.values(schemas).filter(isJsonObject) : [];
  });
  return [...references(schema, root), ...lists.flat(), ...single, ...dependent];
}

/**
 * `done` ends recursion and prevents branches that share definitions from being walked repeatedly.
 */
function requiredOf(
  schema: JsonValue | undefined,
  root: JsonObject,
  done: Map<JsonValue, Set<string>>,
  depth = 0,
): Set<string> {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return new Set();
  const before = done.get(schema);
  if (before) return before;
  const names = new Set<string>();
  done.set(schema, names);
  const add = (more: Iterable<JsonValue>): void => {
    for (const name of more) if (typeof name === 'string') names.add(name);
  };
  const isReference = typeof schema['$ref'] === 'string' && readDialect(root['$schema']) <= 7;
  if (isReference) {
    // Up to draft-07, nothing counts next to a reference.
    for (const target of references(schema, root)) add(requiredOf(target, root, done, depth + 1));
    return names;
  }
  if (Array.isArray(schema['required'])) add(schema['required']);
  if (isJsonObject(schema['properties'])) add(requiredByFlag(schema['properties']));
  for (const target of references(schema, root)) add(requiredOf(target, root, done, depth + 1));
  if (Array.isArray(schema['allOf']))
    for (const branch of schema['allOf']) add(requiredOf(branch, root, done, depth + 1));
  for (const key of ['anyOf', 'oneOf'] as const) {
    const branches = schema[key];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    add(
      branches
        .map((branch) => requiredOf(branch, root, done, depth + 1))
        .reduce((a, b) => new Set([...a].filter((name) => b.has(name)))),
    );
  }
  return names;
}

function collect(from: JsonObject, root: JsonObject): SchemaNames {
  const properties = new Map<string, JsonValue>();
  const patterns = new Set<string>();
  let open = false;
  const seen = new Set<JsonValue>();
  const queue: JsonValue[] = [from];
  for (const schema of queue) {
    if (mayNameMore(schema, root)) open = true;
    if (!isJsonObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    if (isJsonObject(schema['properties'])) {
      for (const [name, value] of Object.entries(schema['properties']))
        if (!properties.has(name)) properties.set(name, value);
    }
    for (const key of ['additionalProperties', 'unevaluatedProperties']) {
      if (schema[key] === true || isJsonObject(schema[key])) open = true;
    }
    if (isJsonObject(schema['patternProperties']))
      for (const pattern of Object.keys(schema['patternProperties'])) patterns.add(pattern);
    for (const next of inPlace(schema, root)) if (!seen.has(next)) queue.push(next);
  }
  return { properties, required: requiredOf(from, root, new Map()), open, patterns: [...patterns] };
}

const known = new WeakMap<JsonObject, SchemaNames>();

/**
 * Collects the argument names of a schema (docs/rules.md §3): `properties` reachable through local
 * `$ref`, `allOf`, `anyOf`, `oneOf`, `if`/`then`/`else` and `dependentSchemas`. Required names are
 * its own, those of `$ref` and `allOf`, and those that all branches of an `anyOf` or `oneOf` share.
 * Recursive references end; references to other documents aren't followed. Cached per schema
 * object. `root` is the document that holds the schema.
 */
export function schemaProperties(schema: JsonObject, root: JsonObject = schema): SchemaNames {
  let names = known.get(schema);
  if (!names) known.set(schema, (names = collect(schema, root)));
  return names;
}
