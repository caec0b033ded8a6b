import { baseVerb } from '../../../../analysis/advice/purpose.ts';
import { contentTerms, stem } from '../../../../analysis/tokenizer.ts';
import type { Mention, Span } from '../mention.ts';
import type { QueryReading, Token } from '../queryReading.ts';
import type { Slot } from '../slots.ts';
import { unitOf } from '../units.ts';
import { clauseFrom, foundIn, free, isIdentifier, isKind, type Rule } from './rule.ts';

type IsToolWord = (stem: string) => boolean;

const isFreeText = (slot: Slot): boolean =>
  slot.type === 'string' &&
  !Array.isArray(slot.schema['enum']) &&
  slot.schema['format'] === undefined;

/** Words that introduce a value of a kind, besides the parameter's own name. */
const titleCues = new Set('called named titled entitled labelled labeled title name'.split(' '));
const noteCues = new Set(
  'description describe described describing detail details note notes comment saying'.split(' '),
);
const textCues = new Set(['saying', 'says', 'reading', 'message', 'text', 'content']);

function introduces(token: Token | undefined, slot: Slot): boolean {
  if (!token) return false;
  if (slot.cues.includes(token.stem)) return true;
  if (isKind(slot, 'title') && !isIdentifier(slot)) return titleCues.has(token.lower);
  if (isKind(slot, 'note')) return noteCues.has(token.lower);
  return isKind(slot, 'text') && textCues.has(token.lower);
}

const between = (tokens: readonly Token[], before: number, count: number): Token[] =>
  tokens.filter((token) => token.end <= before).slice(-count);

/**
 * A quotation introduced by the parameter's name or a word like "called": `with the description "two
 * litres"`, `description of task 7 to "…"`.
 */
export const quoteAfterCue: Rule = ({ slot, reading, taken }) => {
  if (!isFreeText(slot)) return null;
  const { outside } = reading;
  return foundIn(
    free(reading.quotes, taken).find((quote) => {
      if (
        between(outside, quote.start, 3).some(
          (token) => introduces(token, slot) && noQuoteBetween(reading, token, quote),
        )
      )
        return true;
      const last = between(outside, quote.start, 1)[0];
      return (
        last !== undefined &&
        ['to', 'as', 'with', 'into'].includes(last.lower) &&
        outside.some(
          (token) =>
            token.end <= quote.start &&
            slot.cues.includes(token.stem) &&
            noQuoteBetween(reading, token, quote),
        )
      );
    }),
  );
};

const noQuoteBetween = (reading: QueryReading, token: Span, quote: Span): boolean =>
  !reading.quotes.some((other) => other.start >= token.end && other.end <= quote.start);

/**
 * An unquoted phrase introduced by its name: "called buy milk", "with description two litres". It
 * ends with the clause.
 */
export const phraseAfterCue: Rule = ({ slot, reading, taken }) => {
  if (!isFreeText(slot) || isIdentifier(slot)) return null;
  const tokens = reading.tokens;
  for (const [at, token] of tokens.entries()) {
    const cue = token.lower;
    const strong = isKind(slot, 'title') && ['called', 'named', 'titled', 'entitled'].includes(cue);
    const withName =
      introduces(token, slot) &&
      ['with', 'and', 'a', 'the'].includes(tokens[at - 1]?.lower ?? '') &&
      hasWithBefore(tokens, at);
    if (!strong && !withName) continue;
    const phrase = clauseFrom(reading.text, token.end);
    if (
      phrase &&
      free([phrase], [...taken, ...reading.quotes]).length > 0 &&
      !/^(?:to|of|from|for)\b/iu.test(phrase.value)
    )
      return { value: phrase.value, span: phrase };
  }
  return null;
};

const hasWithBefore = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(Math.max(0, at - 2), at).some((token) => token.lower === 'with');

const changeVerbs = new Set(
  'rename retitle change update set edit modify make replace reword'.split(' ').map(stem),
);

/**
 * What something becomes: `rename task 3 to "…"`, `change the description of task 7 to …`. The
 * parameter is the one that is named before "to", else the title.
 */
export const newValueAfterTo: Rule = ({ slot, reading, taken }) => {
  if (!isFreeText(slot) || isIdentifier(slot)) return null;
  const { outside } = reading;
  const verb = outside.find((token) => changeVerbs.has(token.stem));
  if (!verb) return null;
  const to = outside.find(
    (token) =>
      token.lower === 'to' &&
      token.start > verb.end &&
      /^\s*(?:read|say|be)?\s*\S/u.test(reading.text.slice(token.end)),
  );
  if (!to) return null;
  const named = outside.some((token) => token.end <= to.start && slot.cues.includes(token.stem));
  if (!named && !(isKind(slot, 'title') && /^re/u.test(verb.lower))) return null;
  const quote = free(reading.quotes, taken).find((mention) => mention.start >= to.end);
  if (quote) return { value: quote.value, span: quote };
  const phrase = clauseFrom(reading.text, to.end);
  return phrase && free([phrase], taken).length > 0 ? { value: phrase.value, span: phrase } : null;
};

/** The next quotation that no other parameter uses, for a required text. */
export const nextQuote: Rule = ({ slot, reading, taken }) =>
  slot.required && isFreeText(slot) && !isIdentifier(slot)
    ? foundIn(free(reading.quotes, taken)[0])
    : null;

/**
 * Text that is what the call is about. A compound like `city_name` is not: it takes the
 * name of something.
 */
const isContent = (slot: Slot): boolean =>
  isKind(slot, 'text') ||
  isKind(slot, 'note') ||
  (isKind(slot, 'title') && (slot.words.length === 1 || slot.words.at(-1) !== 'name'));

