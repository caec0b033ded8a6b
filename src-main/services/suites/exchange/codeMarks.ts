import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';

/** The constants of a program: their values as far as they are written out, and where each begins. */
export interface CodeConstants {
  value: JsonObject;
  /** Line of each object that was read, from 1. */
  lineOf: (value: object) => number | null;
}

/** Marks a value that other code makes, so that a record with one is left out, never half read. */
const codeMark = '\0code';
export const codeOf = (source: string): JsonObject => ({ [codeMark]: source.trim().slice(0, 80) });
export const isCode = (value: object): boolean => codeMark in value;

/** The first expression in a value that only running the program would tell; null if there is none. */
export function findCode(value: JsonValue | undefined): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const own = Array.isArray(value) ? undefined : value[codeMark];
  if (typeof own === 'string') return own;
  for (const each of Object.values(value)) {
    const found = findCode(each);
    if (found !== null) return found;
  }
  return null;
}
