import { formatCount } from '../../../src-shared/display/numbers.ts';
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type Alias,
  type Document,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { readNumber } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';

export interface TextProblem {
  offset: number;
  message: string;
}

/** Limits of a file. They are checked while reading, before anything of that size is allocated. */
export const limits = {
  /** Nesting of collections. */
  depth: 100,
  /** YAML tokens: about 20,000 cases. The tree with positions needs some 200 bytes per token. */
  tokens: 2_000_000,
  /**
   * Values that aliases repeat: a few lines of aliases could expand to more than fits into memory.
   */
  repeated: 100_000,
} as const;

/** `json` rejects plain words, so that NaN or undefined in a JSON text does not become a string. */
export type Notation = 'core' | 'json';

type AnyNode = ParsedNode | Alias | null;
type AnyMap = YAMLMap<AnyNode, AnyNode>;

/** Thrown to stop reading a text whose rest cannot be understood. */
class Unreadable extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** A parsed text that knows the position of every value. */
export class YamlTree {
  readonly #lines: LineCounter;
  readonly #document: Document.Parsed;
  /** Long texts, by where they begin. */
  readonly #long: ReadonlyMap<number, string>;
  readonly #anchors = new Map<string, AnyNode>();
  /** Index of an object's members, built when a problem is located in it; objects can be large. */
  readonly #members = new WeakMap<AnyMap, Map<string, AnyMap['items'][number]>>();

  private constructor(
    document: Document.Parsed,
    lines: LineCounter,
    long: ReadonlyMap<number, string>,
  ) {
    this.#document = document;
    this.#lines = lines;
    this.#long = long;
  }

  /** Returns a tree or problems: a text with a syntax error has no tree. */
  static parse(
    text: string,
    notation: Notation,
    counted?: TokenCount,
  ): {
    tree: YamlTree | null;
    problems: TextProblem[];
    tooLarge: boolean;
    place: (offset: number) => Place;
  } {
    const lines = new LineCounter();
    const place = (offset: number): Place => placeIn(lines, offset);
    try {
      const long = new Map<number, string>();
      const documents = [...compose(text, notation, lines, long, counted)];
      const problems = documents
        .flatMap(({ errors, warnings }) => [...errors, ...warnings])
        .map(({ pos, message }) => ({ offset: pos[0], message: `${message}.` }));
      const [document, second] = documents;
      if (second?.range)
        problems.push({
          offset: second.range[0],
          message: 'A second YAML document starts here. Use one file per suite.',
        });
      const tree =
        document !== undefined && problems.length === 0
          ? new YamlTree(document, lines, long)
          : null;
      return { tree, problems, tooLarge: false, place };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return { tree: null, problems: [error], tooLarge: true, place };
    }
  }

