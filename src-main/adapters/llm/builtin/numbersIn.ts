import type { Mention } from './mention.ts';
import { attachedUnit, unitOf } from './units.ts';

const digits = new RegExp(
  '(?<![\\w.,^-])(?<sign>[-+]?)(?<currency>[$€£¥])?(?:(?<integer>\\d{1,3}(?:,\\d{3})+|\\d{1,15})(?<fraction>\\.\\d{1,15})?|(?<point>\\.\\d{1,15}))(?:[eE](?<power>[-+]?\\d{1,3})|\\s?[x×*]\\s?10\\^(?<ten>[-+]?\\d{1,3}))?' +
    '(?:\\s?(?<percent>%)|\\s?(?<scale>k|[mM]illion|[bB]illion|[tT]housand|[hH]undred)\\b|(?:st|nd|rd|th)\\b' +
    `|(?<unit>${attachedUnit}))?(?![\\w^]|-(?!\\p{Ll}{3})|\\.\\d)`,
  'gu',
);
const scales: Record<string, number> = {
  k: 1e3,
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
};

export interface NumberMention extends Mention<number> {
  /**
   * Written with a percent sign: 5 % means 5 or 0.05, and the schema's maximum
   * decides which.
   */
  percent: boolean;
  /** The number as it was written, for parameters that are text. */
  written: string;
  /** The sign of the unit or currency that is written with it; null where there is none. */
  unit: string | null;
}

/** Numbers in digits: `42`, `-3.5`, `1,000`, `$20`, `5%`, `3rd`, `2 million`. */
export function numbersInDigits(text: string): NumberMention[] {
  return Array.from(text.matchAll(digits), (match) => {
    const {
      sign = '',
      currency,
      integer = '0',
      fraction = '',
      point,
      power,
      ten,
      percent,
      scale,
      unit,
    } = match.groups ?? {};
    const whole = match[0];
    const value =
      Number(`${sign}${integer.replaceAll(',', '')}${point ?? fraction}e${power ?? ten ?? 0}`) *
      (scale ? (scales[scale.toLowerCase()] ?? 1) : 1);
    return {
      value,
      percent: percent !== undefined,
      written: `${sign}${integer}${point ?? fraction}`,
      unit:
        percent ??
        ((unit ?? currency)
          ? unitOf((unit ?? currency ?? '').replace(/^°\s?/u, '').replace(/[\^²³].*$/u, ''))
          : unitAfter(text, match.index + whole.length)),
      start: match.index,
      end: match.index + whole.length,
    };
  });
}

/** The unit in the word that follows: "5 years", "5-day", "7 percent". */
function unitAfter(text: string, at: number): string | null {
  // "8 by 12 meters": the unit is that of both.
  const behind = text.slice(at, at + 40).replace(/^\s(?:by|x|×)\s[\d.,]{1,12}(?=[\s-])/u, '');
  const word = /^[\s-](\p{L}{1,12}(?:\/\p{L})?)(?![\p{L}\p{N}])/u.exec(behind.slice(0, 16))?.[1];
  return word === undefined || /^(?:in|a|A|an)$/u.test(word) ? null : unitOf(word);
}

const smallWords = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
  'fifteen sixteen seventeen eighteen nineteen'
).split(' ');
const tensWords = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const valueOfWord = new Map<string, number>([
  ...smallWords.map((word, value): [string, number] => [word, value]),
  ...tensWords.slice(2).map((word, at): [string, number] => [word, (at + 2) * 10]),
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
]);
const wordRun = new RegExp(
  `\\b(?:${[...valueOfWord.keys()].join('|')})(?:(?:[ ` +
    `-]|\\s+and\\s+)(?:${[...valueOfWord.keys()].join('|')}))*\\b`,
  'giu',
);
/** "that one", "another one": a pronoun, not a number. */
const pronounBefore =
  /\b(?:the|that|this|which|another|any|no|every|each|last|first|next|new)\s+$/iu;

/**
 * Numbers in words: `forty-two`, `two hundred and five`, `a dozen`. A bare "one" after a word like
 * "that" is not read as a number.
 */
export function numbersInWords(text: string): NumberMention[] {
  const found: NumberMention[] = [];
  for (const match of text.matchAll(wordRun)) {
    const written = match[0];
    if (
      /^one$/iu.test(written) &&
      (pronounBefore.test(text.slice(Math.max(0, match.index - 12), match.index)) ||
        !/^\s+\p{L}/u.test(text.slice(match.index + 3)))
    )
      continue;
    // "three and four" are two numbers; "and" belongs to one only after hundred or thousand.
    let from = 0;
    for (const part of written.split(/(?<!hundred|thousand|million)\s+and\s+/iu)) {
      const at = written.indexOf(part, from);
      from = at + part.length;
      const start = match.index + at;
      found.push({
        value: valueOfWords(part),
        percent: false,
        written: part,
        unit: unitAfter(text, start + part.length),
        start,
        end: start + part.length,
      });
    }
  }
  return found;
}

function valueOfWords(written: string): number {
  let total = 0;
  let current = 0;
  for (const word of written.toLowerCase().split(/[\s-]+/u)) {
    const value = valueOfWord.get(word);
    if (value === undefined) continue;
    if (value >= 1000) {
      total += Math.max(1, current) * value;
      current = 0;
    } else if (word === 'hundred' || word === 'dozen') current = Math.max(1, current) * value;
    else current += value;
  }
  return total + current;
}
