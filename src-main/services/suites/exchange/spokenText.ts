import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { isMatcher } from '../../../scoring/matchers.ts';

const escaped = (sign: string): string => sign.replace(/[\\^$.*+?()|[\]{}/]/u, '\\$&');
const isLetter = (sign: string): boolean => /\p{L}/u.test(sign);
const between = ',*';

/**
 * A text that a message must contain, without regard to case and to commas in the message: those of
 * numbers (1,234) and between words. A comma within a word is not expected anywhere.
 */
export function spokenText(text: string): JsonValue {
  const signs = Array.from(text);
  const hasPlace = signs.some(
    (sign, at) => at > 0 && !(isLetter(sign) && isLetter(signs[at - 1] ?? '')),
  );
  if (!hasPlace || text.includes(',')) return { $contains: text };
  const pattern = signs.map((sign, at) => {
    const joined = at > 0 && !(isLetter(sign) && isLetter(signs[at - 1] ?? ''));
    return `${joined ? between : ''}${escaped(sign)}`;
  });
  return { $regex: `(?i)${pattern.join('')}` };
}

/** The text behind such a matcher; null if it is another one. */
export function textOfSpoken(expected: JsonValue): string | null {
  if (!isMatcher(expected) || !isJsonObject(expected)) return null;
  const pattern = expected['$regex'];
  if (Object.keys(expected).length !== 1 || typeof pattern !== 'string') return null;
  const text = pattern
    .replace(/^\(\?i\)/u, '')
    .replaceAll(between, '')
    .replace(/\\(.)/gu, '$1');
  const again = spokenText(text);
  return isJsonObject(again) && again['$regex'] === pattern ? text : null;
}
