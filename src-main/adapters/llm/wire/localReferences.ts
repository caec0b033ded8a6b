import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { parsePointerFragment, valueAtPath } from '../../../../src-shared/domain/jsonPointer.ts';

/**
 * The part of a schema that a local reference points to (`#`, `#/a/b`, `#name`, with or without the
 * schema's own id before them); undefined where there is none. Nothing is fetched.
 */
export function findReferenced(root: JsonObject, reference: string): JsonValue | undefined {
  const own =
    typeof root['$id'] === 'string'
      ? root['$id']
      : typeof root['id'] === 'string'
        ? root['id']
        : '';
  const ownBase = own.replace(/#.*$/, '');
  const local =
    ownBase !== '' && reference.startsWith(`${ownBase}#`)
      ? reference.slice(ownBase.length)
      : reference;
  if (local === '#' || local === '#/') return root;
  if (local.startsWith('#/')) return follow(root, local.slice(1));
  return local.startsWith('#') ? findAnchor(root, local.slice(1)) : undefined;
}

function follow(root: JsonObject, fragment: string): JsonValue | undefined {
  const path = parsePointerFragment(fragment);
  return path === null ? undefined : valueAtPath(root, path);
}

function findAnchor(root: JsonObject, name: string): JsonObject | undefined {
  const waiting: JsonValue[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (
      isJsonObject(next) &&
      (next['$anchor'] === name || next['$dynamicAnchor'] === name || next['$id'] === `#${name}`)
    )
      return next;
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next));
  }
  return undefined;
}
