import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { isMatcher } from '../../../scoring/matchers.ts';

/**
 * An expected value from another program means exactly itself, even if it looks like one of our
 * matchers.
 */
export function toLiteral(value: JsonValue): JsonValue {
  if (isMatcher(value)) return { $eq: value };
  if (Array.isArray(value)) return value.map(toLiteral);
  if (isJsonObject(value)) return mapObject(value, toLiteral);
  return value;
}

/**
 * Like `toLiteral`, for programs that compare text exactly: text is wrapped, because our comparison
 * ignores case and width.
 */
export function toExactLiteral(value: JsonValue): JsonValue {
  return containsText(value) ? { $exact: value } : toLiteral(value);
}

/**
 * Like `toExactLiteral`, for programs that compare only the named members of objects, also of those
 * in lists and in other objects.
 */
export function toPartialLiteral(value: JsonValue, isInside = false): JsonValue {
  if (!containsObject(value)) return toExactLiteral(value);
  if (isMatcher(value)) return { $eq: value };
  if (Array.isArray(value)) return value.map((each) => toPartialLiteral(each, isInside));
  if (!isJsonObject(value)) return value;
  const members = mapObject(value, (each) => toPartialLiteral(each, true));
  return isInside ? members : { $partial: members };
}

/** The plain value that a matcher stands for; undefined if it stands for several values. */
export function plainValue(value: JsonValue): JsonValue | undefined {
  if (isMatcher(value)) {
    const [[key, operand] = ['', undefined], ...more] = Object.entries(value);
    return more.length === 0 && (key === '$eq' || key === '$exact') ? operand : undefined;
  }
  if (Array.isArray(value)) {
    const items = value.map(plainValue);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name, plainValue(each)] as const);
  return members.every((member): member is readonly [string, JsonValue] => member[1] !== undefined)
    ? Object.fromEntries(members)
    : undefined;
}

/** Whether an exact comparison would be stricter than ours. */
export function comparesLoosely(value: JsonValue): boolean {
  return isMatcher(value)
    ? !Object.hasOwn(value, '$exact') && containsText(value)
    : containsText(value);
}

export function mapObject(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

const containsObject = (value: JsonValue): boolean =>
  Array.isArray(value) ? value.some(containsObject) : isJsonObject(value);

function containsText(value: JsonValue): boolean {
  if (typeof value === 'string') return true;
  if (Array.isArray(value)) return value.some(containsText);
  return isJsonObject(value) && Object.values(value).some(containsText);
}

export const nonEmptyText = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

export function textsOf(value: JsonValue | undefined): string[] {
  if (Array.isArray(value))
    return value.filter((each) => typeof each === 'string' && each !== '') as string[];
  return typeof value === 'string'
    ? value
        .split(/[;,|]/)
        .map((each) => each.trim())
        .filter((each) => each !== '')
    : [];
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu;
/** About how many words a text has, also in a script that puts no spaces between them. */
export const countWords = (text: string): number =>
  text.trim() === ''
    ? 0
    : text.trim().split(/\s+/).length + Math.floor((text.match(unspaced)?.length ?? 0) / 2);

/** A text or a number that names a record, as a text; null for everything else. */
export const keyText = (value: JsonValue | undefined): string | null =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : nonEmptyText(value);

/** Null, and an empty text, list or object, say nothing. */
export const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/** Arguments that stand for one value each; `lost` is true if a matcher stands for several. */
export function plainMembers(args: JsonObject): { values: JsonObject; lost: boolean } {
  const members = Object.entries(args).flatMap(([name, each]): [string, JsonValue][] => {
    const value = plainValue(each);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    values: Object.fromEntries(members),
    lost: members.length < Object.keys(args).length,
  };
}

const booleans: ReadonlyMap<JsonValue, boolean> = new Map<JsonValue, boolean>([
  ...[true, 1, '1', 'true', 'yes', 'y'].map((word) => [word, true] as const),
  ...[false, 0, '0', 'false', 'no', 'n'].map((word) => [word, false] as const),
]);

/** Null for everything that is no switch. */
export const readBoolean = (value: JsonValue | undefined): boolean | null =>
  booleans.get(typeof value === 'string' ? value.trim().toLowerCase() : (value ?? null)) ?? null;

const callWords: ReadonlyMap<string, boolean> = new Map([
  ...'positive call trigger shouldtrigger shouldcall relevant match applicable inscope'
    .split(' ')
    .map((word) => [word, true] as const),
  ...'negative nocall notrigger shouldnottrigger shouldnotcall irrelevant nomatch notapplicable outofscope'
    .split(' ')
    .map((word) => [word, false] as const),
]);

/** Whether a tool should be called, by a switch or in a word; null for everything else. */
export const readShouldCall = (value: JsonValue | undefined): boolean | null =>
  readBoolean(value) ??
  (typeof value === 'string'
    ? (callWords.get(value.toLowerCase().replaceAll(/[^a-z]/g, '')) ?? null)
    : null);

/** An object, or an empty one in place of anything else. */
export const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value ?? null) ? (value as JsonObject) : {};

/** The objects of a list; none of anything else. */
export const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
