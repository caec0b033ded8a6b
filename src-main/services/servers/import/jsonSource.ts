import {
  createScanner,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { formatPointer, type JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import type { FileProblem } from '../../../../src-shared/domain/suiteFile.ts';
import type { ParsedSource } from './serverFile.ts';

/**
 * Deeper than any configuration that a person wrote. Checked before parsing, because the parser
 * recurses.
 */
const maxDepth = 100;
// The package declares its token kinds as a const enum, which cannot be used with isolated modules.
const openBrace = 1;
const closeBrace = 2;
const openBracket = 3;
const closeBracket = 4;
const endOfText = 17;

/**
 * Reads JSON with comments and trailing commas. Never throws: errors become problems with line and
 * column.
 */
export function readJsonSource(text: string): ParsedSource {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const locateOffset = createLocator(source);
  const problem = (offset: number, path: JsonPath, message: string): FileProblem => ({
    ...locateOffset(offset),
    path: formatPointer(path),
    message,
  });

  const tooDeepAt = findExcessiveDepth(source);
  if (tooDeepAt !== null)
    return {
      problems: [problem(tooDeepAt, [], `Values are nested deeper than ${maxDepth} levels here.`)],
    };
  const errors: ParseError[] = [];
  const tree = parseTree(source, errors, { allowTrailingComma: true });
  if (tree === undefined || errors.length > 0) {
    const [first] = errors;
    return {
      problems: [
        problem(
          first?.offset ?? 0,
          [],
          first ? describeParseError(printParseErrorCode(first.error)) : 'The file is empty.',
        ),
      ],
    };
  }
  const problems: FileProblem[] = [];
  const value = toValue(tree, [], (node, path, message) =>
    problems.push(problem(node.offset, path, message)),
  );
  if (problems.length > 0) return { problems };
  return { value, problemAt: (path, message) => problem(locate(tree, path).offset, path, message) };
}

/** Offset at which the nesting exceeds the limit, or null. The scanner does not recurse. */
function findExcessiveDepth(text: string): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) depth += 1;
    if (token === closeBrace || token === closeBracket) depth -= 1;
    if (depth > maxDepth) return scanner.getTokenOffset();
  }
  return null;
}

function toValue(
  node: Node,
  path: JsonPath,
  report: (node: Node, path: JsonPath, message: string) => void,
): JsonValue {
  const children = node.children ?? [];
  if (node.type === 'array')
    return children.map((child, index) => toValue(child, [...path, index], report));
  if (node.type !== 'object') {
    const value = node.value as JsonValue;
    if (typeof value === 'number' && !Number.isFinite(value))
      report(node, path, 'The number is too large to be kept.');
    return value;
  }
  const entries = new Map<string, JsonValue>();
  for (const { children: [key, child] = [] } of children) {
    if (key === undefined || child === undefined) continue;
    const name = String(key.value);
    const at = [...path, name];
    if (name === '__proto__') report(key, at, 'The name "__proto__" is refused.');
    if (entries.has(name))
      report(key, at, `The name ${JSON.stringify(name)} occurs twice in the same object.`);
    entries.set(name, toValue(child, at, report));
  }
  // `fromEntries` instead of assignments, so that a name such as "constructor" becomes an ordinary
  // property.
  return Object.fromEntries(entries);
}

/** The node at a path, or its nearest existing ancestor. */
function locate(root: Node, path: JsonPath): Node {
  let node = root;
  for (const step of path) {
    const below =
      typeof step === 'number'
        ? node.children?.[step]
        : node.children?.find(
            (child) => child.type === 'property' && child.children?.[0]?.value === step,
          )?.children?.[1];
    if (below === undefined) break;
    node = below;
  }
  return node;
}

function createLocator(text: string): (offset: number) => { line: number; column: number } {
  let starts: number[] | null = null;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function describeParseError(code: string): string {
  const words: Record<string, string> = {
    CommaExpected: 'A comma is missing here.',
    ColonExpected: 'A colon is missing here.',
    ValueExpected: 'A value is missing here.',
    PropertyNameExpected: 'A name in quotes is missing here.',
    CloseBraceExpected: 'The closing } is missing here.',
    CloseBracketExpected: 'The closing ] is missing here.',
    EndOfFileExpected: 'The document ends before this.',
    UnexpectedEndOfString: 'The text is not closed here.',
    UnexpectedEndOfComment: 'The comment is not closed here.',
    InvalidSymbol: "This isn't a JSON value.",
  };
  return words[code] ?? `Invalid JSON (${code}).`;
}
