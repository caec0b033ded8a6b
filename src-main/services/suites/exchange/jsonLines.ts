import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { findTextProblem } from './csvText.ts';
import type { SuiteDraft } from './suiteDraft.ts';

/**
 * Reads the objects of JSON lines, each with its line number. Adds problems to the draft and skips
 * empty lines.
 */
export function readLines(
  draft: SuiteDraft,
  source: string,
): { line: number; value: JsonObject }[] {
  const refused = findTextProblem(source);
  if (refused !== null) {
    draft.problem(refused, refused.message);
    return [];
  }
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const found: { line: number; value: JsonObject }[] = [];
  for (const [at, line] of text.split(/\r\n|\n/).entries()) {
    if (line.trim() === '') continue;
    const where = { line: at + 1, column: 1 };
    if (!line.trimStart().startsWith('{')) {
      draft.problem(where, 'The line isn’t a JSON object.');
      continue;
    }
    const parsed = readSourceText(line);
    if (!parsed.readable)
      for (const { column, path, message } of parsed.problems)
        draft.problem({ line: at + 1, column: column ?? 1 }, message, path);
    else if (isJsonObject(parsed.value)) found.push({ line: at + 1, value: parsed.value });
    else draft.problem(where, 'The line isn’t a JSON object.');
  }
  return found;
}
