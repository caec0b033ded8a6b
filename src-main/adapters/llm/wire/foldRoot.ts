import { isDeepStrictEqual } from 'node:util';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';

/**
 * Keywords that no provider accepts at the root. Those that combine schemas are folded into one
 * schema; the others only narrow it and are dropped.
 */
const combiningKeywords = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'];
const narrowingKeywords = ['enum', 'const', 'not', 'if'];

/**
 * One object schema from a root that combines several, with the parameters of every branch. It
 * requires what the root and `allOf` require, and what every branch of `anyOf` or `oneOf` does. A
 * parameter that differs between branches may be any of its variants.
 */
export function foldRoot(root: JsonObject, note: (text: string) => void, depth = 0): JsonObject {
  const rest = Object.fromEntries(
    Object.entries(root).filter(
      ([keyword]) => !combiningKeywords.includes(keyword) && !narrowingKeywords.includes(keyword),
    ),
  );
  for (const keyword of narrowingKeywords)
    if (keyword in root) note(`${keyword} left out at the top`);
  const branches = combiningKeywords
    .flatMap((keyword) => (depth > 16 ? [] : branchesOf(keyword, root[keyword])))
    .map(({ keyword, schema }) => ({ keyword, schema: foldRoot(schema, note, depth + 1) }));
  for (const keyword of new Set(combiningKeywords.filter((each) => each in root)))
    note(`${keyword} folded at the top`);
  const variants = new Map<string, JsonValue[]>();
  const add = (schema: JsonObject) => {
    for (const [name, each] of Object.entries(
      isJsonObject(schema['properties']) ? schema['properties'] : {},
    )) {
      const known = variants.get(name) ?? [];
      if (!known.some((other) => isDeepStrictEqual(other, each)))
        variants.set(name, [...known, each]);
    }
  };
  add(rest);
  for (const { schema } of branches) add(schema);
  const properties = Object.fromEntries([...variants].map(([name, list]) => [name, oneOf(list)]));
  const required = new Set(
    [
      rest,
      ...branches.filter(({ keyword }) => keyword === 'allOf').map(({ schema }) => schema),
    ].flatMap(requiredOf),
  );
  for (const keyword of ['anyOf', 'oneOf']) {
    const own = branches
      .filter((branch) => branch.keyword === keyword)
      .map(({ schema }) => requiredOf(schema));
    for (const name of own[0] ?? [])
      if (own.every((names) => names.includes(name))) required.add(name);
  }
  // A closed root would forbid parameters that only a branch has.
  const { additionalProperties, unevaluatedProperties: _, ...kept } = rest;
  if (additionalProperties === false && branches.length > 0)
    note('additionalProperties left out at the top');
  const closed =
    additionalProperties !== undefined && (branches.length === 0 || additionalProperties !== false);
  return {
    ...kept,
    type: 'object',
    properties,
    ...(closed && { additionalProperties }),
    ...(required.size > 0
      ? { required: [...required] }
      : 'required' in kept
        ? { required: [] }
        : {}),
  };
}

function branchesOf(
  keyword: string,
  value: JsonValue | undefined,
): { keyword: string; schema: JsonObject }[] {
  const list = Array.isArray(value)
    ? value
    : isJsonObject(value)
      ? keyword === 'dependentSchemas'
        ? Object.values(value)
        : [value]
      : [];
  return list.filter(isJsonObject).map((schema) => ({ keyword, schema }));
}

function requiredOf(schema: JsonObject): string[] {
  return Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
}

function oneOf(list: readonly JsonValue[]): JsonValue {
  const possible = list.filter((each) => each !== false);
  if (possible.length <= 1) return possible[0] ?? false;
  return possible.some((each) => isJsonObject(each) && Object.keys(each).length === 0)
    ? {}
    : { anyOf: [...possible] };
}
