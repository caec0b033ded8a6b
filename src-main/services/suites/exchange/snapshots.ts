import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readCodeValue } from './codeLiterals.ts';
import type { CodeConstants } from './codeMarks.ts';

/** A snapshot of Jest or Vitest, and one of syrupy. */
const entries = [
  /^exports\[`((?:\\[^]|[^`\\])*)`\] = `((?:\\[^]|[^`\\])*)`;/gm,
  /^# name: (.+)\n([^]*?)^# ---/gm,
];

/**
 * Reads the snapshots of tests (Jest, Vitest, syrupy) as records: each with the name of its test,
 * and the members of the object that it holds, or its value.
 */
export function readSnapshots(source: string): CodeConstants {
  const text = source.replaceAll('\r\n', '\n');
  const lines = new WeakMap<object, number>();
  const snapshots: JsonValue[] = [];
  for (const pattern of entries)
    for (const match of text.matchAll(pattern)) {
      const [, title = '', body = ''] = match;
      const value = valueOf(body);
      const name = title.replaceAll(/\\([`\\])/g, '$1').replace(/ \d+$/, '');
      const record: JsonObject = isJsonObject(value) ? { name, ...value } : { name, value };
      lines.set(record, text.slice(0, match.index).split('\n').length);
      snapshots.push(record);
    }
  return { value: { snapshots }, lineOf: (value) => lines.get(value) ?? null };
}

/** What a snapshot says of types (`Object {`, `Array [`, `dict({`) is left out. */
function valueOf(written: string): JsonValue {
  const text = written.replaceAll(/\\([`\\])/g, '$1').trim();
  const plain = text
    .replaceAll(/^(\s*(?:"(?:\\.|[^"\\\n])*": )?)(?:Object|Array) (?=[{[])/gm, '$1')
    .replace(/^(?:Object|Array) (?=[{[])/, '');
  return readCodeValue(plain) ?? text;
}