  /**
   * The value as plain JSON types, with aliases replaced by copies of their targets. `isComplete`
   * is false if a problem ended the conversion, `repeated` counts what aliases repeat.
   * @param above levels of the file above this text
   */
  toValue(above = 0): {
    value: JsonValue;
    problems: TextProblem[];
    isComplete: boolean;
    repeated: number;
  } {
    const problems: TextProblem[] = [];
    let repeated = 0;

    const convert = (node: AnyNode, depth: number, insideAlias: boolean): JsonValue => {
      if (node === null) return null;
      const offset = node.range?.[0] ?? 0;
      if (insideAlias && (repeated += 1) > limits.repeated)
        throw new Unreadable(
          offset,
          `Aliases repeat more than ${formatCount(limits.repeated)} values here. Write the values out.`,
        );
      if (isAlias(node)) {
        const target = this.#anchors.get(node.source);
        if (target === undefined)
          throw new Unreadable(offset, `The alias *${node.source} has no anchor above it.`);
        return convert(target, depth, true);
      }
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
      if (isScalar(node)) return this.#long.get(offset) ?? scalarValue(node);
      if (depth >= limits.depth) throw tooDeep(offset);
      if (isSeq(node)) return node.items.map((item) => convert(item, depth + 1, insideAlias));
      return convertMap(node, depth, insideAlias);
    };
    const convertMap = (map: AnyMap, depth: number, insideAlias: boolean): JsonValue => {
      const entries = new Map<string, JsonValue>();
      const merged = new Map<string, JsonValue>();
      for (const { key, value } of map.items) {
        const name = this.#nameOf(key);
        // What `<<` merges, as most programs read it: own members come first, then earlier ones.
        if (name === '<<' && isPlain(key)) {
          const shared = [convert(value, depth + 1, insideAlias)].flat();
          if (shared.every(isJsonObject)) {
            for (const [each, member] of shared.flatMap((object) => Object.entries(object)))
              if (!merged.has(each)) merged.set(each, member);
            continue;
          }
        }
        if (entries.has(name))
          problems.push({
            offset: key?.range?.[0] ?? 0,
            message: `The object has ${JSON.stringify(name)} twice. Rename one.`,
          });
        // YAML reads {a:b} as the name "a:b" of nothing.
        if (value === null && map.flow === true && /^[^\s:]+:\S/.test(name) && isPlain(key))
          problems.push({
            offset: key?.range?.[0] ?? 0,
            message: `${JSON.stringify(name)} is a name without a value. Put a space behind the colon, or the name in quotes.`,
          });
        entries.set(name, convert(value, depth + 1, insideAlias));
      }
      // `fromEntries` instead of assignments, so that a name such as "__proto__" becomes an
      // ordinary property.
      return Object.fromEntries([...merged, ...entries]);
    };

    try {
      const value = convert(this.#document.contents, above, false);
      return { value, problems, isComplete: true, repeated };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return { value: null, problems: [...problems, error], isComplete: false, repeated };
    }
  }

  /** Position of a value or of its name. Missing values get the position of their parent. */
  locate(path: JsonPath, part: 'name' | 'value'): Place {
    return this.place(this.#find(path, part).offset);
  }

  /** True if a value without quotes ends at "#", because YAML begins a comment there. */
  endsAtComment(path: JsonPath, text: string): boolean {
    const { node, found } = this.#find(path, 'value');
    if (!found || !isScalar(node)) return false;
    const isPlain = node.type === 'PLAIN' || node.source === '';
    return isPlain && /^[ \t]*#/.test(text.slice(node.range[1], node.range[1] + 200));
  }

  /** The value at a path, or the nearest one above it that there is. */
  #find(path: JsonPath, part: 'name' | 'value'): { node: AnyNode; offset: number; found: boolean } {
    let node: AnyNode = this.#document.contents;
    let offset = node?.range?.[0] ?? 0;
    for (const [index, step] of path.entries()) {
      if (isAlias(node)) node = this.#anchors.get(node.source) ?? null;
      if (isSeq(node)) node = (node as YAMLSeq<AnyNode>).items[Number(step)] ?? null;
      else if (isMap(node)) {
        const pair = this.#membersOf(node).get(String(step));
        if (pair === undefined) return { node, offset, found: false };
        if (index === path.length - 1 && part === 'name')
          return { node, offset: pair.key?.range?.[0] ?? offset, found: true };
        offset = pair.key?.range?.[0] ?? offset;
        node = pair.value;
      } else return { node, offset, found: false };
      offset = node?.range?.[0] ?? offset;
    }
    return { node, offset, found: true };
  }

  #nameOf(key: AnyNode): string {
    if (!isScalar(key)) return '';
    return this.#long.get(key.range[0]) ?? String(key.value);
  }

