import { errorText } from '../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { formatPointer, type JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import type { FileProblem } from '../../../src-shared/domain/suiteFile.ts';
import { maxSuiteFileBytes } from '../../../src-shared/contract/suites.ts';
import { exceedsDepth } from '../../scoring/depth.ts';
import { countNames, inspectValue, type ValueProblem } from './plainJson.ts';
import { beginsAsJson, relaxedJson, type RelaxedJson } from './relaxedJson.ts';
import { readJsonParts, type AcceptsPart, type JsonParts } from './jsonParts.ts';
import { readYamlList, readYamlParts, visitYamlParts } from './yamlParts.ts';
import { limits, YamlTree, type Notation } from './yamlTree.ts';

/** Makes a problem with line and column from the path of a value. */
export type ProblemAt = (path: JsonPath, message: string, part?: 'name' | 'value') => FileProblem;

/**
 * A parsed text. `partial` is set if the text could be read although single values are invalid, so
 * that other problems can be reported too.
 */
export type SourceText =
  | { readable: true; value: JsonValue; problemAt: ProblemAt }
  | {
      readable: false;
      problems: FileProblem[];
      partial?: { value: JsonValue; problemAt: ProblemAt };
    };

/**
 * Reads YAML or JSON, recognized by content, as plain JSON values with positions. Never throws:
 * errors become problems.
 */
export function readSourceText(text: string): SourceText {
  if (isTooLong(text)) {
    return unreadable({
      line: 1,
      column: 1,
      path: '',
      message:
        `The file is larger than ${maxSuiteFileBytes / 1024 / 1024} MB. Split it into several ` +
        'files.',
    });
  }
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const read = readJson(source);
  if (read !== null) return read;
  if (!beginsAsJson(source)) return readYaml(source, 'core');
  const relaxed = relaxedJson(source);
  if (relaxed === null) return readYaml(source, 'json');
  return moved(readJson(relaxed.json) ?? readYaml(relaxed.json, 'json'), relaxed);
}

/** With the places of the text that was read, not of the one that was made of it. */
function moved(read: SourceText, { placed }: RelaxedJson): SourceText {
  const move = <T extends { problemAt: ProblemAt }>(part: T): T => ({
    ...part,
    problemAt: (...args: Parameters<ProblemAt>) => placed(part.problemAt(...args)),
  });
  if (read.readable) return move(read);
  return {
    ...read,
    problems: read.problems.map(placed),
    ...(read.partial && { partial: move(read.partial) }),
  };
}

/** The parts of a long list in JSON or YAML; undefined if all of the text has to be read at once. */
export function readLongList(
  text: string,
  accepts: AcceptsPart = () => true,
): JsonParts | undefined {
  if (beginsAsJson(text)) return readJsonParts(text, {}, accepts);
  return isTooLong(text) ? undefined : readYamlParts(text, undefined, accepts);
}

/**
 * Shows each part of a long list to `accepts`, once, without keeping it. Returns whether there is such a
 * list and all of it was accepted: otherwise, what was shown counts for nothing.
 */
export function visitLongList(text: string, accepts: AcceptsPart): boolean {
  if (beginsAsJson(text)) return readJsonParts(text, {}, accepts) !== undefined;
  return !isTooLong(text) && visitYamlParts(text, undefined, accepts) !== undefined;
}

const isTooLong = (text: string): boolean => Buffer.byteLength(text) > maxSuiteFileBytes;

/** The value of a JSON text without any problem; undefined for every other text. */
export function readPlainJson(text: string): JsonValue | undefined {
  if (isTooLong(text)) return undefined;
  const read = readJson(text.startsWith('\ufeff') ? text.slice(1) : text);
  return read?.readable === true ? read.value : undefined;
}

/**
 * The fast way, and the only one for large files. Returns null if the text is not JSON, or has a
 * problem that only the YAML tree can locate.
 */
