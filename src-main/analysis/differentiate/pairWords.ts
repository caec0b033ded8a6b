import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms, type ContentTerm } from '../tokenizer.ts';
import { parameterPairs } from '../similarity/toolText.ts';

/** What two tools have in common and what each has alone, as words from their texts. */
export interface PairWords {
  /** Words of both descriptions, the rarest in the list of tools first. */
  shared: string[];
  /** Number of distinct content words of each description. */
  counts: [number, number];
  /** Words of name, then description, that only one tool has. */
  own: [string[], string[]];
  /** Words of the names: shared ones, and those that only one has. */
  nameShared: string[];
  nameOwn: [string[], string[]];
  /** `name:type` of parameters that both have. */
  parameters: string[];
}

/** Number of tools of the list that contain each stem. */
export type WordCounts = ReadonlyMap<string, number>;

export function countWords(tools: readonly AnalysedTool[]): WordCounts {
  const counts = new Map<string, number>();
  for (const { name, description } of tools) {
    for (const stem of new Set(
      [...contentTerms(name), ...contentTerms(description)].map((term) => term.stem),
    ))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

const distinct = (terms: readonly ContentTerm[]): ContentTerm[] =>
  [...new Map([...terms].reverse().map((term) => [term.stem, term])).values()].reverse();

export function pairWords(a: AnalysedTool, b: AnalysedTool, counts: WordCounts): PairWords {
  const texts = [
    distinct(contentTerms(a.description)),
    distinct(contentTerms(b.description)),
  ] as const;
  const names = [distinct(contentTerms(a.name)), distinct(contentTerms(b.name))] as const;
  const stems = (terms: readonly ContentTerm[]): Set<string> =>
    new Set(terms.map(({ stem }) => stem));
  const rarestFirst = (terms: ContentTerm[]): ContentTerm[] =>
    terms.sort((x, y) => (counts.get(x.stem) ?? 0) - (counts.get(y.stem) ?? 0));
  const all = [stems([...texts[0], ...names[0]]), stems([...texts[1], ...names[1]])] as const;
  const alone = (side: 0 | 1): string[] => {
    const lacking = all[side === 0 ? 1 : 0];
    return distinct([...names[side], ...rarestFirst([...texts[side]])])
      .filter(({ stem, word }) => !lacking.has(stem) && word.length > 1)
      .map(({ word }) => word);
  };
  const inNames = (side: 0 | 1): string[] =>
    names[side]
      .filter(({ stem }) => !stems(names[side === 0 ? 1 : 0]).has(stem))
      .map(({ word }) => word);
  const other = new Set(parameterPairs(b));
  return {
    shared: rarestFirst(texts[0].filter(({ stem }) => stems(texts[1]).has(stem))).map(
      ({ word }) => word,
    ),
    counts: [texts[0].length, texts[1].length],
    own: [alone(0), alone(1)],
    nameShared: names[0].filter(({ stem }) => stems(names[1]).has(stem)).map(({ word }) => word),
    nameOwn: [inNames(0), inNames(1)],
    parameters: parameterPairs(a).filter((pair) => other.has(pair)),
  };
}
