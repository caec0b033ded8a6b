import type { JsonObject } from '../../../src-shared/domain/json.ts';

/**
 * Vectors of the letters of each text: texts with the same letters are close, whatever their order.
 */
export function letterEmbeddings(body: JsonObject): JsonObject {
  const input = Array.isArray(body['input']) ? body['input'] : [body['input'] ?? ''];
  // In reverse, because only the indexes determine the order of an answer.
  const data = input
    .map((text, index) => ({
      object: 'embedding',
      index,
      embedding: countLetters(typeof text === 'string' ? text : ''),
    }))
    .reverse();
  return {
    object: 'list',
    model: body['model'] ?? '',
    data,
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}

export function countLetters(text: string): number[] {
  const counts = new Array<number>(26).fill(0);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
