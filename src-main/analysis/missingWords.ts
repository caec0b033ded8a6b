import { contentTerms } from './tokenizer.ts';

/** A request that failed, with the argument values that it is about. */
export interface FailedRequest {
  query: string;
  /** All expected argument values as one text: what the request is about, not how it is asked. */
  values: string;
}

/** Quotations, addresses, paths and numbers: the subject of a request, not its wording. */
const subjects = /"[^"]*"|“[^”]*”|'[^']*'|\S+@\S+|https?:\S+|\S+[/\\]\S+|\S*\d\S*/gu;

/**
 * Without expected values, only the repetition of a word tells wording from what a request is about.
 */
const minRequestsWithoutValues = 2;
/** How many words to find, and how frequent each must be next to the most frequent one. */
export interface WordLimits {
  maxWords: number;
  /** Share of the requests of the most frequent word, 0–1. */
  minShare: number;
  /** Words that it rejects take no place of others. */
  accept?: (word: string) => boolean;
}
/** What a person takes in at once. */
export const fewWords: WordLimits = { maxWords: 3, minShare: 0.5 };

/**
 * Words that failing requests use and a tool's definition lacks, by number of requests: at most
 * three, each in at least half as many requests as the first, if not said otherwise. Words are compared by stem; function words, quotations, numbers and expected argument
 * values are left out. A word of a request without expected values must occur in two requests, so
 * that what a single request is about never counts as wording. Empty if there is no such word.
 */
export function missingWords(
  requests: readonly FailedRequest[],
  definition: string,
  { maxWords, minShare, accept = () => true } = fewWords,
): string[] {
  const known = new Set(contentTerms(definition).map((term) => term.stem));
  const found = new Map<string, { word: string; requests: number; sure: boolean }>();
  for (const { query, values } of requests) {
    const own = new Set(contentTerms(values).map((term) => term.stem));
    const stems = new Map(
      contentTerms(query.replaceAll(subjects, ' ')).map((term) => [term.stem, term.word]),
    );
    for (const [key, word] of stems) {
      if (known.has(key) || own.has(key) || word.length < 3) continue;
      const entry = found.get(key) ?? { word, requests: 0, sure: false };
      entry.requests += 1;
      entry.sure ||= own.size > 0 || entry.requests >= minRequestsWithoutValues;
      found.set(key, entry);
    }
  }
  const byRequests = [...found.values()]
    .filter(({ sure, word }) => sure && accept(word))
    .sort((a, b) => b.requests - a.requests);
  const most = byRequests[0]?.requests ?? 0;
  return byRequests
    .filter(({ requests: own }) => own >= most * minShare)
    .slice(0, maxWords)
    .map(({ word }) => word);
}
