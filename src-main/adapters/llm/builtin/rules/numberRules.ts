import { stem } from '../../../../analysis/tokenizer.ts';
import type { NumberMention } from '../numbersIn.ts';
import type { QueryReading, Token } from '../queryReading.ts';
import type { Slot } from '../slots.ts';
import { unitOf } from '../units.ts';
import { free, isIdentifier, type Found, type Rule } from './rule.ts';

/** Words that may stand between a name and its number: "task number 42", "limit of 5". */
const connectors = new Set(
  (
    'id number no num nr is of to at equals the a be by with item least most minimum maximum ' +
    'about around exactly than over under above below up'
  ).split(' '),
);

/** True where a description says that 5 % is written as 0.05. */
const sharesOf = (description: string): boolean =>
  /\b(?:decimal|fraction)\b|\b0\.\d/iu.test(description) &&
  !/\bpercent|%/iu.test(description.replace(/\([^)]*\)|\be\.g\..*$/giu, ''));

const isNumeric = (slot: Slot): boolean => slot.type === 'integer' || slot.type === 'number';

/**
 * A number in the slot's own terms: 5 % is 0.05 where the schema allows at most 1; text takes it as
 * written.
 */
function asValue(mention: NumberMention, slot: Slot): Found {
  const { maximum, description } = slot.schema;
  const asShare =
    typeof maximum === 'number'
      ? maximum <= 1
      : typeof description === 'string' && sharesOf(description);
  // A quotient of 4.5 and 100 has an error in its last digit; that of its digits has none.
  const value =
    mention.unit === '%' && asShare && slot.type === 'number'
      ? Number(`${mention.value}e-2`)
      : mention.value;
  return { value: slot.type === 'string' ? mention.written : value, span: mention };
}

/**
 * A number next to the parameter's name: "task 42", "task number 42", "limit of 5"; also before it
 * ("5 results") where the parameter is not an identifier.
 */
export const numberNextToName: Rule = ({ slot, reading, taken }) => {
  if (!isNumeric(slot) && !(slot.type === 'string' && isIdentifier(slot))) return null;
  const numbers = free(reading.numbers, taken);
  const mention = numbers.find((each) => isNamed(each, slot, reading));
  // "10 payments of $500": an amount of money is the one with a currency.
  const isCount =
    has(slot, moneyWords) && !isMoney(mention) && numbers.some((each) => isMoney(each));
  return mention && !isCount ? asValue(mention, slot) : null;
};

function isNamed(mention: NumberMention, slot: Slot, reading: QueryReading): boolean {
  const tokens = reading.tokens;
  const at = tokens.findIndex((token) => token.end > mention.start);
  let before = at - 1;
  while (
    at - before <= 4 &&
    connectors.has(tokens[before]?.lower ?? '') &&
    !isCue(tokens[before], slot)
  )
    before -= 1;
  // "3 years at 6%": years are what the 3 counts.
  const counts = reading.numbers.some(({ end }) => end + 1 === tokens[before]?.start);
  const isNext = before === at - 1;
  if (isCue(tokens[before], slot) && (isNext || !counts)) return true;
  if (isIdentifier(slot)) return false;
  // "a 20-sided die"
  const joined = /^-(\p{L}+)/u.exec(reading.text.slice(mention.end, mention.end + 20))?.[1];
  const forms = joined === undefined ? [] : [joined, joined.replace(/d$/u, '')];
  if (forms.some((word) => slot.cues.includes(stem(word.toLowerCase())))) return true;
  return isCue(
    tokens.find((token) => token.start >= mention.end),
    slot,
  );
}

const isCue = (token: Token | undefined, slot: Slot): boolean =>
  token !== undefined && slot.cues.includes(token.stem);

/**
 * "#42": the usual way of writing a number that identifies, for one that is a number in the schema.
 */
export const numberAfterHash: Rule = ({ slot, reading, taken }) => {
  if (!isIdentifier(slot) || !isNumeric(slot)) return null;
  const hashed = free(reading.numbers, taken).find(
    (mention) => reading.text[mention.start - 1] === '#',
  );
  return hashed ? asValue(hashed, slot) : null;
};

