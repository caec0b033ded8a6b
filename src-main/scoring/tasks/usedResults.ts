import { isNumber, numberText } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { TaskResult, Trajectory } from '../../../src-shared/domain/task.ts';
import { exceedsDepth } from '../depth.ts';
import { normaliseText } from '../normalise.ts';
import { resultValue } from './resultValue.ts';

/** Shorter texts appear by chance. */
const minLength = 3;
/** A longer text is a document: its beginning says as well whether it was read. */
const maxLength = 100_000;

/** Numbers, and words with a digit or a sign within them: ids, paths, addresses, dates. */
const token = /[\p{L}\p{N}]+(?:[-_.:/@][\p{L}\p{N}]+)*/gu;
const isMark = (word: string): boolean => /\p{N}|[-_.:/@]/u.test(word);
/** Texts in quotation marks or backticks. */
const quoted = /["“'‘`]([^"“”'‘’`\n]{3,200})["”'’`]/gu;

/** 1,234 is the same number as 1234. */
const comparable = (text: string): string =>
  normaliseText(text).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, '');
const tokensOf = (text: string): string[] => text.match(token) ?? [];

/**
 * The values in a text: the whole text, each line and what follows a colon in it, what is quoted,
 * numbers, and words that are no plain words (`task-77`, `a/b.txt`). Texts shorter than 3 characters
 * are no values. `phrases` are looked for as they are, `marks` as whole words.
 */
function valuesOfText(given: string): { phrases: string[]; marks: string[] } {
  const text = comparable(given.slice(0, maxLength));
  const lines = text.split('\n');
  const after = lines.flatMap((line) => {
    const at = line.indexOf(': ');
    return at < 0 ? [] : [line.slice(at + 2)];
  });
  return {
    phrases: [
      text,
      ...lines,
      ...after,
      ...[...text.matchAll(quoted)].map(([, inner = '']) => inner),
    ]
      .map((phrase) => phrase.trim().replace(/[.,;]$/u, ''))
      .filter((phrase) => phrase.length >= minLength),
    marks: tokensOf(text).filter(isMark),
  };
}

/** The texts and numbers in a value, as they would appear in an argument or an answer. */
function* leavesOf(value: JsonValue): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item);
  else if (isJsonObject(value)) for (const item of Object.values(value)) yield* leavesOf(item);
  else if (typeof value === 'string') yield value;
  else if (isNumber(value)) yield numberText(value).replace('-', '');
}

/** What the model wrote after the call at an index: messages, and values of arguments. */
function laterTexts(at: number, { steps }: Pick<Trajectory, 'steps'>): string[] {
  const later: string[] = [];
  let index = 0;
  for (const step of steps) {
    if (step.text !== null && index > at) later.push(step.text);
    for (const { arguments: given } of step.calls) {
      if (index > at && given !== null && !exceedsDepth(given)) later.push(...leavesOf(given));
      index += 1;
    }
  }
  return later;
}

/**
 * Whether the model used the result of the call at an index: a value of it is in a later argument or
 * message. Values are compared after normalization, numbers and marks such as `task-77` as whole
 * words: 1 is not a part of 2021. A result that is nested too deeply counts as used.
 */
export function isResultUsed(
  result: TaskResult,
  at: number,
  run: Pick<Trajectory, 'steps'>,
): boolean {
  const value = resultValue(result);
  if (exceedsDepth(value)) return true;
  const text = comparable(laterTexts(at, run).join('\n'));
  const words = new Set(tokensOf(text));
  for (const leaf of leavesOf(value)) {
    const { phrases, marks } = valuesOfText(leaf);
    if (marks.some((mark) => words.has(mark))) return true;
    if (phrases.some((phrase) => text.includes(phrase))) return true;
  }
  return false;
}
