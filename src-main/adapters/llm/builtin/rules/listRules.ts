import type { JsonValue } from '../../../../../src-shared/domain/json.ts';
import type { Mention, Span } from '../mention.ts';
import { barriersOf, isCapital, isStop, phraseAt } from '../phrases.ts';
import type { Slot } from '../slots.ts';
import { enumsNamed } from './schemaRules.ts';
import { clauseFrom, free, isKind, type Found, type Rule } from './rule.ts';

const spanOf = (spans: readonly Span[]): Span => ({
  start: Math.min(...spans.map((span) => span.start)),
  end: Math.max(...spans.map((span) => span.end)),
});
const found = (parts: readonly { value: JsonValue; span: Span }[]): Found | null =>
  parts.length === 0
    ? null
    : { value: parts.map((part) => part.value), span: spanOf(parts.map((part) => part.span)) };
const parts = (
  mentions: readonly (Span & { value: JsonValue })[],
): { value: JsonValue; span: Span }[] =>
  mentions.map((mention) => ({ value: mention.value, span: mention }));

/** Every value of an enum that the query names, in the order of the query. */
export const listOfEnums: Rule = ({ slot, reading, taken }) => {
  if (slot.type !== 'array' || !slot.items || !Array.isArray(slot.items.schema['enum']))
    return null;
  const named = enumsNamed(slot.items, reading, taken).flatMap(({ value, span }) =>
    span ? [{ value, span }] : [],
  );
  return found(named.sort((a, b) => a.span.start - b.span.start));
};

/**
 * All free numbers, quotations, addresses or paths of the query, for a required list of such values
 * or one that the query names.
 */
export const listOfMentions: Rule = ({ slot, reading, taken }) => {
  const items = slot.items;
  if (slot.type !== 'array' || !items || Array.isArray(items.schema['enum'])) return null;
  if (!slot.required && !reading.tokens.some((token) => slot.cues.includes(token.stem)))
    return null;
  if (items.type === 'integer' || items.type === 'number') {
    return found(
      parts(
        free(reading.numbers, taken).filter(
          (mention) => items.type === 'number' || Number.isInteger(mention.value),
        ),
      ),
    );
  }
  if (items.type !== 'string') return null;
  for (const mentions of typedMentions(items, reading)) {
    const list = found(parts(free(mentions, taken)));
    if (list) return list;
  }
  return null;
};

function typedMentions(items: Slot, reading: Parameters<Rule>[0]['reading']) {
  return [
    ...(items.schema['format'] === 'email' || isKind(items, 'email') ? [reading.emails] : []),
    ...(items.schema['format'] === 'uri' || isKind(items, 'url') ? [reading.urls] : []),
    ...(isKind(items, 'path') ? [reading.paths] : []),
    reading.quotes,
  ];
}

/**
 * The next run of numbers with only commas, "and" or brackets between them, for a list of numbers:
 * two lists take two runs.
 */
export const listOfNumbers: Rule = ({ slot, reading, taken }) => {
  const items = slot.items;
  if (
    slot.type !== 'array' ||
    !slot.required ||
    (items?.type !== 'integer' && items?.type !== 'number')
  )
    return null;
  const run: (typeof reading.numbers)[number][] = [];
  for (const mention of free(reading.numbers, taken)) {
    const last = run.at(-1);
    if (last && !/^\s*(?:,|,?\s*and\b)?\s*$/u.test(reading.text.slice(last.end, mention.start))) {
      if (run.length > 1) break;
      run.length = 0;
    }
    run.push(mention);
  }
  return run.length > 1 &&
    (items.type === 'number' || run.every(({ value }) => Number.isInteger(value)))
    ? found(parts(run))
    : null;
};

/** How far into a request a list of names is looked for, so that its time is bounded. */
const maxTokens = 200;

/** Names that stand side by side, for a required list of texts: "milk, eggs and bread". */
export const listOfNames: Rule = ({ slot, reading, taken, isToolWord }) => {
  if (
    slot.type !== 'array' ||
    !slot.required ||
    slot.items?.type !== 'string' ||
    Array.isArray(slot.items.schema['enum'])
  )
    return null;
  const { tokens, text } = reading;
  const barriers = barriersOf(reading, taken);
  const joints = tokens.map(({ end }) =>
    /^(?:,|\s(?:and|or|vs)\b)/u.test(text.slice(end, end + 5)),
  );
  for (let at = 0; at < Math.min(tokens.length, maxTokens); at += 1) {
    const token = tokens[at];
    // The verb of the request stands first: "Buy milk, eggs and bread".
    const isVerb = at === 0 && text[token?.end ?? 0] !== ',';
    if (!token || isVerb || isToolWord(token.stem) || isStop(token) || token.lower === 'of')
      continue;
    const names: Mention<string>[] = [];
    let next = at;
    while (next < tokens.length) {
      const commaAt = joints.indexOf(true, next);
      const phrase = phraseAt(reading, next, barriers, commaAt < 0 ? Infinity : commaAt);
      // The name begins behind "of": "the sales of January, February and March".
      if (!phrase || (next === at && !isCapital(token) && /\sof\s/u.test(phrase.value))) break;
      names.push(phrase);
      const joint = /^(?:,\s(?:and\s|or\s)?|\s(?:and|or|vs\.?)\s)/u.exec(
        text.slice(phrase.end, phrase.end + 8),
      );
      if (!joint) break;
      while (next < tokens.length && (tokens[next]?.start ?? 0) < phrase.end + joint[0].length)
        next += 1;
    }
    if (names.length > 1) return found(parts(names));
  }
  return null;
};

/** A spoken list after its name or a colon: "tags home, work and urgent". */
export const listAfterName: Rule = ({ slot, reading, taken }) => {
  if (
    slot.type !== 'array' ||
    slot.items?.type !== 'string' ||
    Array.isArray(slot.items.schema['enum'])
  )
    return null;
  const cue = free(reading.tokens, taken).find((token) => slot.cues.includes(token.stem));
  const colon = slot.required ? reading.text.indexOf(':') : -1;
  const from = cue ? cue.end : colon >= 0 ? colon + 1 : null;
  if (from === null) return null;
  const rest = reading.text.slice(from).split(/[.!?;\n](?:\s|$)/u)[0] ?? '';
  const values = rest
    .split(/,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+/u)
    .map((value) => value.replace(/^(?:[\s:]|(?:in|of|at|like|such as|including)\s)+|\s+$/gu, ''))
    .filter((value) => value !== '');
  // One part of several words is a sentence, not a list.
  if (values.length < 2 && (values[0] ?? ' ').includes(' ')) return null;
  const span = clauseFrom(reading.text, from);
  return values.length === 0 || !span
    ? null
    : { value: values, span: { start: from, end: from + rest.length } };
};
