import { isDeepStrictEqual } from 'node:util';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';

/**
 * Keywords that no provider takes at the top. Those that join schemas are folded into one, the
 * others only narrow.
 */
const joining = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'];
const narrowing = ['enum', 'const', 'not', 'if'];

/**
 * One object schema out of a root that joins several: parameters of every branch; required are
 * those of the root and of all of `allOf`, and those that every branch of `anyOf` or `oneOf`
 * requires. A parameter that differs between branches may be any of them.
 */
export function foldRoot(root: JsonObject, note: (text: string) => void, depth = 0): JsonObject {
  const rest = Object.fromEntries(
    Object.entries(root).filter(
      ([keyword]) => !joining.includes(keyword) && !narrowing.includes(keyword),
    ),
  );
  for (const keyword of narrowing) if (keyword in root) note(`${keyword} left out at the top`);
  const branches = joining
    .flatMap((keyword) => (depth > 16 ? [] : branchesOf(keyword, root[keyword])))
    .map(({ keyword, schema }) => ({ keyword, schema: foldRoot(schema, note, depth + 1) }));
  for (const keyword of new Set(joining.filter((each) => each in root)))
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
  // A branch may know parameters that the root's own "nothing else" would forbid.
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
