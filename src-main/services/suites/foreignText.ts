import { foreignFormats, foreignFormatTable } from '../../../src-shared/domain/foreignFormat.ts';
import type { FileProblem } from '../../../src-shared/domain/suiteFile.ts';
import { recognizeText, type FileKind } from '../../../src-shared/display/fileKinds.ts';
import { otherFile, recognizeFile } from '../../../src-shared/display/knownFiles.ts';

const read =
  'Touchstone reads suites in YAML or JSON, and imports ' +
  `${foreignFormats.map((format) => foreignFormatTable[format].importLabel).join(', ')}.`;

/**
 * The one problem of a text that is something else than a suite or cases, such as Markdown or a
 * program; null if it may be one. For a text that couldn't be read.
 */
export function findForeignText(text: string): FileProblem | null {
  const found = recognizeText(text);
  // A test report is XML, and more than that.
  const other = found === null ? null : recognizeFile(text);
  if (other?.role === 'other' && other.kind !== 'plain text') return findOtherFile(text);
  return found === null ? null : refusal(found);
}

const refusal = ({ kind, remedy }: Pick<FileKind, 'kind' | 'remedy'>): FileProblem => ({
  ...{ line: 1, column: 1, path: '' },
  message: `It’s ${kind}. ${read} ${remedy}`,
});

/** The one problem of a text whose records are no cases, such as a list of tools; null if they may be. */
export function findOtherRecords(text: string): FileProblem | null {
  const role = recognizeFile(text)?.role;
  return role === undefined || role === 'cases' || role === 'JSON' ? null : findOtherFile(text);
}

/** The one problem of a text that something else takes; null if it may be a suite. */
export function findOtherFile(text: string): FileProblem | null {
  const other = otherFile(text, { role: 'suite', kind: 'a suite' });
  return other && { line: other.line ?? 1, column: 1, path: '', message: other.message };
}
