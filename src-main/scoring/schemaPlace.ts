import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { inPlace, references, schemaProperties } from './schemaProperties.ts';

/** The schema of a value inside a tool's input schema. */
export interface SchemaPlace {
  schema: JsonObject;
  /** The document that references in it belong to. */
  root: JsonObject;
}

function placeOf(schema: JsonValue | undefined, root: JsonObject): SchemaPlace | null {
  return isJsonObject(schema) ? { schema, root } : null;
}

/** A schema and those that apply to the same value, nearest first. */
function applied({ schema }: SchemaPlace, next: (schema: JsonObject) => JsonValue[]): JsonObject[] {
  const found = new Set([schema]);
  for (const each of found)
    for (const other of next(each)) if (isJsonObject(other)) found.add(other);
  return [...found];
}

/** The schema of a member; null if no reachable `properties` names it. */
export function memberSchema({ schema, root }: SchemaPlace, name: string): SchemaPlace | null {
  return placeOf(schemaProperties(schema, root).properties.get(name), root);
}

/**
 * The schema of an element, by `items` and `prefixItems` (a list in `items` up to draft 2019-09).
 * Without an index, the one that all elements share.
 */
export function elementSchema(place: SchemaPlace, index: number | null): SchemaPlace | null {
  const { root } = place;
  for (const schema of applied(place, (each) => inPlace(each, root))) {
    const { items, prefixItems, additionalItems } = schema;
    const [first, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
    const listed = Array.isArray(first) ? first : [];
    if (index === null && listed.length > 0) continue;
    const found = placeOf(index !== null && index < listed.length ? listed[index] : rest, root);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The default of a value: that of its schema, else of what it refers to or combines with `allOf`.
 * Defaults of other branches apply to some values only and are not read.
 */
export function defaultOf(place: SchemaPlace): JsonValue | undefined {
  const next = (schema: JsonObject): JsonValue[] => {
    const { allOf } = schema;
    return [...references(schema, place.root), ...(Array.isArray(allOf) ? allOf : [])];
  };
  return applied(place, next).find((schema) => Object.hasOwn(schema, 'default'))?.['default'];
}
