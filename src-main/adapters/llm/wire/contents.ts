import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';

/** What the content of a message says: texts of the answer, thoughts, and refusals in words. */
export interface Contents {
  texts: string[];
  thoughts: string[];
  refusals: string[];
}

/**
 * The content of a message in any of the shapes that endpoints give it: a text, a list of parts
 * (Mistral's thinking, Responses' `output_text`), one part, a number. Parts of unknown types that
 * have a text are text.
 */
export function readContents(content: unknown): Contents {
  const found: Contents = { texts: [], thoughts: [], refusals: [] };
  for (const part of Array.isArray(content) ? (content as unknown[]) : [content])
    addPart(part, found);
  return found;
}

function addPart(part: unknown, found: Contents): void {
  if (typeof part === 'string') found.texts.push(part);
  else if (typeof part === 'number' || typeof part === 'bigint') found.texts.push(String(part));
  if (!isJsonObject(part)) return;
  const { type, refusal, thinking, reasoning } = part;
  if (typeof refusal === 'string') found.refusals.push(refusal);
  else if (thinking !== undefined || reasoning !== undefined || isThought(part))
    found.thoughts.push(...plainTexts(thinking ?? reasoning ?? part['text'] ?? part['content']));
  else if (typeof type !== 'string' || !/tool|call|signature/.test(type))
    found.texts.push(...plainTexts(part['text'] ?? part['content']));
}

const isThought = ({ type, thought }: JsonObject): boolean =>
  thought === true ||
  (typeof type === 'string' && /^(?:thinking|reasoning|summary_text)/.test(type));

/** Every text in a value: itself, `{ text }`, `{ value }`, or a list of these. */
export function plainTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as unknown[]).flatMap(plainTexts);
  if (!isJsonObject(value)) return [];
  return plainTexts(value['text'] ?? value['value'] ?? value['thinking'] ?? null);
}

/** The texts that aren't empty, each once; null where there is none. */
export function joinTexts(texts: readonly string[]): string | null {
  const said = [...new Set(texts)].filter((text) => text !== '');
  return said.length === 0 ? null : said.join('\n');
}
