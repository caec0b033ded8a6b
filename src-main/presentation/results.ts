import type { ResultFacts } from '../../src-shared/domain/clientFacts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';

/** Beyond this many bytes, a line can be more than a client shows of a result. */
const maxLineBytes = 50 * 1024;

/**
 * Whether a model reads nothing of a result in a client, although the result has something. False
 * where a fact that decides it isn't known.
 *
 * @param result a result of `tools/call` with its `content` and `structuredContent`
 */
export function isShownEmpty(result: JsonObject, facts: ResultFacts | null): boolean {
  if (facts === null) return false;
  const { content, structuredContent } = result;
  const items = Array.isArray(content) ? content.filter((item) => !isBlank(item)) : [];
  const structured = isJsonObject(structuredContent);
  if (items.length === 0) return structured && facts.structuredAlone === 'empty';
  if (structured && facts.both !== 'text') return false;
  return !items.some((item) => isShown(item, facts));
}

/** A text of white space alone is nothing, whoever shows it. */
const isBlank = (item: JsonValue): boolean =>
  isJsonObject(item) &&
  item['type'] === 'text' &&
  (typeof item['text'] !== 'string' || item['text'].trim() === '');

function isShown(item: JsonValue, { image, link, longLine }: ResultFacts): boolean {
  if (!isJsonObject(item)) return true;
  switch (item['type']) {
    case 'image':
      return image !== 'dropped';
    case 'resource_link':
      return link !== 'dropped';
    case 'text':
      return longLine !== 'empty' || !startsTooLong(item['text']);
    default:
      return true;
  }
}

/** Whole lines are shown up to the limit, so nothing is if the first one is longer. */
const startsTooLong = (text: JsonValue | undefined): boolean =>
  typeof text === 'string' && Buffer.byteLength(text.split('\n', 1)[0] ?? '') > maxLineBytes;
