import { overlapsAny, type Mention, type Span } from './mention.ts';
import type { QueryReading, Token } from './queryReading.ts';

/** Words at which the name of a thing ends. */
const stops = new Set(
  (
    'in at on from to into onto for with without by during since until till near around over under ' +
    'between about as via per than after before and or but if while when where which who whose that ' +
    'how why what is are was were be been do does did have has had can could will would should may ' +
    'might must using including excluding within through against towards toward take took please ' +
    'thanks it its they them i you we so not without regarding concerning along least most cost costs need needs mean means happen happened like won'
  ).split(' '),
);
const openers = new Set(
  'a an the my our your his her their some any all each every this these those another new'.split(
    ' ',
  ),
);

/**
 * The name of a thing that begins with a token: up to the next preposition, verb of the list, number
 * or punctuation; "of" and, between capitals, "and", "the" and a comma belong to it. Articles in
 * front are left out, and it never reaches into a barrier. Null where no word is left.
 */
export function phraseAt(
  reading: QueryReading,
  from: number,
  barriers: readonly Span[],
  last = Infinity,
): Mention<string> | null {
  const { tokens, text } = reading;
  let at = from;
  while (openers.has(tokens[at]?.lower ?? '') && tokens[at]?.text === tokens[at]?.lower) at += 1;
  const first = tokens[at];
  if (!first || stops.has(first.lower) || overlapsAny(first, barriers)) return null;
  let end = at;
  while (end + 1 < tokens.length && end - at < 8 && end < last) {
    const token = tokens[end];
    const next = tokens[end + 1];
    if (!token || !next) break;
    if (overlapsAny(next, barriers) || /['’]s$/u.test(token.text)) break;
    const gap = text.slice(token.end, next.start);
    const proper = isCapital(token) && isCapital(next);
    if (
      /^,\s$/u.test(gap)
        ? !proper
        : !/^[\s’'&.-]{1,2}$/u.test(gap) || (/^\.\s$/u.test(gap) && token.text.length > 3)
    )
      break;
    if (next.lower === 'of') {
      const after = tokens[end + 2];
      if (!after || stops.has(after.lower) || overlapsAny(after, barriers)) break;
      end += 2;
      if (openers.has(after.lower) && tokens[end + 1]) end += 1;
      continue;
    }
    if ((stops.has(next.lower) || isParticiple(next)) && !isCapital(next)) break;
    end += 1;
  }
  const final = tokens[end];
  if (!final) return null;
  return { value: text.slice(first.start, final.end), start: first.start, end: final.end };
}

/** "celebrated", "located", "written" behind a noun: what is said of it. */
const isParticiple = (token: Token): boolean =>
  /\p{L}{3}ed$/u.test(token.lower) || irregular.has(token.lower);
const irregular = new Set(
  'born bought built drawn found given grown held known led left lost made paid seen shown sold sung taken won worn written'.split(
    ' ',
  ),
);
export const isCapital = (token: Token): boolean => /^\p{Lu}/u.test(token.text);
/**
 * What ends a phrase besides words: values in use and values of other kinds. A number behind a name
 * belongs to it: "LH 454".
 */
export function barriersOf(reading: QueryReading, taken: readonly Span[]): Span[] {
  const own = fixed.get(reading) ?? otherValues(reading);
  fixed.set(reading, own);
  return [...own, ...taken];
}
const fixed = new WeakMap<QueryReading, Span[]>();

function otherValues(reading: QueryReading): Span[] {
  const { tokens, text } = reading;
  const numbers = reading.numbers.filter(
    ({ start, written }) =>
      /^[12]\d{3}$/u.test(written) ||
      !/(?<=\S\s)\p{Lu}[\p{L}\p{N}'’-]*\s$/u.test(text.slice(Math.max(0, start - 30), start)) ||
      tokens[0]?.end === start - 1,
  );
  const { quotes, dates, times, relativeDates, urls, emails } = reading;
  return [...quotes, ...numbers, ...dates, ...times, ...relativeDates, ...urls, ...emails];
}

export const isStop = (token: Token): boolean => stops.has(token.lower);
