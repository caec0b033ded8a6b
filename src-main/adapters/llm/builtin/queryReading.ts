import { stem } from '../../../analysis/tokenizer.ts';
import { dateTimesIn, datesIn, relativeDatesIn, timesIn } from './datesIn.ts';
import { overlapsAny, type Mention, type Span } from './mention.ts';
import { numbersInDigits, numbersInWords, type NumberMention } from './numbersIn.ts';

export interface Token extends Span {
  text: string;
  lower: string;
  stem: string;
}

/**
 * Everything in a query that could be a value, found once for all rules. Kinds do not overlap: a
 * number inside a quotation or a date is not listed as a number.
 */
export interface QueryReading {
  text: string;
  tokens: readonly Token[];
  outside: readonly Token[];
  quotes: readonly Mention<string>[];
  urls: readonly Mention<string>[];
  emails: readonly Mention<string>[];
  uuids: readonly Mention<string>[];
  paths: readonly Mention<string>[];
  dateTimes: readonly Mention<string>[];
  dates: readonly Mention<string>[];
  times: readonly Mention<string>[];
  relativeDates: readonly Mention<string>[];
  numbers: readonly NumberMention[];
}

/** Limits of what is read of a query, so that its time is bounded. */
const maxLength = 8_000;
const maxMentions = 100;

const quoted =
  /"([^"]{1,4000})"|“([^”]{1,4000})”|«([^»]{1,4000})»|`([^`]{1,4000})`|(?<![\p{L}\p{N}])['‘]([^'’]{1,4000}(?:['’](?=[\p{L}])[^'’]{0,4000}){0,20})['’](?![\p{L}\p{N}])/gu;
const url = /\b(?:https?|ftp|wss?):\/\/[^\s"'<>`]+[^\s"'<>`.,;:!?)\]]/giu;
const email = /\b[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b/gu;
const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/giu;
const path =
  /(?<![\w:/])(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@%+~-]+(?:[\\/][\w.@%+~-]+)*[\\/]?|(?<![\w/.])[\w-]+(?:\/[\w.-]+)+|(?<![\w/.@])[\w-]+(?:\.[\w-]+)*\.(?:txt|md|json|ya?ml|csv|tsv|xml|html?|js|ts|tsx|py|go|rs|java|c|h|cpp|sh|sql|log|pdf|docx?|xlsx?|png|jpe?g|gif|svg|zip|tar|gz|toml|ini|cfg|conf|env)\b/gu;
const tokenPattern = /[\p{L}\p{N}](?:[\p{L}\p{N}_'’-]*[\p{L}\p{N}_])?/gu;

/** Reads a query. Deterministic; the time grows with its length, which is capped. */
export function readQuery(query: string): QueryReading {
  const text = query.slice(0, maxLength);
  const seen: Span[] = [];
  const claim = <M extends Span>(mentions: readonly M[]): M[] => {
    const free = mentions
      .filter((mention) => !overlapsAny(mention, seen))
      .sort((a, b) => a.start - b.start)
      .slice(0, maxMentions);
    seen.push(...free);
    return free;
  };
  const plain = (pattern: RegExp): Mention<string>[] =>
    Array.from(text.matchAll(pattern), (match) => ({
      value: match[0],
      start: match.index,
      end: match.index + match[0].length,
    }));
  // The most specific kind first: text that one kind claims is not read as another.
  const quotes = claim(quotesIn(text));
  const urls = claim(plain(url));
  const emails = claim(plain(email));
  const uuids = claim(plain(uuid));
  const dateTimes = claim(dateTimesIn(text));
  const dates = claim(datesIn(text));
  const times = claim(timesIn(text));
  const paths = claim(
    plain(path).filter(
      (mention) => !/^\d[\d.,]*(?:\p{L}+\/\p{L}\.?|(?:[/.]\d+)*)$/u.test(mention.value),
    ),
  );
  const relativeDates = claim(relativeDatesIn(text));
  const numbers = claim([...numbersInDigits(text), ...numbersInWords(text)]);
  const tokens = tokensIn(text);
  const outside = tokens.filter((token) => !overlapsAny(token, quotes));
  return {
    text,
    tokens,
    outside,
    quotes,
    urls,
    emails,
    uuids,
    paths,
    dateTimes,
    dates,
    times,
    relativeDates,
    numbers,
  };
}

function quotesIn(text: string): Mention<string>[] {
  return Array.from(text.matchAll(quoted), (match) => ({
    value: (match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5] ?? '').trim(),
    start: match.index,
    end: match.index + match[0].length,
  })).filter((mention) => mention.value !== '');
}

function tokensIn(text: string): Token[] {
  return Array.from(text.matchAll(tokenPattern), (match) => {
    const lower = match[0].toLowerCase();
    return {
      text: match[0],
      lower,
      stem: stem(lower.replace(/['’]s$/u, '')),
      start: match.index,
      end: match.index + match[0].length,
    };
  });
}
