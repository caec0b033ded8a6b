import { parse, TomlDate, TomlError } from 'smol-toml';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { formatPointer, type JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import type { FileProblem } from '../../../../src-shared/domain/suiteFile.ts';
import { problemAtStart, type ParsedSource } from './serverFile.ts';

/** Reads TOML as plain JSON values. Never throws: errors become problems with a position. */
export function readTomlSource(text: string): ParsedSource {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const problemAt = (path: JsonPath, message: string): FileProblem => ({
    ...locateTable(source, path),
    path: formatPointer(path),
    message,
  });
  try {
    const problems: FileProblem[] = [];
    const value = toJsonValue(parse(source, { maxDepth: 100 }), [], (path, message) =>
      problems.push(problemAt(path, message)),
    );
    return problems.length > 0 ? { problems } : { value, problemAt };
  } catch (error) {
    if (error instanceof TomlError)
      return {
        problems: [
          { line: error.line, column: error.column, path: '', message: firstLine(error.message) },
        ],
      };
    return {
      problems: [problemAtStart(firstLine(errorText(error)))],
    };
  }
}

function toJsonValue(
  value: unknown,
  path: JsonPath,
  report: (path: JsonPath, message: string) => void,
): JsonValue {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(path, `${value} isn't a number that can be stored.`);
    return value;
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value))
    return value.map((item, index) => toJsonValue(item, [...path, index], report));
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name === '__proto__') report([...path, name], 'The name "__proto__" is refused.');
      return [name, toJsonValue(item, [...path, name], report)];
    }),
  );
}

/** Finds the header of the innermost table on the path, because the parser keeps no positions. */
function locateTable(text: string, path: JsonPath): { line: number | null; column: number | null } {
  const lines = text.split('\n');
  for (let length = path.length; length > 0; length -= 1) {
    const wanted = path.slice(0, length).join('\u0000');
    const index = lines.findIndex((line) => tableKeyOf(line) === wanted);
    if (index >= 0)
      return {
        line: index + 1,
        column: lines[index]?.search(/\S/) === -1 ? 1 : (lines[index]?.search(/\S/) ?? 0) + 1,
      };
  }
  return { line: null, column: null };
}

/** The names of the table whose header a line is, joined by NUL; null: it is none. */
export function tableKeyOf(line: string): string | null {
  const [, inner] = /^\s*\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?$/.exec(line) ?? [];
  if (inner === undefined) return null;
  const keys = inner.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [];
  return keys.map((key) => key.replace(/^["']|["']$/g, '')).join('\u0000');
}

const firstLine = (message: string): string =>
  `${(message.split('\n')[0] ?? message).replace(/^Invalid TOML document: /, "It isn't valid TOML: ")}.`.replace(
    /\.\.$/,
    '.',
  );