/** What a number measures, by the words beside it: "12 m long", "weighs 80". */
const dimensions = new Set(
  (
    'long length, wide width, broad width, high height, tall height, deep depth, old age, ' +
    'thick thickness, weigh weight, weigh mass, heavy weight, heavy mass, fast speed, ' +
    'fast velocity, cost price, cost cost, earn income, earn salary'
  )
    .split(', ')
    .map((pair) => pair.split(' ').map(stem).join(' ')),
);
const moneyWords = new Set(
  (
    'price amount principal cost budget salary income bill payment loan investment invested ' +
    'deposit balance revenue profit fee value money spend payment'
  )
    .split(' ')
    .map(stem),
);
const percentWords = new Set(
  'rate percent percentage interest tax tip discount'.split(' ').map(stem),
);
const money = new Set(['$', '€', '£', '¥']);
const isMoney = (mention: NumberMention | undefined): boolean => money.has(mention?.unit ?? '');

/**
 * How well a number fits a parameter by what stands beside it, beyond the parameter's own name: its
 * unit (3), what it measures (3), a year for a year (3), a currency or percent (3), a word of the
 * description (2); −2 for a year that isn't asked for. Sum, unbounded.
 */
function affinity(mention: NumberMention, slot: Slot, reading: QueryReading): number {
  const ofMention = known.get(mention) ?? new Map<Slot, number>();
  known.set(mention, ofMention);
  const before = ofMention.get(slot);
  if (before !== undefined) return before;
  const sum = sumOf(mention, slot, reading);
  ofMention.set(slot, sum);
  return sum;
}
/** Every parameter asks about every number, and again for each of its rivals. */
const known = new WeakMap<NumberMention, Map<Slot, number>>();

function sumOf(mention: NumberMention, slot: Slot, { tokens, text }: QueryReading): number {
  const at = firstFrom(tokens, mention.end);
  const start = firstFrom(tokens, mention.start);
  const near = [...tokens.slice(Math.max(0, start - 4), start), ...tokens.slice(at, at + 2)].filter(
    (token) => !/\d/u.test(token.text),
  );
  let sum = 0;
  if (mention.unit !== null && slot.units.has(mention.unit)) sum += 3;
  if (near.some((token) => slot.cues.some((cue) => dimensions.has(`${token.stem} ${cue}`))))
    sum += 3;
  if (mention.unit !== null && money.has(mention.unit) && has(slot, moneyWords)) sum += 3;
  if (mention.unit === '%' && has(slot, percentWords)) sum += 3;
  if (looksLikeYear(mention)) {
    if (slot.words.includes('year') || (slot.hints.has('year') && !slot.units.has('yr'))) sum += 3;
    else if (
      /\b(?:in|since|of|from|year|until|by)\s$/iu.test(
        text.slice(Math.max(0, mention.start - 8), mention.start),
      )
    )
      sum -= 2;
  }
  // The unit counts already.
  if (near.some((token) => slot.hints.has(token.stem) && unitOf(token.text) === null)) sum += 2;
  return sum;
}

/** The index of the first token that begins at an offset or later. */
function firstFrom(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const has = (slot: Slot, list: ReadonlySet<string>): boolean =>
  slot.words.some((word) => list.has(stem(word)));
const looksLikeYear = ({ value, unit, written }: NumberMention): boolean =>
  unit === null && /^[12]\d{3}$/u.test(written) && value < 2200;

/**
 * The number that fits a parameter best by its unit and the words beside it, unless it fits another
 * open parameter better. An optional one needs a sure sign.
 */
export const fittingNumber: Rule = ({ slot, reading, taken, open }) => {
  if (!isNumeric(slot) || isIdentifier(slot)) return null;
  const rivals = open.filter((other) => other !== slot && isNumeric(other));
  const [best] = free(reading.numbers, taken)
    .filter((mention) => slot.type === 'number' || Number.isInteger(mention.value))
    .map((mention) => ({ mention, fit: affinity(mention, slot, reading) }))
    .filter(
      ({ mention, fit }) =>
        fit >= (slot.required ? 2 : 3) &&
        rivals.every((rival) => affinity(mention, rival, reading) <= fit),
    )
    .sort((a, b) => b.fit - a.fit);
  return best ? asValue(best.mention, slot) : null;
};

/**
 * Numbers in the order in which they stand, for required numeric parameters in the order of the
 * schema; a year that isn't asked for only if nothing else is left.
 */
export const nextNumber: Rule = ({ slot, reading, taken }) => {
  if (!slot.required || !isNumeric(slot)) return null;
  const numbers = free(reading.numbers, taken).filter(
    (mention) => slot.type === 'number' || Number.isInteger(mention.value),
  );
  const next = numbers.find((mention) => affinity(mention, slot, reading) >= 0) ?? numbers[0];
  return next ? asValue(next, slot) : null;
};
