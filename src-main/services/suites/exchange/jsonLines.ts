import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { findTextProblem } from './csvText.ts';
import type { SuiteDraft } from './suiteDraft.ts';

/** Reads the objects of JSON lines, each with its line number. Says problems, and skips empty lines. */
export function* readLines(
  draft: Pick<SuiteDraft, 'problem'>,
  source: string,
): Generator<{ line: number; value: JsonObject }> {
  const refused = findTextProblem(source);
  if (refused !== null) {
    draft.problem(refused, refused.message);
    return;
  }
  let number = 0;
  for (let at = source.startsWith('\ufeff') ? 1 : 0; at <= source.length;) {
    const end = source.indexOf('\n', at);
    const line = source.slice(at, end < 0 ? source.length : end);
    at = end < 0 ? source.length + 1 : end + 1;
    number += 1;
    if (line.trim() === '') continue;
    const where = { line: number, column: 1 };
    if (!line.trimStart().startsWith('{')) {
      draft.problem(where, 'The line isn’t a JSON object.');
      continue;
    }
    const parsed = readSourceText(line);
    if (!parsed.readable)
      for (const { column, path, message } of parsed.problems)
        draft.problem({ line: where.line, column: column ?? 1 }, message, path);
    else if (isJsonObject(parsed.value)) yield { line: where.line, value: parsed.value };
    else draft.problem(where, 'The line isn’t a JSON object.');
  }
}
