import { z } from 'zod';
import { projectFile, type ProjectFile } from '../../../src-shared/domain/projectFile.ts';
import type { FileProblem } from '../../../src-shared/domain/suiteFile.ts';
import { otherFile } from '../../../src-shared/display/knownFiles.ts';
import { readSourceText } from '../files/sourceText.ts';
import { explainIssues } from '../suites/shapeProblems.ts';

export type ReadProject =
  { file: ProjectFile; problems: [] } | { file: null; problems: FileProblem[] };

/**
 * Reads a project file, YAML or JSON by content. Every problem has a line and a column; a file with
 * a problem is not read at all.
 */
export function readProjectText(text: string): ReadProject {
  const read = readProject(text);
  const other = read.file === null ? otherFile(text, { role: 'project', kind: 'a project' }) : null;
  if (other === null) return read;
  return { file: null, problems: [{ line: 1, column: 1, path: '', message: other.message }] };
}

function readProject(text: string): ReadProject {
  const source = readSourceText(text);
  if (!source.readable) return { file: null, problems: source.problems };
  const parsed = projectFile.safeParse(source.value);
  if (parsed.success) return { file: parsed.data, problems: [] };
  const problems = explainIssues(
    parsed.error.issues,
    source.value,
    'This isn’t a project file: it needs version and suite.',
  );
  return {
    file: null,
    problems: problems.map(({ path, message, part }) => source.problemAt(path, message, part)),
  };
}

/** The JSON Schema (2020-12) of a project file, for editors. */
export function projectSchemaText(): string {
  const schema = z.toJSONSchema(projectFile, {
    target: 'draft-2020-12',
    io: 'input',
    // A JSON value may be anything.
    unrepresentable: 'any',
  });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
