import { isJsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { exceedsDepth } from './depth.ts';

/**
 * Goes through upper case, which folds what lower case alone keeps apart (ß, ẞ and SS, the two
 * sigmas). Dotless ı stays distinct.
 */
function fold(text: string): string {
  const folded = (part: string): string => part.toLowerCase().toUpperCase().toLowerCase();
  return text.includes('ı') ? text.split('ı').map(folded).join('ı') : folded(text);
}

/**
 * NFKC, trimmed, case-folded: the form in which strings are compared (docs/rules.md §3).
 * Idempotent.
 */
export function normaliseText(text: string): string {
  return fold(text.normalize('NFKC')).normalize('NFKC').trim();
}

function equal(a: JsonValue, b: JsonValue, sameText: (a: string, b: string) => boolean): boolean {
  if (a === b) return true;
  if (typeof a === 'string') return typeof b === 'string' && sameText(a, b);
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => equal(item, b[index] ?? null, sameText))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key] ?? null, b[key] ?? null, sameText))
  );
}

/**
 * Equality after normalizing strings (docs/rules.md §3): 1 equals 1.0, "5" doesn't equal 5, arrays
 * compare by order, objects by key. Values nested deeper than MAX_DEPTH equal nothing.
 */
export function equalValues(a: JsonValue, b: JsonValue): boolean {
  if (exceedsDepth(a) || exceedsDepth(b)) return false;
  return equal(a, b, (x, y) => x === y || normaliseText(x) === normaliseText(y));
}

/** Equality without normalization: strings by code unit, everything else like `equalValues`. */
export function identicalValues(a: JsonValue, b: JsonValue): boolean {
  if (exceedsDepth(a) || exceedsDepth(b)) return false;
  return equal(a, b, (x, y) => x === y);
}
