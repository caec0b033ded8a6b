import { isNumber, nearestDouble, numberText } from '../../../src-shared/domain/exactNumber.ts';
import { redacted } from './redact.ts';

type Container = unknown[] | Record<string, unknown>;

/**
 * Redacts every string of a parsed value, at any depth, and the keys of objects. Numbers whose
 * digits give a secret away become text. Returns the same value if nothing had to be changed. Visits
 * each object once, without recursion, so that neither cycles nor deep nesting are a problem. Objects
 * of a class are left alone.
 */
export function redactValue<T>(value: T, redact: (text: string) => string): T;
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (!isContainer(value)) return redactLeaf(value, redact);
  return isClean(value, redact) ? value : cleanCopy(value, redact);
}

/** Fewer digits can't be a leak. */
const minLeakingNumber = 1e8;

function redactLeaf(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (!isNumber(value) || Math.abs(nearestDouble(value)) < minLeakingNumber) return value;
  const text = numberText(value);
  return redact(text) === text ? value : redacted;
}

function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isClean(root: Container, redact: (text: string) => string): boolean {
  const seen = new Set<Container>([root]);
  // A set is iterated in the order of insertion, also over what is added meanwhile.
  for (const container of seen) {
    if (!Array.isArray(container))
      for (const key of Object.keys(container)) if (redact(key) !== key) return false;
    for (const item of Array.isArray(container) ? container : Object.values(container)) {
      if (isContainer(item)) seen.add(item);
      else if (redactLeaf(item, redact) !== item && !Number.isNaN(item)) return false;
    }
  }
  return true;
}

function cleanCopy(root: Container, redact: (text: string) => string): Container {
  const copies = new Map<Container, Container>();
  const waiting: Container[] = [];
  const copyOf = (item: unknown): unknown => {
    if (!isContainer(item)) return redactLeaf(item, redact);
    const known = copies.get(item);
    if (known !== undefined) return known;
    const copy: Container = Array.isArray(item) ? [] : {};
    copies.set(item, copy);
    waiting.push(item);
    return copy;
  };
  copyOf(root);
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const copy = copies.get(item);
    if (Array.isArray(item)) {
      if (Array.isArray(copy)) for (const each of item) copy.push(copyOf(each));
    } else if (copy !== undefined) {
      for (const [key, each] of Object.entries(item))
        // A key named "__proto__" is data here, too.
        Object.defineProperty(copy, freeKey(copy, redact(key), key), {
          value: copyOf(each),
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
  }
  return copies.get(root) ?? root;
}

/** Two keys that became the same keep their values. */
function freeKey(copy: Container, key: string, original: string): string {
  if (key === original || !Object.hasOwn(copy, key)) return key;
  for (let count = 2; ; count += 1)
    if (!Object.hasOwn(copy, `${key} ${count}`)) return `${key} ${count}`;
}
