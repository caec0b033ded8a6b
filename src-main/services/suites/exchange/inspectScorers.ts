import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { TaskFileCheck } from '../../../../src-shared/domain/taskFile.ts';
import type { Change } from './suiteDraft.ts';
import { nonEmptyText } from './values.ts';

/*
 * What the scorers of Inspect decide by a target, as checks
 * (https://inspect.aisi.org.uk/standard-scorers.html). A target may be several texts: one is enough.
 */

export interface NamedScorer {
  name: string;
  options: JsonObject;
}

/** A scorer without its package, such as `match` of `inspect_ai/match`. */
const shortNameOf = (name: string): string => name.split('/').at(-1) ?? name;

/** Blanks and ASCII punctuation, which `match` leaves out at both ends. */
const edge = '[\\s!-\\/:-@\\[-`{-~]*';
const edges = /^[\s!-/:-@[-`{-~]+|[\s!-/:-@[-`{-~]+$/gu;
const escaped = (text: string): string => text.replace(/[\\^$.*+?()|[\]{}/]/gu, '\\$&');
const oneOf = (texts: readonly string[]): string => `(?:${texts.map(escaped).join('|')})`;

const answerCheck = (pattern: string, ignoreCase = true): TaskFileCheck => ({
  answer: { $regex: `${ignoreCase ? '(?i)' : ''}${pattern}` },
});
const ignoresCase = ({ ignore_case: ignored = true }: JsonObject): boolean => ignored !== false;

/** Where `match` looks for a target. */
const places: Readonly<Record<string, (target: string) => string>> = {
  begin: (target) => `^${edge}${target}`,
  end: (target) => `${target}${edge}$`,
  any: (target) => target,
  exact: (target) => `^${edge}${target}${edge}$`,
};

function matchCheck(targets: readonly string[], options: JsonObject): TaskFileCheck | string {
  if (options['numeric'] === true) return 'It compares numbers by rules of its own.';
  const at = places[nonEmptyText(options['location']) ?? 'end'];
  const stripped = targets.map((each) => each.replace(edges, '')).filter((each) => each !== '');
  if (at === undefined || stripped.length === 0) return 'It says nothing that can be compared.';
  return answerCheck(at(oneOf(stripped)), ignoresCase(options));
}

const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '' && !articles.includes(word)),
  ),
];
const articles = ['a', 'an', 'the'];
const notWord = '[^\\p{L}\\p{N}]';

/** The words of a target and no others but articles, in any order: `exact` compares sets of words. */
function exactPattern(target: string): string {
  const words = wordsOf(target);
  const each = words.map((word) => `(?=(?:[^]*${notWord})?${word}(?:${notWord}|$))`).join('');
  return `^${each}${notWord}*(?:(?:${[...words, ...articles].join('|')})(?:${notWord}+|$))+$`;
}

function exactCheck(targets: readonly string[]): TaskFileCheck | string {
  const patterns = targets.filter((each) => wordsOf(each).length > 0).map(exactPattern);
  return patterns.length === 0
    ? 'It says nothing that can be compared.'
    : answerCheck(`(?:${patterns.join('|')})`);
}

/** What `answer` reads after "ANSWER:". */
function answerLine(targets: readonly string[], { pattern }: JsonObject): TaskFileCheck | string {
  const end = pattern === 'line' ? '[^\\S\\n]*(?:\\n|$)' : '(?:\\W|$)';
  return ['letter', 'word', 'line'].includes(nonEmptyText(pattern) ?? '')
    ? answerCheck(`ANSWER\\s*:\\s*${oneOf(targets)}${end}`)
    : 'It reads the answer by rules of its own.';
}

type Reading = (targets: readonly string[], options: JsonObject) => TaskFileCheck | string;
const readings: Readonly<Record<string, Reading>> = {
  includes: (targets, options) => answerCheck(oneOf(targets), ignoresCase(options)),
  match: matchCheck,
  exact: exactCheck,
  answer: answerLine,
  choice: (targets) =>
    targets.length === 1
      ? answerCheck(`ANSWER\\s*:\\s*${oneOf(targets)}(?:\\W|$)`)
      : 'It needs several letters at once.',
  model_graded_qa: ([target = '']) => ({ judge: `The answer meets this: ${target}` }),
  model_graded_fact: ([target = '']) => ({
    judge: `The answer says this, in any words: ${target}`,
  }),
};

/** What differs where a scorer becomes a check. */
const differences: Readonly<Record<string, string>> = {
  exact: 'A word with punctuation inside, such as U.S. or 3.5, is several words here.',
  answer: 'Any ANSWER line decides. There, one of them does.',
  choice: 'Any ANSWER line decides. There, the solver reads the letter.',
  model_graded_qa: 'It becomes a judge, which is advisory until people agree with it.',
  model_graded_fact: 'It becomes a judge, which is advisory until people agree with it.',
};

/** The checks of a sample, and what of its scorers has none. */
export function checksOfScorers(
  scorers: readonly NamedScorer[],
  targets: readonly string[],
): { checks: TaskFileCheck[]; changes: Change[] } {
  const changes: Change[] = [];
  const checks = scorers.flatMap(({ name, options }): TaskFileCheck[] => {
    const short = shortNameOf(name);
    const what = `scorer ${name}`;
    const check = Object.hasOwn(readings, short)
      ? readings[short]?.(targets, options)
      : 'It is code of the evaluation.';
    if (typeof check === 'object') {
      const why = differences[short];
      if (why !== undefined) changes.push({ what, why });
      return [check];
    }
    changes.push({
      what,
      why: `Not imported. ${check ?? ''} A run can succeed here that fails there.`,
    });
    return [];
  });
  if (checks.length > 1)
    changes.push({ what: 'scorers', why: 'All of them must pass here. There, each is reported.' });
  return { checks, changes };
}
