import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { isConversation } from './expandRecord.ts';
import { isOfExpected, isWrapper } from './fieldNames.ts';
import { namesArguments, namesTools } from './namePatterns.ts';

/**
 * The record with the objects and conversations that it holds as JSON in texts, as a table exported
 * by another program does. Lists of tools, arguments and tags stay texts: their fields read them.
 */
export function withWrittenStructures(record: JsonObject): JsonObject {
  let changed: JsonObject | null = null;
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== 'string' || !/^\s*(?:\{[^]*\}|\[\s*\{[^]*\}\s*\])\s*$/.test(value))
      continue;
    if (namesArguments(name)) continue;
    if (!isWrapper(name) && !isConversation(name) && !namesTools(name) && !isOfExpected(name))
      continue;
    const source = readSourceText(value);
    if (!source.readable || typeof source.value !== 'object' || source.value === null) continue;
    if (namesTools(name) && !isWrapper(name) && !isJsonObject(source.value)) continue;
    changed = { ...(changed ?? record), [name]: source.value };
  }
  return changed ?? record;
}
