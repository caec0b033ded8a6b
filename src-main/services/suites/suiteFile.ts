import { formatCount } from '../../../src-shared/display/numbers.ts';
import type { FileProblem, SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import { findForeignText, findOtherFile } from './foreignText.ts';
import { readSourceText } from '../files/sourceText.ts';
import { checkContent, checkShape, type SchemaOf } from './suiteProblems.ts';

export type ReadSuite = { file: SuiteFile; problems: [] } | { file: null; problems: FileProblem[] };

/** Otherwise a file with an error in every case would give more text than it contains. */
const maxProblems = 1000;

/**
 * Reads a suite file, YAML or JSON by content. Every problem has a line and a column; a file with a
 * problem is not read at all. `schemaOf` allows checking matchers against known tools. Never throws
 * because of what the text contains.
 */
export function readSuiteFile(text: string, schemaOf: SchemaOf = () => null): ReadSuite {
  const read = readSuiteText(text, schemaOf);
  const foreign = read.file === null ? (findForeignText(text) ?? findOtherFile(text)) : null;
  return foreign === null ? read : { file: null, problems: [foreign] };
}

function readSuiteText(text: string, schemaOf: SchemaOf): ReadSuite {
  const source = readSourceText(text);
  const readable = source.readable ? source : source.partial;
  const found = source.readable ? [] : source.problems.slice(0, maxProblems + 1);
  if (readable === undefined) return { file: null, problems: limitProblems(found) };
  const { file, problems: shape } = checkShape(readable.value);
  const problems = [...shape, ...checkContent(readable.value, schemaOf)];
  if (file !== null && problems.length === 0 && found.length === 0) return { file, problems: [] };
  const placed = problems
    .slice(0, maxProblems + 1)
    .map(({ path, message, part }) => readable.problemAt(path, message, part));
  // A value whose part already has a problem is not reported again.
  const remaining = placed.filter(
    ({ path }) =>
      !found.some(
        (each) => each.path !== '' && (each.path === path || each.path.startsWith(`${path}/`)),
      ),
  );
  return { file: null, problems: limitProblems([...found, ...remaining].sort(byPosition)) };
}

/** In file order; problems without a position come last. */
function byPosition(one: FileProblem, other: FileProblem): number {
  return (
    (one.line ?? Infinity) - (other.line ?? Infinity) ||
    (one.column ?? Infinity) - (other.column ?? Infinity) ||
    0
  );
}

/** Checks the text of a suite file without looking anything up in a workspace. */
export function validateSuiteText(text: string): { valid: boolean; problems: FileProblem[] } {
  const { problems } = readSuiteFile(text);
  return { valid: problems.length === 0, problems };
}

function limitProblems(problems: FileProblem[]): FileProblem[] {
  if (problems.length <= maxProblems) return problems;
  return [
    ...problems.slice(0, maxProblems),
    {
      line: null,
      column: null,
      path: '',
      message: `Shows the first ${formatCount(maxProblems)} problems.`,
    },
  ];
}
