import type { JsonObject } from '../../../src-shared/domain/json.ts';

/**
 * Vectors by the letters of each text: texts of the same letters lie beside each other, whatever
 * their order.
 */
export function letterEmbeddings(body: JsonObject): JsonObject {
  const input = Array.isArray(body['input']) ? body['input'] : [body['input'] ?? ''];
  // The last first: the order of an answer is told by its indices alone.
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
