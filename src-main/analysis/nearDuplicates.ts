import { compareText } from '../../src-shared/domain/compareText.ts';
import { type YieldIfDue } from '../runtime/yieldToEventLoop.ts';

/** Two texts are near duplicates if they share at least this part of their words. */
const nearDuplicateShare = 0.8;

export interface NearDuplicate {
  /** Positions in the list, the smaller one first. */
  one: number;
  other: number;
  /** Words in common ÷ words in either, each word counted once; 1 means the same words. */
  share: number;
}

const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  ),
];

/**
 * Finds for every text the most similar one before it: the Jaccard index of their words, if it is
 * at least `least` (docs/rules.md §2). Only texts that share one of their rarest words are
 * compared: with |A| words and bound t, two sets with a share ≥ t have a word in common among the
 * first |A| − ⌈t·|A|⌉ + 1 in any common order. That keeps 10,000 texts within a fraction of a
 * second.
 *
 * @param texts any texts; one without words is similar to nothing
 * @param yieldIfDue awaited after each text, so that other work can proceed
 * @param least bound of the share, in (0, 1]
 * @returns one entry for each text that has such a neighbor before it, in order
 */
export async function findNearDuplicates(
  texts: readonly string[],
  yieldIfDue: YieldIfDue,
  least = nearDuplicateShare,
): Promise<NearDuplicate[]> {
  const counts = new Map<string, number>();
  const words: string[][] = [];
  for (const text of texts) {
    const list = wordsOf(text);
    words.push(list);
    for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
    await yieldIfDue();
  }
  const order = (a: string, b: string): number =>
    (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || compareText(a, b);
  const index = new Map<string, number[]>();
  const sets = words.map((list) => new Set(list));
  const found: NearDuplicate[] = [];
  for (const [other, list] of words.entries()) {
    const rarest = list.toSorted(order).slice(0, list.length - Math.ceil(least * list.length) + 1);
    const seen = new Set<number>();
    let best: NearDuplicate | null = null;
    for (const word of rarest) {
      for (const one of index.get(word) ?? []) {
        if (seen.has(one)) continue;
        seen.add(one);
        const share = shareOf(sets[one] ?? new Set(), list);
        if (share >= least && (best === null || share > best.share)) best = { one, other, share };
      }
    }
    if (best !== null) found.push(best);
    for (const word of rarest) {
      const known = index.get(word);
      if (known === undefined) index.set(word, [other]);
      // Many equal texts would all be compared with each other; a few of them represent the rest.
      else if (known.length < 200) known.push(other);
    }
    await yieldIfDue();
  }
  return found;
}

function shareOf(one: ReadonlySet<string>, other: readonly string[]): number {
  let common = 0;
  for (const word of other) if (one.has(word)) common += 1;
  return common / (one.size + other.length - common);
}
