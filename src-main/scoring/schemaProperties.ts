import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import {
  parsePointer,
  parsePointerFragment,
  valueAtPath,
} from '../../src-shared/domain/jsonPointer.ts';
import { MAX_DEPTH } from './depth.ts';

/** What a tool's input schema says about the names of its arguments. */
export interface SchemaNames {
  /** Every name in a reachable `properties`, with its first schema, in the order of appearance. */
  properties: ReadonlyMap<string, JsonValue>;
  /** Names that are required for any arguments to conform. */
  required: ReadonlySet<string>;
  /**
   * An explicit `additionalProperties` or `unevaluatedProperties` other than false: any name is
   * allowed.
   */
  open: boolean;
  /** Keys of reachable `patternProperties`: a name that matches one of them is allowed. */
  patterns: readonly string[];
}

const inPlaceLists = ['allOf', 'anyOf', 'oneOf'] as const;
const inPlaceSchemas = ['if', 'then', 'else'] as const;

interface NamedSchemas {
  byId: Map<string, JsonObject>;
  byAnchor: Map<string, JsonObject>;
}

const named = new WeakMap<JsonObject, NamedSchemas>();

/**
 * Indexes schemas by `$id` and by anchor, once per document and without recursion; the first of a
 * name wins.
 */
function indexNames(root: JsonObject): NamedSchemas {
  const index: NamedSchemas = { byId: new Map(), byAnchor: new Map() };
  const add = (
    map: Map<string, JsonObject>,
    name: JsonValue | undefined,
    schema: JsonObject,
  ): void => {
    if (typeof name === 'string' && !map.has(name)) map.set(name, schema);
  };
  const queue: JsonValue[] = [root];
  for (const node of queue) {
    if (typeof node !== 'object' || node === null) continue;
    if (isJsonObject(node)) {
      const id = node['$id'];
      add(index.byId, id, node);
      if (typeof id === 'string' && id.startsWith('#')) add(index.byAnchor, id.slice(1), node);
      add(index.byAnchor, node['$anchor'], node);
      add(index.byAnchor, node['$dynamicAnchor'], node);
    }
    for (const child of Object.values(node)) queue.push(child);
  }
  named.set(root, index);
  return index;
}

/**
 * The target of a `$ref` inside the same document; undefined for other documents, which are never
 * fetched.
 */
export function resolveReference(root: JsonObject, reference: string): JsonValue | undefined {
  const at = reference.indexOf('#');
  const address = at < 0 ? reference : reference.slice(0, at);
  const fragment = at < 0 ? '' : reference.slice(at + 1);
  const isRoot = address === '' || root['$id'] === address || root['$id'] === `${address}#`;
  const index = (): NamedSchemas => named.get(root) ?? indexNames(root);
  const base = isRoot ? root : index().byId.get(address);
  if (base === undefined || fragment === '') return base;
  if (!fragment.startsWith('/')) return index().byAnchor.get(fragment);
  // Servers publish stray percent signs: such a fragment is read as it is written.
  return valueAtPath(base, parsePointerFragment(fragment) ?? parsePointer(fragment));
}

function references(schema: JsonObject, root: JsonObject): JsonValue[] {
  return [schema['$ref'], schema['$dynamicRef']]
    .map((reference) =>
      typeof reference === 'string' ? resolveReference(root, reference) : undefined,
    )
    .filter((target) => target !== undefined);
}

/**
 * Schemas that apply to the same object as `schema`: targets of references, branches, conditions,
 * dependent schemas.
 */
function inPlace(schema: JsonObject, root: JsonObject): JsonValue[] {
  const lists = inPlaceLists
    .map((key) => schema[key])
    .filter((branches) => Array.isArray(branches));
  const single = inPlaceSchemas.map((key) => schema[key]).filter((branch) => branch !== undefined);
  const dependent = isJsonObject(schema['dependentSchemas'])
    ? Object.values(schema['dependentSchemas'])
    : [];
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
  if (Array.isArray(schema['required'])) add(schema['required']);
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

function collect(root: JsonObject): SchemaNames {
  const properties = new Map<string, JsonValue>();
  const patterns = new Set<string>();
  let open = false;
  const seen = new Set<JsonValue>();
  const queue: JsonValue[] = [root];
  for (const schema of queue) {
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
  return { properties, required: requiredOf(root, root, new Map()), open, patterns: [...patterns] };
}

const known = new WeakMap<JsonObject, SchemaNames>();

/**
 * Collects the argument names of a schema (docs/rules.md §3): `properties` reachable through local
 * `$ref`, `allOf`, `anyOf`, `oneOf`, `if`/`then`/`else` and `dependentSchemas`. Required names are
 * its own, those of `$ref` and `allOf`, and those that all branches of an `anyOf` or `oneOf` share.
 * Recursive references end; references to other documents aren't followed. Cached per schema
 * object.
 */
export function schemaProperties(schema: JsonObject): SchemaNames {
  let names = known.get(schema);
  if (!names) known.set(schema, (names = collect(schema)));
  return names;
}
