import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { codeOf, isCode, type CodeConstants } from './codeMarks.ts';
import { CodeReader } from './codeReader.ts';

/** A text in the quotes of any language, with what stands before and after them. */
const rawText = /r(#*)"([^]*?)"\1(?!#)|@"((?:""|[^"])*)"|"""([^]*?)"""|`([^`]*)`/y;
const quotedText = /"((?:\\[^]|[^"\\\n])*)"|'((?:\\[^]|[^'\\\n])*)'/y;
const afterText =
  /(?:\.(?:to_string|to_owned|into|trimIndent|strip|freeze)\b(?:\(\))?|\s*as\s+\w+)*/y;
/** Expressions in a text, in the ways of Kotlin, Ruby and C#. */
const filledIn = /\$\{|#\{/;
const numberText =
  /[+-]?(?:0x[\da-f]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?)(?:[fFdDlLmMuU]|[iu]\d+)?(?![\w.])/iy;
const wordText = /(?:true|false|null|nil|nullptr|None|undefined|NULL)\b(?!\s*[:({])/y;
/** `[]Case`, `map[string][]Case`, and a struct that is written out, before their entries. */
const goType = /(?:\[\w*\]|map\[[\w.]+\])+(?:\*?struct\s*\{([^{}]*)\}|\*?[\w.]*)\s*(?=\{)/y;
const typeName = /[A-Za-z_][\w.]*(?:::\w+)*(?:::)?(?:<[^(){};"]*?>)?(?:\[\d*\])*/y;
const keyText =
  /(?:([A-Za-z_$][\w$-]*\??)|:(\w+)|\["((?:\\.|[^"\\\n])*)"\](?=\s*=)|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)')\s*(?:=>|:(?![:=])|=(?![=>])|to\s)\s*/y;
const spaceText = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/|#(?![[{"])[^\n]*)*/y;

/** Calls and types that hold entries of one kind, and those that hold one value. */
const collection =
  /^(?:(?:java\.util\.)?(?:List|Set|Stream|Arrays|ImmutableList|Collections)\.(?:of|asList|copyOf)|(?:mutable)?(?:[lL]ist|[sS]et|[aA]rray(?:List)?|[sS]equence)(?:Of)?|vec|Vec|Arguments\.(?:of|arguments)|arguments|(?:I?(?:ReadOnly)?(?:List|Collection|Enumerable)|HashSet|TheoryData|std::vector|String|string|object|var)(?:<.*>)?(?:\[\d*\])*)$/;
const wrapper =
  /^(?:Some|Ok|Just|Box::new|String::from|Optional\.of(?:Nullable)?|std::(?:string|make_optional|optional.*)|Set|Array)$/;
const mapping =
  /^(?:Map\.(?:of|ofEntries)|(?:mutable|hash)?[mM]apOf|.*Dictionary.*|(?:Hash|Tree)?Map.*)$/;

const closers: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };
const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:u\{?([\da-fA-F]{1,6})\}?|([^]))/g,
    (_all, code: string | undefined, letter: string) =>
      code === undefined
        ? (escapes[letter] ?? letter)
        : Number.parseInt(code, 16) <= 0x10_ff_ff
          ? String.fromCodePoint(Number.parseInt(code, 16))
          : '',
  );

const maxDepth = 60;

/**
 * Reads the constants of a program in a language with braces (Go, Rust, Java, Kotlin, C#, Swift, C++)
 * or in Ruby or PHP as data, by what all of them write alike: entries in brackets, with or without
 * names, behind the name of their type or of a call. Nothing is run: what isn't written out is marked
 * (`findCode`). Values without names get those of the fields that the program declares.
 */
export function readSourceConstants(source: string): CodeConstants {
  const text = source.replaceAll('\r\n', '\n');
  const reader = new SourceReader(text);
  const value: Record<string, JsonValue> = {};
  let end = 0;
  for (const match of text.matchAll(
    /(?:([A-Za-z_]\w*)(?:[ \t]*:[^=;{}\n]+)?\s*(?::?=)(?![=>])|\breturn\b|->[^={;\n]*\{)\s*(?=\S)/g,
  )) {
    const from = match.index + match[0].length;
    if (from < end) continue;
    const read = reader.readAt(from);
    if (typeof read !== 'object' || read === null || isCode(read)) continue;
    end = reader.at;
    let name = match[1] ?? 'returned';
    for (let number = 2; Object.hasOwn(value, name); number += 1)
      name = `${match[1] ?? 'returned'} ${number}`;
    value[name] = read;
  }
  const rows = reader.rows();
  if (rows.length > 0) value['rows'] = rows;
  return { value, lineOf: (each) => reader.lineOf(each) };
}

class SourceReader extends CodeReader {
  readonly #fields = new Map<string, readonly string[]>();

  readAt(at: number): JsonValue {
    this.place = at;
    return this.#value(0, []);
  }

  /** The values of annotated tests: `[InlineData("…", "…")]`, `#[case("…", "…")]`. */
  rows(): JsonValue[] {
    const rows: JsonValue[] = [];
    for (const match of this.text.matchAll(
      /[[#]\s*\[?(?:InlineData|TestCase|DataRow|case)(?:::\w+)?\s*(?=\()/g,
    )) {
      this.place = match.index + match[0].length;
      const cells = this.#group([], 0, 'list');
      if (!Array.isArray(cells) || cells.length < 2) continue;
      const method = /(?:void|Task|fn)\s+\w+\s*\(([^)]*)\)/g;
      method.lastIndex = this.place;
      const names = parameterNames(method.exec(this.text)?.[1] ?? '');
      rows.push(this.mark(named(cells, names), match.index));
    }
    return rows;
  }

  #skipSpace(): void {
    this.take(spaceText);
  }

  /** A whole value, or code up to where the next entry begins. */
  #value(depth: number, fields: readonly string[]): JsonValue {
    this.#skipSpace();
    const start = this.place;
    let value = depth > maxDepth ? undefined : this.#operand(depth, fields);
    this.#skipSpace();
    while (typeof value === 'string' && this.take(/\+(?![+=])|\.(?=\s*["'])/y) !== null) {
      this.#skipSpace();
      const next = this.#operand(depth, fields);
      value = typeof next === 'string' ? value + next : undefined;
      this.#skipSpace();
    }
    const isEnd = depth === 0 || /^[,;\])}]?$/.test(this.text[this.place] ?? '');
    if (value !== undefined && isEnd) return value;
    this.place = start;
    this.#skipExpression();
    return this.mark(codeOf(this.text.slice(start, this.place)), start);
  }

  #operand(depth: number, fields: readonly string[]): JsonValue | undefined {
    this.take(/(?:&(?:mut\b)?\s*|new\b\s*|const\b\s*|static\b\s*|\.(?=\{)|\(\s*\)\s*(?=\{))*/y);
    const text = this.#string();
    if (text !== undefined) return text;
    const number = this.take(numberText);
    if (number !== null) return Number(number[0].replaceAll(/_|[fFdDlLmMuU]$|[iu]\d+$/g, ''));
    const word = this.take(wordText)?.[0];
    if (word !== undefined) return word === 'true' ? true : word === 'false' ? false : null;
    const symbol = this.take(/:(\w+)/y)?.[1];
    if (symbol !== undefined) return symbol;
    const ofGo = this.take(goType);
    if (ofGo !== null) {
      const type = /(\w+)\s*$/.exec(ofGo[0])?.[1];
      const own = ofGo[1] === undefined ? this.#fieldsOf(type ?? '') : structFields(ofGo[1]);
      return this.#group(own, depth, 'list');
    }
    if (/[[({]/.test(this.text[this.place] ?? '')) return this.#group(fields, depth, 'list');
    const name = this.take(typeName)?.[0];
    if (name === undefined) return undefined;
    this.take(/!(?=[[(])/y);
    this.#skipSpace();
    if (!/[[({]/.test(this.text[this.place] ?? '')) return this.textNamed(name);
    const plain = name.replace(/::<.*>$/, '');
    if (mapping.test(plain)) return this.#group([], depth, 'map');
    if (collection.test(plain)) {
      // `new List<Case>()` may have its entries behind it.
      this.take(/\(\s*\)\s*(?=\{)/y);
      return this.#group(this.#fieldsOf(/<(\w+)>/.exec(plain)?.[1] ?? ''), depth, 'list');
    }
    if (wrapper.test(plain)) {
      const only = this.#group([], depth, 'list');
      return Array.isArray(only) && only.length === 1 ? only[0] : only;
    }
    // What any other call in small letters gives, only the program knows.
    if (!/^(?:[A-Z]\w*(?:\.|::))*[A-Z]/.test(plain)) return undefined;
    const own = this.#fieldsOf(plain);
    this.take(/\(\s*\)\s*(?=\{)/y);
    const read = this.#group(own, depth, 'list');
    return Array.isArray(read) && own.length === 0 && /\($/.test(this.#opened)
      ? this.mark(named(read, []), this.place)
      : read;
  }

  #opened = '';

  /** Entries in brackets: an object where they have names, else a list of them. */
  #group(fields: readonly string[], depth: number, kind: 'list' | 'map'): JsonValue | undefined {
    const start = this.place;
    const open = this.text[this.place] ?? '';
    const close = closers[open];
    if (close === undefined) return undefined;
    this.place += 1;
    const members: [string, JsonValue][] = [];
    const items: JsonValue[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.place >= this.text.length) return undefined;
      if (this.text[this.place] === close) break;
      // The other fields of a value in Rust have their defaults.
      if (this.take(/\.\.[^,}]*/y) !== null) continue;
      const key = this.#key();
      const before = this.place;
      const value = this.#value(depth + 1, fields);
      if (key === null) items.push(value);
      else members.push([key, value]);
      this.#skipSpace();
      if (this.take(/[,;]/y) === null && this.text[this.place] !== close) {
        // A bracket that nothing has opened ends the text.
        if (this.place === before || /[\])}]/.test(this.text[this.place] ?? '')) return undefined;
      }
    }
    this.place += 1;
    this.#opened = open;
    if (kind === 'map') {
      const flat = items.every((each) => Array.isArray(each) && each.length === 2)
        ? (items as JsonValue[][])
        : items.flatMap((each, at) => (at % 2 === 0 ? [[each, items[at + 1] ?? null]] : []));
      for (const [name = '', value = null] of flat)
        members.push([typeof name === 'string' ? name : JSON.stringify(name), value]);
      return this.mark(Object.fromEntries(members), start);
    }
    if (members.length === 0) {
      // Entries of a type whose fields the program declares have their names.
      const isRow = items.some((each) => typeof each !== 'object' || each === null);
      const isOwn = open !== '[' && isRow && items.length <= fields.length;
      return this.mark(isOwn ? named(items, fields) : items, start);
    }
    const all = { ...named(items, fields), ...Object.fromEntries(members) };
    return this.mark(all, start);
  }

  #key(): string | null {
    const found = this.take(keyText);
    if (found === null) return null;
    const [, name, symbol, ...texts] = found;
    return (name ?? symbol ?? unescaped(texts.join(''))).replace(/\?$/, '');
  }

  /** Undefined for a text with expressions in it. */
  #string(): string | undefined {
    const isFilled = this.take(/\$(?=@?")/y) !== null;
    const raw = this.take(rawText);
    const quoted = raw === null ? this.take(quotedText) : null;
    const found = raw ?? quoted;
    if (found === null) return undefined;
    const written =
      raw === null
        ? unescaped(quoted?.[1] ?? quoted?.[2] ?? '')
        : (raw[2] ?? raw[3]?.replaceAll('""', '"') ?? raw[4] ?? raw[5] ?? '');
    this.take(afterText);
    if (filledIn.test(found[0]) || (isFilled && /\{\w/.test(written))) return undefined;
    return raw?.[4] === undefined ? written : withoutMargin(written);
  }

  /** Moves behind an expression, whose brackets and texts may hold anything. */
  #skipExpression(): void {
    let open = 0;
    while (this.place < this.text.length) {
      this.#skipSpace();
      if (this.take(rawText) !== null || this.take(quotedText) !== null) continue;
      const letter = this.text[this.place] ?? '';
      if (open === 0 && /[,;\]})]/.test(letter)) return;
      if (/[[({]/.test(letter)) open += 1;
      else if (/[\])}]/.test(letter)) open -= 1;
      this.place += 1;
    }
  }

  /** The names of the fields that the program declares for a type, in their order. */
  #fieldsOf(type: string): readonly string[] {
    if (!/^\w+$/.test(type)) return [];
    const known = this.#fields.get(type);
    if (known !== undefined) return known;
    // `type X struct { … }` and `struct X { … }`, or the parameters of a record or constructor.
    const struct = new RegExp(
      `\\b(type\\s+)?(?:${type}\\s+struct|struct\\s+${type})\\s*\\{([^{}]*)\\}`,
    ).exec(this.text);
    const header = new RegExp(
      `\\b(?:(?:record|class|struct)\\s+(?:struct\\s+|class\\s+)?|(?:public|internal|private)?\\s+)${type}(?:<[^>]*>)?\\s*\\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)\\s*[{:;\\n]`,
    );
    const fields =
      struct === null
        ? parameterNames(header.exec(this.text)?.[1] ?? '')
        : struct[1] === undefined
          ? (struct[2] ?? '')
              .split(/[;\n]/)
              .flatMap((line) => parameterNames(line.replace(/\/\/.*/, '')))
          : structFields(struct[2] ?? '');
    this.#fields.set(type, fields);
    return fields;
  }
}

const named = (items: readonly JsonValue[], names: readonly string[]): JsonObject =>
  Object.fromEntries(items.map((each, at) => [names[at] ?? `column ${at + 1}`, each]));

/** `query, tool string` and `Query string` of Go. */
function structFields(body: string): string[] {
  return body.split(/[;\n]/).flatMap((line) => {
    const written = line.replace(/\/\/.*|`[^`]*`/g, '').trim();
    const names = /^((?:\w+\s*,\s*)*\w+)\s+[\w[\]*.]+/.exec(written)?.[1] ?? '';
    return names.split(/\s*,\s*/).filter((name) => name !== '');
  });
}

/** `val query: String`, `String query`, `std::string query` and `query: &str`. */
const parameterNames = (list: string): string[] =>
  list
    .split(/,(?![^<(]*[>)])/)
    .map((each) => {
      const written = each
        .replace(/=.*$/s, '')
        .replaceAll(/#?\[[^\]]*\]|@\w+(?:\([^)]*\))?/g, '')
        .trim();
      return /(\w+)\s*:(?!:)/.exec(written)?.[1] ?? /(\w+)\s*(?:\[\])?$/.exec(written)?.[1] ?? '';
    })
    .filter((name) => name !== '');

/** A text of several lines without the indentation that all of them have. */
function withoutMargin(text: string): string {
  const lines = text.replace(/^[ \t]*\n/, '').split('\n');
  const margin = Math.min(
    ...lines
      .filter((line) => line.trim() !== '')
      .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0),
  );
  return lines
    .map((line) => line.slice(Number.isFinite(margin) ? margin : 0))
    .join('\n')
    .trimEnd();
}