function readJson(text: string): SourceText | null {
  let value: JsonValue;
  try {
    value = parseJson(text) as JsonValue;
  } catch {
    return null;
  }
  if (exceedsDepth(value, limits.depth)) return null;
  const { problems, names } = inspectValue(value);
  // YAML rejects tabs between values that JSON allows. JSON strings contain none.
  const asYaml = text.replaceAll('\t', ' ');
  let tree: YamlTree | null | undefined;
  const problemAt: ProblemAt = (path, message, part = 'value') => {
    if (tree === undefined) tree = YamlTree.parse(asYaml, 'json').tree;
    return {
      ...(tree?.locate(path, part) ?? { line: null, column: null }),
      path: formatPointer(path),
      message,
    };
  };
  if (countNames(text) !== names) {
    const duplicateNames = readYaml(asYaml, 'json');
    return duplicateNames.readable || duplicateNames.problems.length === 0
      ? unreadable(problemAt([], 'An object has the same name twice. Rename one.'))
      : duplicateNames;
  }
  return toSourceText(value, problems, problemAt);
}

function toSourceText(
  value: JsonValue,
  problems: readonly ValueProblem[],
  problemAt: ProblemAt,
  others: readonly FileProblem[] = [],
): SourceText {
  if (problems.length === 0 && others.length === 0) return { readable: true, value, problemAt };
  return {
    readable: false,
    problems: [...others, ...placeProblems(problems, problemAt)],
    partial: { value, problemAt },
  };
}

function readYaml(text: string, notation: Notation): SourceText {
  try {
    const list = notation === 'core' ? readYamlList(text) : undefined;
    if (list !== undefined) {
      let tree: YamlTree | null | undefined;
      const treeOf = (): YamlTree | null =>
        tree === undefined ? (tree = YamlTree.parse(text, notation).tree) : tree;
      return checked(text, list, treeOf);
    }
    const parsed = YamlTree.parse(text, notation);
    const { tree } = parsed;
    if (tree === null) {
      const problems = parsed.problems.map(({ offset, message }) => ({
        ...parsed.place(offset),
        path: '',
        message,
      }));
      return unreadable(...(notation === 'json' ? asJson(text, problems) : problems));
    }
    const converted = tree.toValue();
    const others = converted.problems.map(({ offset, message }) => ({
      ...tree.place(offset),
      path: '',
      message,
    }));
    // Nothing can be said about values that were not converted.
    if (!converted.isComplete) return unreadable(...others);
    return checked(text, converted.value, () => tree, others);
  } catch (error) {
    // A bug of the parser must not end the program.
    const reason = errorText(error);
    return unreadable({
      line: 1,
      column: 1,
      path: '',
      message: `The file isn’t valid YAML or JSON (${reason}).`,
    });
  }
}

function checked(
  text: string,
  value: JsonValue,
  treeOf: () => YamlTree | null,
  others: readonly FileProblem[] = [],
): SourceText {
  const problemAt: ProblemAt = (path, message, part = 'value') => ({
    ...(treeOf()?.locate(path, part) ?? { line: null, column: null }),
    path: formatPointer(path),
    message:
      treeOf()?.endsAtComment(path, text) === true
        ? `${message} "#" begins a comment in YAML: put the value in quotes.`
        : message,
  });
  return toSourceText(value, inspectValue(value).problems, problemAt, others);
}

/** The first problem of a text in JSON in words of JSON: the tree that locates others reads it as YAML. */
function asJson(text: string, problems: FileProblem[]): FileProblem[] {
  const [first, ...others] = problems;
  // A limit of ours is not a fault of the notation.
  if (first === undefined || /deeper than|YAML tokens/.test(first.message)) return problems;
  try {
    JSON.parse(text);
  } catch (error) {
    const said = errorText(error);
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(said) ?? [];
    const why = said
      .replace(/ (?:in|after) JSON at position.*$|, (?:\.\.\.)?".*is not valid JSON$/s, '')
      .replace(/^./, (letter) => letter.toLowerCase());
    return [
      {
        line: line === undefined ? first.line : Number(line),
        column: column === undefined ? first.column : Number(column),
        path: '',
        message: `The JSON can’t be read: ${why}.${
          why.startsWith('unexpected token') ? ' Texts need double quotation marks.' : ''
        }`,
      },
      ...others,
    ];
  }
  return problems;
}

const unreadable = (...problems: FileProblem[]): SourceText => ({ readable: false, problems });
const placeProblems = (problems: readonly ValueProblem[], problemAt: ProblemAt) =>
  problems.map(({ path, message }) =>
    problemAt(path, message, path.at(-1) === '__proto__' ? 'name' : 'value'),
  );
