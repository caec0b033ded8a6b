import type { Prepared, Reading } from '../prepared.ts';
import { readSentences, type ScoredSentence } from './features.ts';
import { kindOfPlace } from './places.ts';

/** What scoring a text needs to know. */
export type Scorer = Pick<Prepared, 'names' | 'weights'>;

/**
 * The score of each sentence of a text: the bias and the mean weight of its features times the root
 * of their number. Any real number; the higher, the more it reads like the attacks of the train
 * split. Linear in the length.
 */
export function scoreText(
  text: string,
  kind: number,
  { names, weights: { bytes, scale, bias } }: Scorer,
): ScoredSentence[] {
  const found: ScoredSentence[] = [];
  readSentences(text, kind, names, (start, end, features, count) => {
    let sum = 0;
    for (let index = 0; index < count; index += 1) sum += bytes[features[index] ?? 0] ?? 0;
    found.push({ start, end, score: bias + (scale * sum) / Math.sqrt(count) });
  });
  return found;
}

/** The scores of a passage, computed once. Names and keys have none. */
export function sentencesOf(reading: Reading, scorer: Scorer): readonly ScoredSentence[] {
  const { passage, readable } = reading;
  reading.sentences ??=
    passage.kind === 'text' ? scoreText(readable.text, kindOfPlace(passage.place), scorer) : [];
  return reading.sentences;
}
