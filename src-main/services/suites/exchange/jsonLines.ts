import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import type { FileProblem } from '../../../../src-shared/domain/suiteFile.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { isCutOff } from './brokenText.ts';
import { findTextProblem } from './csvText.ts';
import type { SuiteDraft } from './suiteDraft.ts';

/**
 * Reads the objects of JSON lines, each with its line number. Skips empty lines and comments. Lines that can’t be
 * read because they are no JSON, or no objects, are one problem each.
 */
export function* readLines(
  draft: Pick<SuiteDraft, 'problem'>,
  source: string,
): Generator<{ line: number; value: JsonObject }> {
  const refused = findTextProblem(source);
  if (refused !== null) {
    draft.problem(refused, refused.message);
    return;
  }
  const broken = new Map<'object' | 'syntax', BrokenLines>();
  const refuse = (kind: 'object' | 'syntax', line: number, at: BrokenLine): void => {
    const same = broken.get(kind);
    if (same === undefined) broken.set(kind, { ...at, line, more: [] });
    else same.more.push(line);
  };
  let number = 0;
  for (let at = source.startsWith('\ufeff') ? 1 : 0; at <= source.length;) {
    const end = source.indexOf('\n', at);
    const line = source.slice(at, end < 0 ? source.length : end);
    at = end < 0 ? source.length + 1 : end + 1;
    number += 1;
    if (/^\s*(?:$|\/\/|#)/.test(line)) continue;
    const parsed = line.trimStart().startsWith('{') ? readSourceText(line) : undefined;
    if (parsed?.readable === false) refuse('syntax', number, explainLine(line, parsed.problems));
    else if (parsed !== undefined && isJsonObject(parsed.value))
      yield { line: number, value: parsed.value };
    else
      refuse('object', number, { column: 1, path: '', message: 'The line isn’t a JSON object.' });
  }
  for (const { line, column, path, message, more } of broken.values())
    draft.problem({ line, column }, message + moreLines(more), path);
}

interface BrokenLine {
  column: number;
  path: string;
  message: string;
}
/** Lines that aren’t objects, or aren’t JSON: the first, and the numbers of the others. */
type BrokenLines = BrokenLine & { line: number; more: number[] };

function explainLine(line: string, problems: readonly FileProblem[]): BrokenLine {
  const [first] = problems;
  return {
    column: first?.column ?? 1,
    path: first?.path ?? '',
    message: isCutOff(line)
      ? 'The line ends inside a value, as if it were cut off. Write the whole object in one line.'
      : (first?.message ?? ''),
  };
}

const shownLines = 3;
function moreLines(more: readonly number[]): string {
  if (more.length === 0) return '';
  const shown = more.slice(0, shownLines).map(formatCount).join(', ');
  const rest = more.length > shownLines ? ' and others' : '';
  return ` ${counted(more.length, 'more line')} can’t be read either: ${shown}${rest}.`;
}
