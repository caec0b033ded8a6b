import { isJsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { parseJson } from '../../src-shared/domain/exactNumber.ts';
import {
  arrayIndex,
  isJsonPointer,
  parsePointer,
  valueAtPath,
} from '../../src-shared/domain/jsonPointer.ts';
import type { PatchOperation } from '../../src-shared/domain/similarity.ts';

const copyOf = (value: JsonValue): JsonValue => parseJson(JSON.stringify(value)) as JsonValue;

/**
 * Applies the operations of a JSON Patch (RFC 6902) in order to a copy, all or none. Throws
 * an error with the operation that failed and the reason.
 */
export function applyPatch(document: JsonValue, operations: readonly PatchOperation[]): JsonValue {
  let result = copyOf(document);
  for (const operation of operations) result = applyOne(result, operation);
  return result;
}

function applyOne(document: JsonValue, operation: PatchOperation): JsonValue {
  const refuse = (why: string): Error => new Error(`${operation.op} ${operation.path}: ${why}`);
  if (operation.op === 'move' || operation.op === 'copy') {
    if (
      operation.op === 'move' &&
      `${operation.path}/`.startsWith(`${operation.from}/`) &&
      operation.path !== operation.from
    )
      throw refuse('It would be moved into itself.');
    const value = copyOf(read(document, operation.from, refuse));
    const rest =
      operation.op === 'move' ? write(document, operation.from, 'remove', null, refuse) : document;
    return write(rest, operation.path, 'add', value, refuse);
  }
  if (operation.op === 'test') {
    if (!equal(read(document, operation.path, refuse), operation.value))
      throw refuse('It holds another value.');
    return document;
  }
  if (operation.op === 'remove') return write(document, operation.path, 'remove', null, refuse);
  return write(document, operation.path, operation.op, copyOf(operation.value), refuse);
}

type Refuse = (why: string) => Error;

function steps(path: string, refuse: Refuse): string[] {
  if (!isJsonPointer(path)) throw refuse('It isn’t a JSON pointer.');
  return parsePointer(path);
}

function read(document: JsonValue, path: string, refuse: Refuse): JsonValue {
  return readSteps(document, steps(path, refuse), refuse);
}

function readSteps(document: JsonValue, path: readonly string[], refuse: Refuse): JsonValue {
  return path.reduce<JsonValue>((place, step) => {
    const next = Array.isArray(place)
      ? place[index(step, place.length - 1, refuse)]
      : valueAtPath(place, [step]);
    if (next === undefined) throw refuse('There is nothing at this place.');
    return next;
  }, document);
}

function index(step: string, highest: number, refuse: Refuse): number {
  const found = arrayIndex(step, highest + 1);
  if (found === null) throw refuse(`"${step}" isn’t a position in the list.`);
  return found;
}

function write(
  document: JsonValue,
  path: string,
  how: 'add' | 'replace' | 'remove',
  value: JsonValue,
  refuse: Refuse,
): JsonValue {
  const all = steps(path, refuse);
  const last = all.pop();
  if (last === undefined) {
    if (how === 'remove') throw refuse('The whole can not be removed.');
    return value;
  }
  const parent = readSteps(document, all, refuse);
  if (Array.isArray(parent)) {
    const at =
      how === 'add'
        ? last === '-'
          ? parent.length
          : index(last, parent.length, refuse)
        : index(last, parent.length - 1, refuse);
    parent.splice(at, how === 'add' ? 0 : 1, ...(how === 'remove' ? [] : [value]));
  } else if (isJsonObject(parent)) {
    if (how !== 'add' && !Object.hasOwn(parent, last))
      throw refuse('There is nothing at this place.');
    if (how === 'remove') Reflect.deleteProperty(parent, last);
    else
      Object.defineProperty(parent, last, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  } else throw refuse('Its place is neither an object nor a list.');
  return document;
}

function equal(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a))
    return (
      Array.isArray(b) && a.length === b.length && a.every((one, at) => equal(one, b[at] ?? null))
    );
  if (isJsonObject(a)) {
    if (!isJsonObject(b)) return false;
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equal(a[key] ?? null, b[key] ?? null))
    );
  }
  return a === b;
}
