import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { readCodeValue } from './codeLiterals.ts';

const quotes = /^(["'`])((?:(?!\1)[^])*)\1$/;
export const unquote = (text: string): string => quotes.exec(text.trim())?.[2] ?? text.trim();

/** Undefined for any arguments, null if they can't be read. */
export function readArguments(value: JsonValue): JsonObject | null {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string') return null;
  if (!/^\s*\{/.test(value)) return readPairs(value);
  const source = readSourceText(value);
  if (source.readable) return isJsonObject(source.value) ? source.value : null;
  // A dict of Python.
  const written = readCodeValue(value);
  return isJsonObject(written) ? written : null;
}

/** `status="delayed", limit=5`: names and values, as a person writes them; null for other texts. */
function readPairs(text: string): JsonObject | null {
  const value = readCodeValue(`f(${text.replaceAll(/[;\n]/g, ',')})`);
  if (isJsonObject(value)) return value;
  const pairs: [string, JsonValue][] = [];
  for (const part of text.split(/[;,\n]/)) {
    const [, name, said] =
      /^\s*["'`]?([A-Za-z_][\w.-]*)["'`]?\s*[=:]\s*(.+?)\s*$/s.exec(part) ?? [];
    if (name === undefined || said === undefined) return null;
    const plain = readCodeValue(said);
    pairs.push([name, plain === undefined ? unquote(said) : plain]);
  }
  return Object.fromEntries(pairs);
}
