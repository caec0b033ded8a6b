const quotedValue =
  /(?<![\p{L}\p{N}])["'‘“`]([\p{L}\p{N}][\p{L}\p{N} _./+-]{0,40})["'’”`](?![\p{L}\p{N}])/gu;
const introduced =
  /(?:\(|\b(?:one of|either|options(?: are)?|values(?: are)?|choices(?: are)?|such as|can be|must be|e\.g\.,?|for example,?|like)(?:\s*:)?\s+)(?:e\.g\.,?\s*|such as\s+|for example,?\s*|options:\s*|either\s+)?([\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+){0,2}(?:(?:\s*[,|]\s*(?:or\s+|and\s+)?|\s+or\s+)[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+){0,2})+)/giu;

/**
 * The values that a description names: quoted ones, and lists in parentheses or after words like
 * "either" and "such as". At most 30, in the order of the text.
 */
export function describedOptions(description: string): string[] {
  const quoted = Array.from(description.matchAll(quotedValue), (match) => match[1] ?? '');
  const listed = Array.from(description.matchAll(introduced), (match) =>
    (match[1] ?? '').split(/\s*[,|]\s*(?:or\s+|and\s+)?|\s+or\s+/iu),
  ).flat();
  return [...new Set(quoted.length > 0 ? quoted : listed)]
    .filter((value) => value !== '')
    .slice(0, 30);
}
