import { formatCount } from './numbers.ts';
import { parseJson } from '../domain/exactNumber.ts';
import { isJsonObject, type JsonValue } from '../domain/json.ts';
import { plainText, type RichText } from './verdictTexts.ts';

/** Long lists of choices are cut. */
const maxChoices = 12;

/** How each matcher reads in front of its operand; operands of the empty ones are not shown. */
const words: Readonly<Record<string, string>> = {
  $any: 'any of ',
  $regex: 'matches ',
  $contains: 'contains ',
  $gte: 'at least ',
  $lte: 'at most ',
  $optional: 'may be absent, otherwise ',
  $exact: 'exactly ',
  $eq: 'equals ',
  $partial: 'has at least ',
  $unordered: 'in any order ',
};
const withoutOperand: Readonly<Record<string, string>> = {
  $absent: 'must be absent',
  $ignore: 'any value',
  $default: 'may be absent, otherwise the default',
};

const code = (value: JsonValue): RichText => [{ code: JSON.stringify(value) }];

/**
 * An expected value (as JSON) as a person reads it: a matcher in words, `contains "milk"`, and any
 * other value as it is.
 */
export function expectedWords(json: string): RichText {
  if (!json.startsWith('{"$')) return [{ code: json }];
  const value = parseJson(json);
  return isJsonObject(value) && isMatcher(value) ? matcherWords(value) : [{ code: json }];
}

function operandWords(value: JsonValue): RichText {
  return isJsonObject(value) && isMatcher(value) ? matcherWords(value) : code(value);
}

function matcherWords(matcher: Record<string, JsonValue>): RichText {
  return Object.entries(matcher).flatMap(([key, operand], at): RichText => {
    const and = at === 0 ? [] : [' and '];
    const alone = withoutOperand[key];
    if (alone !== undefined) return [...and, alone];
    const shown = key === '$any' && Array.isArray(operand) ? choices(operand) : null;
    return [...and, words[key] ?? `${key} `, ...(shown ?? operandWords(operand))];
  });
}

function choices(values: readonly JsonValue[]): RichText {
  const rest = values.length - maxChoices;
  return [
    ...values
      .slice(0, maxChoices)
      .flatMap((value, at) => [...(at === 0 ? [] : [', ']), ...operandWords(value)]),
    ...(rest > 0 ? [`, and ${formatCount(rest)} more`] : []),
  ];
}

/** True for an expected value that is a matcher: an object whose keys all begin with `$`. */
export function isMatcher(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith('$'));
}

/** The arguments of an expected call on one line: `owner acme, title contains "cart"`. */
export function argumentsText(parameters: Readonly<Record<string, JsonValue>>): string {
  return Object.entries(parameters)
    .map(
      ([name, value]) =>
        `${name} ${typeof value === 'string' ? value : plainText(expectedWords(JSON.stringify(value)))}`,
    )
    .join(', ');
}