const isQuestion = ({ text }: QueryReading): boolean =>
  /^(?:who|whose|whom|what|which|when|where|why|how|is|are|was|were|do|does|did|can i)\b|\?\s*$/iu.test(
    text,
  );

/**
 * A name with capitals inside a sentence ("in San Francisco, CA"), for a required text that is not
 * the content of the call.
 */
export const properName: Rule = ({ slot, reading, taken }) => {
  if (!slot.required || !isFreeText(slot) || isIdentifier(slot)) return null;
  if (isContent(slot) && !(isQuestion(reading) && isKind(slot, 'title'))) return null;
  const names = Array.from(
    reading.text.matchAll(
      /(?<=[\p{Ll}\p{N},;:]\s|^(?:in|at|for|from|to|of)\s)(?:(?:Dr|Mr|Mrs|Ms|Prof|St|Mt)\.\s)?\p{Lu}[\p{L}\p{N}'’.&-]*[\p{L}\p{N}](?:(?:\s|,\s|\sof\s(?:the\s)?)\p{Lu}(?:[\p{L}\p{N}'’.&-]*[\p{L}\p{N}])?(?![\p{L}\p{N}]))*/gu,
    ),
    (match): Mention<string> => ({
      value: match[0].replace(/['’]s(?:\s.*)?$/u, ''),
      start: match.index,
      end: match.index + match[0].length,
    }),
  );
  // "16 GB" is a number with its unit.
  const isUnit = ({ value, start }: Mention<string>): boolean =>
    unitOf(value) !== null && /\d\s$/u.test(reading.text.slice(Math.max(0, start - 2), start));
  return foundIn(
    free(
      names.filter((name) => !isUnit(name)),
      taken,
    )[0],
  );
};

const opening =
  /^(?:(?:hi|hey|hello|please|kindly|ok|okay|so|also|and|then|now)\b[\s,]*|(?:could|can|would|will)\s+you\s+|(?:i\s+(?:want|need|would\s+like|have|must|should|am\s+going)|i['’](?:d\s+like|ve\s+got|m\s+going)|(?:let['’]?s|remember|don['’]t\s+forget|do\s+not\s+forget|remind\s+me|make\s+sure|help\s+me))\s+(?:to\s+|you\s+to\s+)?)+/iu;
const closing =
  /(?:[\s,]+(?:please|thanks|thank you|for me|again|now|at|on|in|by|for|to|from|with|of|about))+$/iu;

/**
 * What remains of the query without the words that name the tool: "please add buy milk to my list" →
 * "buy milk". For a required text that is the content.
 */
export const remainingPhrase: Rule = ({ slot, reading, taken, isToolWord }) => {
  if (!slot.required || !isFreeText(slot) || isIdentifier(slot) || !isContent(slot)) return null;
  // A question is no content, unless a question is what the call passes on.
  if (isQuestion(reading) && isKind(slot, 'title')) return null;
  const colon = afterColon(reading, isToolWord);
  const start =
    colon ?? afterIntent(reading, opening.exec(reading.text)?.[0].length ?? 0, isToolWord);
  const from = reading.text.slice(start);
  const stop = /[.!?](?:\s|$)|\n|[\s,]+(?:for|as)\s+(?:the\s+)?user\b/u.exec(from);
  let end = start + (stop ? stop.index : from.length);
  for (const span of taken) if (span.start >= start && span.start < end) end = span.start;
  const phrase = withoutDestination(
    reading.text.slice(start, end).replace(/[\s,:;–-]+$/u, ''),
    isToolWord,
  ).replace(closing, '');
  const value = phrase.replace(/^[\s:,–-]+|[\s:,;–-]+$/gu, '');
  // "Add" of "Add two loaves": the number in between is another value.
  const [first] = reading.tokens;
  const isVerb = value === first?.text && baseVerb(value) !== null;
  if (
    value === '' ||
    isVerb ||
    (colon === null && contentTerms(value).every((term) => isToolWord(term.stem)))
  )
    return null;
  const at = reading.text.indexOf(value, start);
  return { value, span: { start: at, end: at + value.length } };
};

/**
 * "New task for user bob-7: send the invoice": the content follows a colon when the words before
 * it name the tool.
 */
function afterColon(reading: QueryReading, isToolWord: IsToolWord): number | null {
  const colon = /:\s+(?=\S)/u.exec(reading.text);
  if (!colon || !reading.tokens.some((token) => token.end <= colon.index && isToolWord(token.stem)))
    return null;
  return colon.index + colon[0].length;
}

const fillerWords = new Set(
  'a an the new my me another to for of in on about up down this that it some item entry'.split(
    ' ',
  ),
);

/** The end of the leading words that name the tool, including filler words between them. */
function afterIntent(reading: QueryReading, from: number, isToolWord: IsToolWord): number {
  let end = from;
  let named = false;
  for (const token of reading.tokens) {
    if (token.start < from) continue;
    const namesTool = isToolWord(token.stem);
    if (!namesTool && !(named && fillerWords.has(token.lower))) break;
    // A comma or colon ends the intent: what follows is content.
    if (named && /[:;,]/u.test(reading.text.slice(end, token.start))) break;
    named ||= namesTool;
    end = token.end;
  }
  return end;
}

/** Removes "… to my list" or "… on the todo list": a destination, not content. */
function withoutDestination(phrase: string, isToolWord: IsToolWord): string {
  const tail = /\s+(?:to|on|onto|in|into)\s+(?:my|the|our|this)\s+([\p{L}\p{N}\s-]{1,40})$/iu.exec(
    phrase,
  );
  if (!tail) return phrase;
  const isPlace = contentTerms(tail[1] ?? '').every(
    (term) =>
      isToolWord(term.stem) || ['list', 'collection', 'backlog', 'board'].includes(term.stem),
  );
  return isPlace ? phrase.slice(0, tail.index) : phrase;
}
