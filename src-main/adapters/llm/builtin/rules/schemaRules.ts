import { groupsOf } from '../../../../analysis/relatedWords.ts';
import { free, type Found, type Rule, type RuleInput } from './rule.ts';
import type { JsonValue } from '../../../../../src-shared/domain/json.ts';
import type { Slot } from '../slots.ts';
import { stem, words } from '../../../../analysis/tokenizer.ts';
import type { Span } from '../mention.ts';
import type { QueryReading, Token } from '../queryReading.ts';

/** `const`: a required parameter that can have one value has it. */
export const constantOfSchema: Rule = ({ slot }) => {
  const value = slot.schema['const'];
  return slot.required && value !== undefined ? { value, span: null } : null;
};

/**
 * `default`: a required parameter that nothing in the query speaks of takes the default of its
 * schema. Optional ones are left to the server.
 */
export const defaultOfSchema: Rule = ({ slot }) => {
  const value = slot.schema['default'];
  return slot.required && value !== undefined ? { value, span: null } : null;
};

/**
 * `enum`: the value that the query names, forms of a word counting as the word; the longest wins,
 * then one after "to", then the first.
 */
export const enumNamed: Rule = (input) =>
  Array.isArray(input.slot.schema['enum'])
    ? (enumsNamed(input.slot, input.reading, input.taken)[0] ?? enumByRelatedWord(input))
    : null;

/**
 * The one value with a word of the query in its group of related words ("done" for `completed`); none
 * where several have one. Words that name the tool don't count.
 */
function enumByRelatedWord({ slot, reading, taken, isToolWord }: RuleInput): Found | null {
  const values = Array.isArray(slot.schema['enum']) ? slot.schema['enum'] : [];
  const tokens = free(reading.outside, taken).filter((token) => !isToolWord(token.stem));
  const related = values.flatMap((value): Found[] => {
    const groups = typeof value === 'string' ? groupsOf(stem(value.toLowerCase())) : [];
    const token = tokens.find((each) =>
      groupsOf(each.stem).some((group) => groups.includes(group)),
    );
    return token ? [{ value, span: token }] : [];
  });
  return related.length === 1 ? (related[0] ?? null) : null;
}

/** A value that the description of a text names and the query too; the longest wins. */
export const optionNamed: Rule = ({ slot, reading, taken }) =>
  Array.isArray(slot.schema['enum']) || slot.options.length === 0
    ? null
    : (valuesNamed(slot.options, reading, taken)[0] ?? null);

/** Every enum value that the query names, best first. */
export const enumsNamed = (slot: Slot, reading: QueryReading, taken: readonly Span[]): Found[] =>
  valuesNamed(Array.isArray(slot.schema['enum']) ? slot.schema['enum'] : [], reading, taken);

function valuesNamed(
  values: readonly JsonValue[],
  reading: QueryReading,
  taken: readonly Span[],
): Found[] {
  const tokens = free(reading.tokens, taken);
  return values
    .flatMap((value, order) => {
      const named = typeof value === 'string' ? sequenceOf(value, tokens) : null;
      return named
        ? [{ value, span: named.span, length: named.length, to: named.afterTo, order }]
        : [];
    })
    .sort(
      (a, b) =>
        b.length - a.length ||
        Number(b.to) - Number(a.to) ||
        a.span.start - b.span.start ||
        a.order - b.order,
    )
    .map(({ value, span }) => ({ value, span }));
}

/**
 * Where the words of a value stand next to each other. One or two letters must be written exactly
 * so: `C` is not the "c" of a sentence.
 */
function sequenceOf(
  value: string,
  tokens: readonly Token[],
): { span: Span; length: number; afterTo: boolean } | null {
  const parts = words(value);
  if (parts.length === 0) return null;
  const exact = value.length <= 2;
  const stems = parts.map(stem);
  for (let at = 0; at + stems.length <= tokens.length; at += 1) {
    const run = tokens.slice(at, at + stems.length);
    const first = run[0];
    const last = run.at(-1);
    if (!first || !last) continue;
    const joined = words(first.text).map(stem).join(' ') === stems.join(' ');
    if (
      exact
        ? first.text === value
        : joined || run.every((token, index) => token.stem === stems[index])
    ) {
      return {
        span: { start: first.start, end: exact || joined ? first.end : last.end },
        length: stems.length,
        afterTo: tokens[at - 1]?.lower === 'to',
      };
    }
  }
  return null;
}

const negations = new Set(
  (
    "no not without don don't don’t never exclude excluding except disable disabled skip hide " +
    'off'
  ).split(' '),
);
const yes = new Set(['true', 'yes', 'on', 'enabled']);
const noValues = new Set(['false', 'no', 'off', 'disabled']);

/**
 * Booleans: all telling words of the name stand in the query = true; with "no", "without", "not"
 * and the like just before = false; `name: false` = false.
 */
export const booleanNamed: Rule = ({ slot, reading, taken }) => {
  if (slot.type !== 'boolean') return null;
  const tokens = free(reading.outside, taken);
  const places = slot.cues.map((cue) =>
    tokens.findIndex((token) => token.stem === cue || words(token.text).map(stem).includes(cue)),
  );
  if (places.includes(-1)) return null;
  const first = Math.min(...places);
  const last = Math.max(...places);
  const from = tokens[first];
  const to = tokens[last];
  if (!from || !to) return null;
  const span = { start: from.start, end: to.end };
  const next = tokens[last + 1];
  const next2 = next && ['is', 'to', 'set', 'as'].includes(next.lower) ? tokens[last + 2] : next;
  if (next2 && noValues.has(next2.lower)) return { value: false, span };
  if (next2 && yes.has(next2.lower)) return { value: true, span };
  const negated = tokens
    .slice(Math.max(0, first - 3), first)
    .some((token) => negations.has(token.lower));
  return { value: !negated, span };
};
