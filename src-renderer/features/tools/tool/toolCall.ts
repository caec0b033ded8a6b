import { isJsonObject } from '../../../../src-shared/domain/json.ts';

/** The text of a content item of type `text`; null for every other kind. */
export function textOfContent(item: unknown): string | null {
  return isJsonObject(item) && item['type'] === 'text' && typeof item['text'] === 'string'
    ? item['text']
    : null;
}
