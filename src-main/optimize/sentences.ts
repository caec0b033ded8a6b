/** Abbreviations that end no sentence; "etc." may. */
const abbreviation = /(?:\b(?:e\.g|i\.e|vs|approx|max|min|no|fig|incl|resp|cf)|\b\p{Lu})\.$/iu;
const terminal = /[.!?。！？]["'”’)\]]*$/u;
const listItem = /^\s*(?:[-*•|>]|\d+[.)]|#{1,6})\s|^\s*```/u;

/** Whether a text ends as a sentence does, not in the middle of one. */
export const endsSentence = (text: string): boolean => {
  const trimmed = text.trimEnd();
  return terminal.test(trimmed) && !abbreviation.test(trimmed) && !/\.{2,}["'”’)]*$/u.test(trimmed);
};

/**
 * Whether a sentence ends between two pieces of text. A line that is wrapped ends none, and what goes
 * on in lower case goes on with the sentence before.
 */
function isBoundary(before: string, space: string, after: string): boolean {
  if (/\n\s*\n/u.test(space)) return true;
  if (space.includes('\n') && (listItem.test(after) || before.trimEnd().endsWith(':'))) return true;
  return endsSentence(before) && !/^[\p{Ll},;:]/u.test(after);
}

/** How much of a text tells whether a sentence ends in it, in UTF-16 code units. */
const shown = 24;

/**
 * The sentences of a text with the space after each, so that joining them gives the text back.
 * Abbreviations such as "e.g." and wrapped lines end no sentence; items of a list and headings do.
 */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const { 0: space, index } of text.matchAll(/\s+/gu)) {
    const end = index + space.length;
    if (index === 0 || end === text.length) continue;
    // A few letters decide, so that a text of a megabyte is read once.
    const before = text.slice(Math.max(start, index - shown), index);
    if (!isBoundary(before, space, text.slice(end, end + shown))) continue;
    found.push(text.slice(start, end));
    start = end;
  }
  return start < text.length ? [...found, text.slice(start)] : found;
}

/** The sentences that are kept as a text. A paragraph that ended with a dropped one still ends. */
export function joinKept(sentences: readonly string[], isKept: (at: number) => boolean): string {
  let text = '';
  for (const [at, sentence] of sentences.entries()) {
    const space = /\s*$/u.exec(sentence)?.[0] ?? '';
    if (isKept(at)) text += sentence;
    else if (space.includes('\n')) text = text.trimEnd() + (text === '' ? '' : space);
  }
  return text.trim();
}

/** The text without one of its sentences. */
export const withoutSentence = (text: string, index: number): string =>
  joinKept(sentencesOf(text), (at) => at !== index);
