import type { FileProblem, SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import { readSourceText } from './sourceText.ts';
import { checkContent, checkShape, type SchemaOf } from './suiteProblems.ts';

export type ReadSuite = { file: SuiteFile; problems: [] } | { file: null; problems: FileProblem[] };

/** A file with a fault in every case would otherwise answer with more text than it holds. */
const maximumProblems = 1000;

/**
 * Reads a suite file, YAML or JSON by its content. Every problem has its line and column; a file with a problem is not read at all.
 * `schemaOf` lets matchers be checked against the tools that are known. Never throws on what the text holds.
 */
export function readSuiteFile(text: string, schemaOf: SchemaOf = () => null): ReadSuite {
  const source = readSourceText(text);
  if (!source.readable) return { file: null, problems: shorten(source.problems) };
  const { file, problems: shape } = checkShape(source.value);
  const problems = file === null ? shape : checkContent(file, schemaOf);
  if (file !== null && problems.length === 0) return { file, problems: [] };
  return { file: null, problems: shorten(problems.slice(0, maximumProblems + 1).map(({ path, message, part }) => source.problemAt(path, message, part))) };
}

/** What is wrong with the text of a suite file; nothing is looked up in a workspace. */
export function validateSuiteText(text: string): { valid: boolean; problems: FileProblem[] } {
  const { problems } = readSuiteFile(text);
  return { valid: problems.length === 0, problems };
}

function shorten(problems: FileProblem[]): FileProblem[] {
  if (problems.length <= maximumProblems) return problems;
  return [...problems.slice(0, maximumProblems), { line: null, column: null, path: '', message: `More than ${maximumProblems} problems; the rest is not listed.` }];
}