  #membersOf(map: AnyMap): Map<string, AnyMap['items'][number]> {
    let members = this.#members.get(map);
    if (members === undefined)
      this.#members.set(
        map,
        (members = new Map(map.items.map((pair) => [this.#nameOf(pair.key), pair]))),
      );
    return members;
  }

  place(offset: number): Place {
    return placeIn(this.#lines, offset);
  }
}

const isPlain = (node: AnyNode): boolean => isScalar(node) && node.type === 'PLAIN';

export interface Place {
  line: number;
  column: number;
}

function placeIn(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** Plain words such as `.inf` and `0x1F` have no decimal text: they keep the value they were given. */
function scalarValue({ value, source }: Scalar): JsonValue {
  const exact = typeof value === 'number' && source !== undefined ? readNumber(source) : NaN;
  return Number.isNaN(exact) ? (value as JsonValue) : exact;
}

const tooDeep = (offset: number) =>
  new Unreadable(
    offset,
    `Values are nested deeper than ${formatCount(limits.depth)} levels here. Flatten them.`,
  );

/** Longer texts are counted before anything is built of them. */
const maxUncountedLength = 4 * 1024 * 1024;

/** The tokens of a file so far, if it is read in parts. */
export interface TokenCount {
  tokens: number;
  /** Left out: as many as a whole file may have. */
  most?: number;
}

/** A pass over the tokens alone takes a fraction of the time, and no memory. */
function refuseManyTokens(text: string, lines: LineCounter): void {
  let [count, offset] = [0, 0];
  for (const lexeme of new Lexer().lex(text)) {
    if ((count += 1) > limits.tokens) {
      // The place of a token needs the beginnings of lines.
      for (let at = 0; at > -1 && at <= offset; at = nextLine(text, at)) lines.addNewLine(at);
      throw tooManyTokens(offset);
    }
    if (!markers.has(lexeme)) offset += lexeme.length;
  }
}

/** Lexemes that stand for no text: of a byte order mark, a document, flow and a scalar. */
const markers = new Set(['\u{feff}', '\u0002', '\u0018', '\u001f']);

const nextLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? -1 : end + 1;
};

const tooManyTokens = (offset: number) =>
  new Unreadable(
    offset,
    `The file has more than ${formatCount(limits.tokens)} YAML tokens. Write it as JSON, or split it.`,
  );

/** Below, the library is faster. */
const longText = 256;

/**
 * Takes a long text out of the token that was parsed last. The library builds the value of a quoted
 * one character by character, which takes 40 bytes for each. With its lines folded and no escapes but
 * those of JSON, it is a text of JSON, which YAML 1.2 includes.
 */
function shortenText({ stack }: Parser, long: Map<number, string>): void {
  const top = stack.at(-1);
  const item = top?.type === 'flow-collection' ? top.items.at(-1) : undefined;
  const token = item === undefined ? top : (item.value ?? item.key);
  if (token?.type !== 'double-quoted-scalar' || token.source.length < longText) return;
  const value = orElse(() => JSON.parse(foldLines(token.source)) as string, null);
  if (value === null) return;
  long.set(token.offset, value);
  // Of the same length, because the places of what follows are counted from it.
  token.type = 'single-quoted-scalar';
  token.source = `'${'x'.repeat(token.source.length - 2)}'`;
}

/**
 * The lines of a double-quoted text as one: a break is a space, and each further one stays. Throws at
 * an escaped break, which JSON doesn't know. https://yaml.org/spec/1.2.2/#65-line-folding
 */
function foldLines(source: string): string {
  if (!source.includes('\n')) return source;
  const lines = source.split('\n');
  let [folded, breaks] = ['', 0];
  for (const [at, line] of lines.entries()) {
    let [start, end] = [0, line.length];
    if (at > 0) while (start < end && isBlank(line, start)) start += 1;
    if (at < lines.length - 1) while (end > start && isBlank(line, end - 1)) end -= 1;
    if (line[end - 1] === '\\' && at < lines.length - 1) throw new SyntaxError('an escaped break');
    const text = line.slice(start, end);
    if (at > 0 && (text !== '' || at === lines.length - 1)) {
      folded += breaks === 0 ? ' ' : '\\n'.repeat(breaks);
      breaks = 0;
    } else if (at > 0) breaks += 1;
    folded += text;
  }
  return folded;
}

const isBlank = (line: string, at: number): boolean => ' \t\r'.includes(line.charAt(at));

/**
 * Feeds the parser token by token, so that depth and size are rejected before recursion or memory
 * can fail.
 */
function* compose(
  text: string,
  notation: Notation,
  lines: LineCounter,
  long: Map<number, string>,
  count: TokenCount = { tokens: 0 },
): Generator<Document.Parsed> {
  if (text.length > maxUncountedLength) refuseManyTokens(text, lines);
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    shortenText(parser, long);
    // The stack also contains the document and the current value; `toValue` counts exactly.
    if (parser.stack.length > limits.depth + 10) throw tooDeep(parser.offset);
    if ((count.tokens += 1) > (count.most ?? limits.tokens)) throw tooManyTokens(parser.offset);
  }
  for (const token of parser.end()) tokens.push(token);
  const composer = new Composer({
    schema: notation,
    version: '1.2',
    stringKeys: true,
    // The library compares keys pairwise in quadratic time; `toValue` finds duplicates itself.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  yield* composer.compose(tokens, true, text.length);
}
