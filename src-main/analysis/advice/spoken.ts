import { wordInFull, words } from '../tokenizer.ts';

/** Abbreviations that are written in capitals. */
const capitals =
  /^(?:api|url|uri|id|json|csv|sql|pdf|html|xml|yaml|dns|ssh|ssl|tls|http|ip|vm|cpu|gpu|dm|pr|sms|qr|css|svg|sdk|cdn|vpc|sku|faq|rss|crm|uuid|guid|uid|gid|iid|ttl|llm|rca|aws|gcp|tld|utc|ui|seo|js|ci|usb|uv|gps)(?=s?$)/u;

const spokenWord = (word: string): string =>
  wordInFull(word).replace(capitals, (letters) => letters.toUpperCase());

/** A name as it is spoken: "pull_request_id" → "pull request ID", "db" → "database". */
export function spoken(name: string): string {
  const parts = words(name);
  // "dropletIDs" falls into letters: it stays as it is.
  if (parts.some((word) => word.length === 1)) return name;
  return parts.map(spokenWord).join(' ');
}

/** A noun in the singular; others as they are. */
export const singular = (noun: string): string =>
  noun.replace(/(?<=[^aeiou])ies$/u, 'y').replace(/(?<=(?:ss|sh|ch|x|z))es$|(?<=[^sui])s$/u, '');
export const plural = (noun: string): string =>
  /[^s]s$/u.test(noun)
    ? noun
    : noun
        .replace(/(?<=[^aeiou])y$/u, 'ie')
        .replace(/(?<=s|sh|ch|x|z)$/u, 'e')
        .concat('s');
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
/** "a task", "an ID", "tasks", "JSON". */
export const withAnyArticle = (noun: string): string =>
  isPlural(noun) || isUncounted(noun) ? noun : `${indefinite(noun)} ${noun}`;

export function listed(items: readonly string[], last = 'or'): string {
  if (items.length < 3) return items.join(` ${last} `);
  return `${items.slice(0, -1).join(', ')}, ${last} ${items.at(-1) ?? ''}`;
}

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What a text says first, without its full stop: what its tool does. What follows may be about anything. */
export const firstSentence = (text: string): string =>
  /^.*?(?=[.!?](?:\s|$)|\n|$)/u.exec(text.trim())?.[0] ?? '';
