/**
 * Our own reader of the part of YAML that programs write: block lists and mappings with one value a
 * line. The library makes a token, a node and a position of everything, which takes a second and
 * many megabytes for each megabyte of text; it reads whatever this one leaves.
 */
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { exceedsDepth } from '../../scoring/depth.ts';
import { countNames, inspectValue } from './plainJson.ts';

/** Thrown at everything that is more than plain. */
class NotPlain extends Error {}

/** Characters that YAML folds, refuses or gives a meaning of their own. */
const special = /[\0-\t\v-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;
const entry = /^-( +)/;
const pair = /^([A-Za-z][\w-]*):(?: +(?=\S)|$)/;
const doubleQuoted = /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"$/;
const singleQuoted = /^'(?:[^']|'')*'$/;
const smallInteger = /^(?:0|-?[1-9]\d{0,14})$/;
/** What the core schema may read as something else than a text. https://yaml.org/spec/1.2.2/#103-core-schema */
const typed = /^(?:[-+]?\.?\d[\w.+-]*|[-+]?\.(?:inf|nan)|null|true|false)$/i;
const notPlainStart = /^[-?:,[\]{}#&*!|>'"%@`~+.]/;
const unquotedEnd = /: | #|[: ]$/;
/** Numbers in a flow that may need all their digits. */
const longNumber = /[\d.][eE.]|\d{16}/;
const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

/**
 * The value of a YAML text that is plain throughout; undefined for every other, whether it has a
 * problem or not. Takes time and memory linear in its length.
 *
 * @param maxDepth how many lists and mappings may be in each other
 */
export function readPlainYaml(text: string, maxDepth: number): JsonValue | undefined {
  if (special.test(text) || !text.endsWith('\n')) return undefined;
  try {
    return new PlainYaml(text, maxDepth).read();
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class PlainYaml {
  readonly #lines: readonly string[];
  readonly #maxDepth: number;
  #at = -1;
  /** Of the current line: where `#rest` begins, -1 behind the last line. */
  #indent = 0;
  #rest = '';

  constructor(text: string, maxDepth: number) {
    this.#lines = text.slice(0, -1).split('\n');
    this.#maxDepth = maxDepth;
  }

  read(): JsonValue {
    this.#next();
    const value = this.#block(0);
    if (this.#indent >= 0) throw new NotPlain();
    return value;
  }

  /** Moves to the next line that isn't empty and no comment. */
  #next(): void {
    for (this.#at += 1; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      const rest = line.trimStart();
      if (rest === '' || rest.startsWith('#')) continue;
      this.#indent = line.length - rest.length;
      this.#rest = rest;
      return;
    }
    this.#indent = -1;
    this.#rest = '';
  }

  #block(depth: number): JsonValue {
    const isList = entry.test(this.#rest);
    if (!isList && !pair.test(this.#rest)) return this.#scalar(this.#rest, depth);
    if (depth >= this.#maxDepth) throw new NotPlain();
    return isList ? this.#list(depth) : this.#mapping(depth);
  }

  #list(depth: number): JsonValue[] {
    const indent = this.#indent;
    const items: JsonValue[] = [];
    while (this.#indent === indent) {
      const mark = entry.exec(this.#rest);
      if (mark === null) break;
      const [{ length }] = mark;
      this.#indent += length;
      this.#rest = this.#rest.slice(length);
      items.push(/^[|>]/.test(this.#rest) ? this.#literal(indent) : this.#block(depth + 1));
      if (this.#indent > indent) throw new NotPlain();
    }
    return items;
  }

  #mapping(depth: number): JsonValue {
    const indent = this.#indent;
    // Its names begin with a letter, so that none has a meaning of its own in an object.
    const entries: JsonObject = {};
    while (this.#indent === indent) {
      const [whole, name = ''] = pair.exec(this.#rest) ?? [];
      if (whole === undefined) break;
      if (Object.hasOwn(entries, name) || typed.test(name)) throw new NotPlain();
      const rest = this.#rest.slice(whole.length);
      if (rest === '') {
        this.#next();
        // A list may begin below its name.
        const isBelow =
          this.#indent > indent || (this.#indent === indent && entry.test(this.#rest));
        entries[name] = isBelow ? this.#block(depth + 1) : null;
      } else {
        this.#rest = rest;
        entries[name] = /^[|>]/.test(rest) ? this.#literal(indent) : this.#scalar(rest, depth + 1);
      }
      // A value goes on in a line that is further in.
      if (this.#indent > indent) throw new NotPlain();
    }
    return entries;
  }

  /** A text of whole lines that are further in than `indent`. */
  #literal(indent: number): string {
    const header = this.#rest;
    if (header !== '|' && header !== '|-') throw new NotPlain();
    const first = this.#lines[this.#at + 1] ?? '';
    const own = first.length - first.trimStart().length;
    if (first.trim() === '' || own <= indent) throw new NotPlain();
    const lines: string[] = [];
    let at = this.#at + 1;
    for (; at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? '';
      if (line === '') {
        lines.push('');
        continue;
      }
      const trimmed = line.trimStart();
      if (trimmed === '') throw new NotPlain();
      if (line.length - trimmed.length < own) break;
      lines.push(line.slice(own));
    }
    while (lines.at(-1) === '') lines.pop();
    this.#at = at - 1;
    this.#next();
    // A comment further in than the text's owner ends it, and nothing may follow there.
    if (this.#indent > indent) throw new NotPlain();
    return `${lines.join('\n')}${header === '|' ? '\n' : ''}`;
  }

  #scalar(text: string, depth: number): JsonValue {
    const value = this.#valueOf(text, depth);
    this.#next();
    return value;
  }

  #valueOf(text: string, depth: number): JsonValue {
    const known = words.get(text);
    if (known !== undefined) return known;
    if (smallInteger.test(text)) return Number(text);
    if (doubleQuoted.test(text)) return JSON.parse(text) as string;
    if (singleQuoted.test(text)) return text.slice(1, -1).replaceAll("''", "'");
    if (/^[[{]/.test(text)) return this.#flow(text, depth);
    if (text === '' || notPlainStart.test(text) || unquotedEnd.test(text) || typed.test(text))
      throw new NotPlain();
    return text;
  }

  /** A list or object in one line that is JSON as well. */
  #flow(text: string, depth: number): JsonValue {
    if (longNumber.test(text)) throw new NotPlain();
    let value: JsonValue;
    try {
      value = JSON.parse(text) as JsonValue;
    } catch {
      throw new NotPlain();
    }
    if (exceedsDepth(value, this.#maxDepth - depth)) throw new NotPlain();
    if (inspectValue(value).names !== countNames(text)) throw new NotPlain();
    return value;
  }
}
