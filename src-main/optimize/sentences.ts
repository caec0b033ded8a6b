/**
 * The sentences of a text with the space after each, so that joining them gives the text back.
 * Abbreviations such as "e.g." end no sentence.
 */
export function sentencesOf(text: string): string[] {
  const parts = text.split(
    /(?<=(?<!\b(?:e\.g|i\.e|etc|vs|approx))[.!?]["')]?\s+)(?=\S)|(?<=\n)(?=\S)/u,
  );
  return parts.filter((part) => part !== '');
}

/** The text without one of its sentences. */
export function withoutSentence(text: string, index: number): string {
  return sentencesOf(text)
    .filter((_, at) => at !== index)
    .join('')
    .trim();
}
