/** A noun in the singular; others as they are. */
export const singular = (noun: string): string =>
  noun.replace(/(?<=[^aeiou])ies$/u, 'y').replace(/(?<=(?:ss|sh|ch|x|z))es$|(?<=[^sui])s$/u, '');
export const isPlural = (noun: string): boolean => /[^sui]s$/u.test(noun);

/** Spelling tells the article but for a silent h and a vowel that sounds as "you" or "one". */
const opensWithVowel =
  /^(?:hour|honest|honou?r|heir|(?!uni|use|usa|usu|u[iv]\b|ur[il]\b|uu?id\b|usb|euro|one|once)[aeiou])/iu;
/** "an SSH key", "an mb dashboard": the name of the first letter begins with a vowel. */
const lettersWithVowel = /^(?:[FHLMNRSX](?:[A-Z]+|[0-9])|[fhlmnrsx][bcdfghjklmnpqrstvwxz]{1,3})\b/u;
export const indefinite = (word: string): string =>
  opensWithVowel.test(word) || lettersWithVowel.test(word) ? 'an' : 'a';
/** What there is no one of: "a specific information" and "a single JSON" are no English. */
const uncounted = new Set(
  (
    'access advice content css csv data details equipment feedback help html info information ' +
    'json markdown metadata news software sql staff statistics stats status traffic usage weather xml yaml'
  ).split(' '),
);
/** Whether a noun phrase can't be counted, by its last word. */
export const isUncounted = (noun: string): boolean =>
  uncounted.has(noun.split(/[\s_]/u).at(-1)?.toLowerCase() ?? '');

export function listed(items: readonly string[], last = 'or'): string {
  if (items.length < 3) return items.join(` ${last} `);
  return `${items.slice(0, -1).join(', ')}, ${last} ${items.at(-1) ?? ''}`;
}

/** What a text says first, without its full stop: what its tool does. What follows may be about anything. */
export const firstSentence = (text: string): string =>
  /^.*?(?=[.!?](?:\s|$)|\n|$)/u.exec(text.trim())?.[0] ?? '';

/** A line that goes on in the next one. */
const wrap = /(?<=[\p{Ll},])\n[ \t]*(?=\p{Ll})/gu;
const ends = /(?<=[.!?])\s+|\n+|(?<=[。！？])/u;

/** The sentences and lines of a text. */
export const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(wrap, ' ')
    .split(ends)
    .map((each) => each.trim())
    .filter((each) => each !== '');
