import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { codeOf, findCode, isCode, type CodeConstants } from './codeMarks.ts';
import { CodeReader } from './codeReader.ts';
import { constantStarts, freeName, named, tableStarts, templateTables } from './codeStarts.ts';

const maxDepth = 100;
/** Calls that stand for a list or an object without entries, or that of their only argument. */
const emptyCalls = new Set(['set', 'frozenset', 'list', 'tuple', 'dict']);

/**
 * Reads the constants of a program in TypeScript, JavaScript or Python as data. Nothing is run: an
 * expression that isn't written out is marked (`findCode`). Lists, objects, texts, numbers,
 * dataclasses with named arguments, `pytest.mark.parametrize` and `each` tables, also those in a
 * template, are read.
 */
export function readCodeConstants(source: string, isPython: boolean): CodeConstants {
  // In both languages the lines of a text end in one way, however the file has it.
  const text = source.replaceAll('\r\n', '\n');
  const lines = new WeakMap<object, number>();
  const value: Record<string, JsonValue> = {};
  const reader = new LiteralReader(text, isPython, lines);
  const spans: { from: number; to: number }[] = [];
  const added: JsonValue[] = [];
  for (const match of text.matchAll(/\.add_?(?:test_?|eval_?)?(?:case|example)\s*(?=\()/gi)) {
    const from = match.index + match[0].length;
    const read = reader.callAt(from);
    if (read !== null) added.push(read);
    spans.push({ from, to: reader.at });
  }
  if (added.length > 0) value['cases'] = added;
  for (const { name, at } of constantStarts(text, isPython)) {
    // A named argument of what was read already is no constant.
    if (spans.some(({ from, to }) => at > from && at < to)) continue;
    const read = reader.readAt(at);
    spans.push({ from: at, to: reader.at });
    if (typeof read === 'object' && read !== null && !isCode(read))
      value[freeName(value, name)] = read;
  }
  // What is added in a loop has code in it, so that it is counted and left out.
  for (const match of text.matchAll(/\b(\w+)\.(append|push|extend)\(\s*/g)) {
    const [, name = '', verb] = match;
    const list = value[name];
    const from = match.index + match[0].length;
    if (!Array.isArray(list) || spans.some(({ from: start, to }) => from > start && from < to))
      continue;
    const read = reader.readAt(from) ?? null;
    value[name] = [...list, ...(verb === 'extend' && Array.isArray(read) ? read : [read])];
  }
  for (const { names, at } of tableStarts(text)) {
    const rows = reader.readAt(at);
    if (Array.isArray(rows))
      value[freeName(value, 'rows')] = rows.map((row) => named(row, names, lines));
  }
  for (const { names, rows } of isPython ? [] : templateTables(text))
    value[freeName(value, 'rows')] = rows.map((cells) => {
      const row = cells.map((at) => reader.readAt(at));
      return named(reader.mark(row, cells[0] ?? 0), names, lines);
    });
  return { value, lineOf: (each) => lines.get(each) ?? null };
}

/** One value that is written out in the way of Python or JavaScript; undefined for anything else. */
export function readCodeValue(text: string): JsonValue | undefined {
  for (const isPython of [true, false]) {
    const reader = new LiteralReader(text, isPython, new WeakMap());
    const value = reader.readAt(0);
    if (reader.isAtEnd && findCode(value) === null) return value;
  }
  return undefined;
}

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', null],
]);
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
]);
/** Types whose name says something, and of these, checks of which tool is called. */
const isType = /^[A-Z][a-z]+[A-Z]/;
const isCheck = /^Tool\w*(?:Called|Sequence)$/;
const closers: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

