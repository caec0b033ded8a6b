import type { AttackCategory } from '../../../src-shared/domain/security.ts';
import type { Severity } from '../../../src-shared/domain/severity.ts';
import type { Mask } from './lexicon.ts';
import type { WordClass } from './lexiconWords.ts';
import { mask } from './lexicon.ts';
import type { Words } from './words.ts';

/**
 * A rule over word classes: each step is a word of one of its classes, at most its gap in
 * characters after the previous step.
 */
export interface ChainRule {
  id: string;
  category: AttackCategory;
  severity: Severity;
  why: string;
  steps: readonly Mask[];
  gaps: readonly number[];
  /**
   * Words that exempt a match if one occurs in a sentence that the chain touches: the text then
   * talks about the attack.
   */
  unless: Mask | null;
  /** The tool must contain a word of each of these somewhere. */
  plus: readonly Mask[];
  /** Whether all words must be in one sentence. */
  oneSentence: boolean;
  /** Whether the rule is reliable enough to be applied across the parameters of a tool. */
  acrossParts: boolean;
}

interface ChainSpec extends Partial<Pick<ChainRule, 'severity' | 'oneSentence' | 'acrossParts'>> {
  steps: readonly (readonly WordClass[])[];
  /** One gap for all steps, or one for each step after the first. */
  gap?: number | readonly number[];
  unless?: readonly WordClass[];
  plus?: readonly (readonly WordClass[])[];
}

/** Where it says nothing else, its severity is high, and a text that talks about the attack is exempt. */
export function chainRule(
  category: AttackCategory,
  id: string,
  why: string,
  { steps, gap = 60, unless = ['MENTION'], plus = [], ...more }: ChainSpec,
): ChainRule {
  return {
    id,
    category,
    why,
    severity: 'high',
    acrossParts: false,
    oneSentence: false,
    ...more,
    steps: steps.map((step) => mask(...step)),
    gaps: steps.slice(1).map((_, index) => (typeof gap === 'object' ? (gap[index] ?? 60) : gap)),
    unless: unless.length === 0 ? null : mask(...unless),
    plus: plus.map((step) => mask(...step)),
  };
}

export interface ChainMatch {
  /** Indexes of the first and the last word. */
  first: number;
  last: number;
}

/** Whether there is a word of one of the wanted classes among these. */
export const holds = (lo: number, hi: number, wanted: Mask): boolean =>
  (lo & wanted.lo) !== 0 || (hi & wanted.hi) !== 0;

/**
 * The first place where the rule matches, or null. For each step the latest word that reaches it is
 * kept: if an earlier word is close enough, the later one is too, so one pass decides. Cost: words
 * × steps.
 */
export function findChain(words: Words, rule: ChainRule, whole: Mask): ChainMatch | null {
  const { allLo, allHi } = words;
  for (const step of rule.steps) if (!holds(allLo, allHi, step)) return null;
  for (const other of rule.plus) if (!holds(whole.lo, whole.hi, other)) return null;
  const count = rule.steps.length;
  const reached: number[] = new Array<number>(count).fill(-1);
  const began: number[] = new Array<number>(count).fill(-1);
  for (let index = 0; index < words.count; index += 1) {
    const lo = words.lo[index] ?? 0;
    const hi = words.hi[index] ?? 0;
    for (let step = count - 1; step >= 0; step -= 1) {
      const wanted = rule.steps[step];
      if (!wanted || !holds(lo, hi, wanted)) continue;
      if (step > 0) {
        const before = reached[step - 1] ?? -1;
        if (
          before < 0 ||
          (words.start[index] ?? 0) - (words.end[before] ?? 0) > (rule.gaps[step - 1] ?? 0)
        )
          continue;
        if (rule.oneSentence && words.sentence[index] !== words.sentence[before]) continue;
      }
      reached[step] = index;
      began[step] = step === 0 ? index : (began[step - 1] ?? -1);
      if (step === count - 1) {
        const match = { first: began[step] ?? index, last: index };
        if (rule.unless === null || !nearby(words, match, rule.unless)) return match;
      }
    }
  }
  return null;
}

/**
 * Number of words on either side that may exempt a match; bounded, so that no text makes the search
 * slow.
 */
const reach = 40;

/** Whether a sentence that the match touches contains a word of these classes. */
function nearby(words: Words, { first, last }: ChainMatch, wanted: Mask): boolean {
  const from = words.sentence[first] ?? 0;
  const to = words.sentence[last] ?? 0;
  for (
    let index = Math.max(0, first - reach);
    index < Math.min(words.count, last + reach);
    index += 1
  ) {
    const sentence = words.sentence[index] ?? 0;
    if (sentence < from) continue;
    if (sentence > to) break;
    if (holds(words.lo[index] ?? 0, words.hi[index] ?? 0, wanted)) return true;
  }
  return false;
}
