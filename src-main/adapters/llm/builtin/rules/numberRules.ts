import type { NumberMention } from '../numbersIn.ts';
import type { QueryReading, Token } from '../queryReading.ts';
import type { Slot } from '../slots.ts';
import { free, isIdentifier, type Found, type Rule } from './rule.ts';

/** Words that may stand between a name and its number: "task number 42", "limit of 5". */
const connectors = new Set([
  'id',
  'number',
  'no',
  'num',
  'nr',
  'is',
  'of',
  'to',
  'at',
  'equals',
  'the',
  'a',
  'be',
  'by',
  'with',
  'item',
]);

const isNumeric = (slot: Slot): boolean => slot.type === 'integer' || slot.type === 'number';

/**
 * A number in the slot's own terms: 5 % is 0.05 where the schema allows at most 1; text takes it as
 * written.
 */
function asValue(mention: NumberMention, slot: Slot): Found {
  const { maximum } = slot.schema;
  const value =
    mention.percent && typeof maximum === 'number' && maximum <= 1
      ? mention.value / 100
      : mention.value;
  return { value: slot.type === 'string' ? mention.written : value, span: mention };
}

/**
 * A number next to the parameter's name: "task 42", "task number 42", "limit of 5"; also before it
 * ("5 results") where the parameter is not an identifier.
 */
export const numberNextToName: Rule = ({ slot, reading, taken }) => {
  if (!isNumeric(slot) && !(slot.type === 'string' && isIdentifier(slot))) return null;
  const mention = free(reading.numbers, taken).find((each) => isNamed(each, slot, reading));
  return mention ? asValue(mention, slot) : null;
};

function isNamed(mention: NumberMention, slot: Slot, reading: QueryReading): boolean {
  const tokens = reading.tokens;
  const at = tokens.findIndex((token) => token.end > mention.start);
  let before = at - 1;
  while (
    at - before <= 3 &&
    connectors.has(tokens[before]?.lower ?? '') &&
    !isCue(tokens[before], slot)
  )
    before -= 1;
  if (isCue(tokens[before], slot)) return true;
  if (isIdentifier(slot)) return false;
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

/**
 * Numbers in the order in which they stand, for required numeric parameters in the order of the
 * schema.
 */
export const nextNumber: Rule = ({ slot, reading, taken }) => {
  if (!slot.required || !isNumeric(slot)) return null;
  const next = free(reading.numbers, taken).find(
    (mention) => slot.type === 'number' || Number.isInteger(mention.value),
  );
  return next ? asValue(next, slot) : null;
};