/** A text in any quotes, whatever it holds. */
const wholeText =
  /[rRbBuUfF]{0,2}(?:"""[^]*?"""|'''[^]*?'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`)/;

/** Letters of a text that mean themselves in every kind of quotes. */
const plainLetters = /[^\\\n'"`${]+/;

/** Reads values that are written out, from a place in a program. */
class LiteralReader extends CodeReader {
  readonly #isPython: boolean;
  /** By the name of their class. */
  readonly #fields = new Map<string, readonly string[]>();

  constructor(text: string, isPython: boolean, lines: WeakMap<object, number>) {
    super(text, lines);
    this.#isPython = isPython;
  }

  readAt(at: number): JsonValue {
    this.place = at;
    return this.#value(0);
  }

  /** The arguments of a call that begin at a place; null if they have no names. */
  callAt(at: number): JsonObject | null {
    this.place = at;
    const read = this.#call('', 0);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
  }

  /** Whether nothing follows what was read. */
  get isAtEnd(): boolean {
    this.#skipSpace();
    return this.place >= this.text.length;
  }

  #skipSpace(): void {
    const space = this.#isPython ? /(?:\s|\\\n|#[^\n]*)*/y : /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
    space.lastIndex = this.place;
    this.place += space.exec(this.text)?.[0].length ?? 0;
  }

  #takeLetter(): string {
    const letter = this.text[this.place] ?? '';
    this.place += 1;
    return letter;
  }

  /** A whole expression: a value that ends where the next entry begins, or code. */
  #value(depth: number): JsonValue {
    this.#skipSpace();
    const start = this.place;
    const read = depth > maxDepth ? undefined : this.#operand(depth);
    let value = read;
    if (read !== undefined) {
      if (!this.#isPython) this.take(/\s*(?:as|satisfies)\s+(?:const|[\w.<>[\]| ]+)/);
      for (;;) {
        this.#skipSpace();
        // Texts that stand side by side in Python, or are joined by a plus, are one.
        const joined = this.take(/\+(?!\+)/) !== null || (this.#isPython && this.#atText());
        if (!joined || typeof value !== 'string') {
          if (joined) value = undefined;
          break;
        }
        this.#skipSpace();
        const next = this.#operand(depth);
        value = typeof next === 'string' ? value + next : undefined;
        if (value === undefined) break;
      }
    }
    this.#skipSpace();
    if (
      value !== undefined &&
      (this.place >= this.text.length || /[,\]});\n:]/.test(this.text[this.place] ?? ''))
    )
      return value;
    if (value !== undefined && depth === 0) return value;
    this.place = start;
    this.#skipExpression();
    return this.mark(codeOf(this.text.slice(start, this.place)), start);
  }

  #atText(): boolean {
    const sticky = /[rRbBuUfF]{0,2}["']/y;
    sticky.lastIndex = this.place;
    return sticky.test(this.text);
  }

  /** Undefined for anything that isn't written out. */
  #operand(depth: number): JsonValue | undefined {
    const first = this.text[this.place] ?? '';
    if (first === '[' || (first === '(' && this.#isPython)) return this.#list(first, depth);
    if (first === '(') {
      this.place += 1;
      const value = this.#value(depth + 1);
      this.#skipSpace();
      return this.take(/\)/) === null ? undefined : value;
    }
    if (first === '{') return this.#object(depth);
    if (this.#atText() || first === '`') return this.#string();
    const number = this.take(
      /[+-]?(?:0[xX][\da-fA-F]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][+-]?\d+)?)n?(?![\w.])/,
    );
    if (number !== null) return Number(number[0].replaceAll(/[_n]/g, ''));
    const name = this.take(/(?:new\s+)?[A-Za-z_$][\w$.]*/)?.[0];
    if (name === undefined) return undefined;
    if (words.has(name)) return words.get(name) ?? null;
    this.#skipSpace();
    return this.text[this.place] === '(' ? this.#call(name, depth) : this.textNamed(name);
  }

  #list(open: string, depth: number): JsonValue | undefined {
    const start = this.place;
    this.place += 1;
    const close = closers[open] ?? ']';
    const list: JsonValue[] = [];
    let hasComma = false;
    for (;;) {
      this.#skipSpace();
      if (this.place >= this.text.length) return undefined;
      if (this.text[this.place] === close) break;
      list.push(this.#value(depth + 1));
      this.#skipSpace();
      if (this.take(/,/) !== null) hasComma = true;
      else if (this.text[this.place] !== close) return undefined;
    }
    this.place += 1;
    // One value in parentheses is that value, not a list of one.
    if (open === '(' && list.length === 1 && !hasComma) return list[0];
    return this.mark(list, start);
  }

  #object(depth: number): JsonValue | undefined {
    const start = this.place;
    this.place += 1;
    const members: [string, JsonValue][] = [];
    const items: JsonValue[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.place >= this.text.length) return undefined;
      if (this.take(/\}/) !== null) break;
      if (/[\]);]/.test(this.text[this.place] ?? '')) return undefined;
      const key = this.#key();
      this.#skipSpace();
      if (key !== null && this.take(/:/) !== null) members.push([key, this.#value(depth + 1)]);
      else if (key !== null && this.#isPython) items.push(key);
      else {
        const at = this.place;
        this.#skipExpression();
        members.push([
          key ?? `\0${members.length}`,
          codeOf(key ?? this.text.slice(at, this.place)),
        ]);
      }
      this.#skipSpace();
      this.take(/,/);
    }
    return this.mark(
      items.length > 0 && members.length === 0 ? items : Object.fromEntries(members),
      start,
    );
  }

  /** Null for a name that is computed, spread or no plain value. */
  #key(): string | null {
    if (this.#atText()) return this.#string() ?? null;
    return this.take(/[\w$-]+/)?.[0] ?? null;
  }

  /** The named arguments of a call, as of a dataclass, or its only argument, an object. */
  #call(callee: string, depth: number): JsonValue | undefined {
    const start = this.place;
    this.place += 1;
    const members: [string, JsonValue][] = [];
    const items: JsonValue[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.place >= this.text.length) return undefined;
      if (this.take(/\)/) !== null) break;
      // A bracket that nothing has opened ends the text.
      if (/[\]};]/.test(this.text[this.place] ?? '')) return undefined;
      const name = this.take(/([A-Za-z_]\w*)\s*=(?!=)/)?.[1];
      // What is called may stand as itself instead of its name.
      const own = /^func(?:tion)?$|^tool$/.test(name ?? '')
        ? this.take(/[A-Za-z_][\w.]*(?=\s*[,)])/)
        : null;
      const value = own?.[0].split('.').at(-1) ?? this.#value(depth + 1);
      if (name === undefined) items.push(value);
      else members.push([name, value]);
      this.#skipSpace();
      this.take(/,/);
    }
    const [only] = items;
    if (items.length + members.length === 0 && emptyCalls.has(callee))
      return callee === 'dict' ? {} : [];
    if (items.length === 1 && members.length === 0 && emptyCalls.has(callee) && Array.isArray(only))
      return only;
    if (
      items.length === 1 &&
      members.length === 0 &&
      typeof only === 'object' &&
      !Array.isArray(only)
    )
      return only;
    const isRow = callee === 'pytest.param' || (depth === 1 && /^[A-Z]/.test(callee));
    if (isRow && items.length > 0) {
      if (callee === 'pytest.param') return items.length === 1 ? only : items;
      const names = this.#fieldsOf(callee);
      for (const [at, item] of items.entries())
        members.unshift([names[at] ?? `column ${at + 1}`, item]);
    } else if (isCheck.test(callee) || (items.length > 0 && isType.test(callee))) {
      // `ToolWasCalled("find_book")` in a list says by its type what it is.
      if (items.length > 0) members.unshift(['value', items.length === 1 ? (only ?? null) : items]);
      members.unshift(['type', callee]);
    } else if (items.length > 0 || members.length === 0) return undefined;
    return this.mark(Object.fromEntries(members), start);
  }

  /** The names of the fields of a dataclass of the same program, in their order; none of any other. */
  #fieldsOf(callee: string): readonly string[] {
    const known = this.#fields.get(callee);
    if (known !== undefined) return known;
    const start = new RegExp(`^class ${callee}\\b[^\\n]*:[^\\n]*\\n`, 'm').exec(this.text);
    const fields: string[] = [];
    const lines = start === null ? [] : this.text.slice(start.index + start[0].length).split('\n');
    for (const line of lines) {
      if (/^\S|^\s+(?:def|@)/.test(line)) break;
      const name = /^\s+([a-z_]\w*)\s*:(?!:)/i.exec(line)?.[1];
      if (name !== undefined) fields.push(name);
    }
    this.#fields.set(callee, fields);
    return fields;
  }

  /** Undefined for a text with expressions in it. */
  #string(): string | undefined {
    const prefix = this.take(/[rRbBuUfF]{0,2}(?=["'])/)?.[0].toLowerCase() ?? '';
    const quote = this.take(/"""|'''|["'`]/)?.[0];
    if (quote === undefined) return undefined;
    const isRaw = prefix.includes('r');
    let text = '';
    for (;;) {
      if (this.place >= this.text.length) return undefined;
      if (this.text.startsWith(quote, this.place)) break;
      const letter = this.text[this.place] ?? '';
      if (letter === '\n' && quote.length === 1 && quote !== '`') return undefined;
      if (
        (quote === '`' && this.text.startsWith('${', this.place)) ||
        (prefix.includes('f') && letter === '{')
      )
        return undefined;
      if (letter === '\\' && !isRaw) text += this.#escape();
      else text += this.take(plainLetters)?.[0] ?? this.#takeLetter();
    }
    this.place += quote.length;
    return text;
  }

  #escape(): string {
    const code = this.take(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|U([\da-fA-F]{8}))/,
    );
    if (code !== null) {
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? code[4] ?? '', 16);
      return point <= 0x10_ff_ff ? String.fromCodePoint(point) : '';
    }
    const letter = this.text[this.place + 1] ?? '';
    this.place += 2;
    return letter === '\n' ? '' : (escapes.get(letter) ?? letter);
  }

  /** Moves behind an expression, whose brackets and texts may hold anything. */
  #skipExpression(): void {
    let open = 0;
    while (this.place < this.text.length) {
      const before = this.place;
      this.#skipSpace();
      if (this.take(wholeText) !== null) continue;
      const letter = this.text[this.place] ?? '';
      if (open === 0 && /[,;\]})]/.test(letter)) return;
      if (/[[({]/.test(letter)) open += 1;
      else if (/[\])}]/.test(letter)) open -= 1;
      this.place = Math.max(this.place + 1, before + 1);
    }
  }
}
