import { contentTerms, stem } from '../../../../analysis/tokenizer.ts';
import type { Span } from '../mention.ts';
import type { QueryReading } from '../queryReading.ts';
import type { Slot } from '../slots.ts';
import { clauseFrom, foundIn, free, isIdentifier, type Found, type Rule } from './rule.ts';

const takesText = (slot: Slot): boolean =>
  slot.type === 'string' && !Array.isArray(slot.schema['enum']);

/** An identifier that carries its own name: `user-123` or `user_7` for `user_id`. */
export const identifierWithPrefix: Rule = ({ slot, reading, taken }) => {
  if (!takesText(slot) || !isIdentifier(slot)) return null;
  const token = free(reading.tokens, taken).find(({ lower }) =>
    slot.cues.some((cue) => carriesName(lower, cue)),
  );
  return token ? { value: token.text, span: token } : null;
};

/** `user-123`, `users_7`; `user_id` itself is the name of the parameter, not a value. */
function carriesName(token: string, cue: string): boolean {
  if (!token.startsWith(cue)) return false;
  const rest = /^[a-z]{0,3}[-_](.+)$/u.exec(token.slice(cue.length))?.[1];
  return rest !== undefined && rest !== 'id';
}

/**
 * An identifier after its name: "user alice", "user id is alice", "the user's id: 42". A bare word
 * counts only where it is neither a function word nor a word that names the tool.
 */
export const identifierAfterName: Rule = ({ slot, reading, taken, isToolWord }) => {
  if (!takesText(slot) || !isIdentifier(slot)) return null;
  const tokens = reading.tokens;
  for (let at = 0; at < tokens.length; at += 1) {
    if (!slot.cues.includes(tokens[at]?.stem ?? '')) continue;
    let next = at + 1;
    let explicit = false;
    while (
      ['id', 'is', 'ids', 'identifier', 'key', 'called', 'named', 'name'].includes(
        tokens[next]?.lower ?? '',
      ) &&
      next - at <= 3
    ) {
      explicit = true;
      next += 1;
    }
    const token = tokens[next];
    if (
      !token ||
      overlapsTaken(token, taken) ||
      /[.!?;,\n]/u.test(reading.text.slice(tokens[next - 1]?.end ?? 0, token.start))
    )
      continue;
    const looksLikeId = /[\d_-]/u.test(token.text) || explicit;
    const isPlainName =
      ['for', 'as', 'by', 'of', 'to'].includes(tokens[at - 1]?.lower ?? '') &&
      contentTerms(token.text).length > 0 &&
      !isToolWord(token.stem) &&
      !isFunctionWord(token.lower);
    if (looksLikeId || isPlainName) return { value: token.text, span: token };
  }
  return null;
};

const overlapsTaken = (span: Span, taken: readonly Span[]): boolean =>
  free([span], taken).length === 0;
/** `contentTerms` drops function words next to a content word, but keeps them alone. */
const isFunctionWord = (word: string): boolean => contentTerms(`${word} content`).length === 1;

/** A UUID, for an identifier or a parameter whose format asks for one. */
export const uuidMentioned: Rule = ({ slot, reading, taken }) =>
  takesText(slot) && (isIdentifier(slot) || slot.schema['format'] === 'uuid')
    ? foundIn(free(reading.uuids, taken)[0])
    : null;

/** `name: value` and `name = value`, the name written as in the schema or with spaces. */
export const assignment: Rule = ({ slot, reading, taken }) => {
  const after = assignedAt(slot, reading, taken);
  if (after === null) return null;
  const mentions = [...reading.quotes, ...(slot.type === 'string' ? [] : reading.numbers)];
  const mention = free(mentions, taken).find(
    ({ start }) => start >= after && reading.text.slice(after, start).trim() === '',
  );
  if (mention) return { value: mention.value, span: mention };
  if (slot.type === 'boolean') return booleanAt(reading.text, after);
  if (!takesText(slot)) return null;
  const value = isIdentifier(slot)
    ? wordFrom(reading.text, after)
    : clauseFrom(reading.text, after);
  return value && !overlapsTaken(value, taken) ? { value: value.value, span: value } : null;
};

function assignedAt(slot: Slot, reading: QueryReading, taken: readonly Span[]): number | null {
  const tokens = free(reading.outside, taken);
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at];
    const run = tokens.slice(at, at + slot.words.length);
    const last =
      first?.lower === slot.name.toLowerCase()
        ? first
        : run.length > 0 &&
            run.every((token, index) => token.stem === stem(slot.words[index] ?? ''))
          ? run.at(-1)
          : undefined;
    const sign = last && /^\s?[:=]\s*/u.exec(reading.text.slice(last.end));
    if (last && sign) return last.end + sign[0].length;
  }
  return null;
}

function booleanAt(text: string, from: number): Found | null {
  const word = /^(true|false|yes|no)\b/iu.exec(text.slice(from))?.[1];
  return word === undefined
    ? null
    : { value: /^(?:true|yes)$/iu.test(word), span: { start: from, end: from + word.length } };
}

function wordFrom(
  text: string,
  from: number,
): { value: string; start: number; end: number } | null {
  const value = /^[^\s,;"']+?(?=[.,;!?)]*(?:\s|$))/u.exec(text.slice(from))?.[0];
  return value === undefined ? null : { value, start: from, end: from + value.length };
}
