import { countedText } from './verdictTexts.ts';

/** The sentences of docs/rules.md §3, Comparisons, composed a second time from checked numbers. */
export interface Answered {
  number: number;
  answer: string;
  difference: { value: number; low: number; high: number } | null;
  adjusted_p_value: number | null;
  shared_cases: number;
}

/** In percentage points with a sign; none before 0.0. */
function points(share: number): string {
  const size = Math.abs(100 * share).toFixed(1);
  return size === '0.0' ? size : `${share < 0 ? '−' : '+'}${size}`;
}

function pText(p: number): string {
  if (p < 0.0001) return '< 0.0001';
  if (p > 0.05 && p < 0.0505) return '> 0.05';
  return p.toFixed(p < 0.01 ? 4 : 3);
}

const wordOf = ({ answer, difference }: Answered): string => {
  if (answer !== 'cannot tell') return answer;
  return difference === null ? 'not comparable' : 'within noise';
};

/** What follows the names of the sides. */
export function findingOf(candidates: readonly Answered[]): string {
  const [only] = candidates;
  if (only && candidates.length === 1)
    return `${only.difference ? `${points(only.difference.value)} points, ` : ''}${wordOf(only)}`;
  return ['better', 'worse', 'within noise', 'not comparable']
    .map((word) => ({ word, n: candidates.filter((one) => wordOf(one) === word).length }))
    .filter(({ n }) => n > 0)
    .map(({ word, n }) => `${n} ${word}`)
    .join(', ');
}

/**
 * The answer with its numbers. `needed` holds how many cases would show which difference. A report
 * doesn't say whether it compares cases or tasks.
 */
export const answerTexts = (
  { answer, difference, adjusted_p_value: p, shared_cases: n }: Answered,
  needed: { cases: number; points: number; repetitions: number | null | undefined } | null,
): string[] =>
  ['case', 'task'].map((unit) => {
    const again =
      needed?.repetitions === undefined
        ? ''
        : needed.repetitions === null
          ? `; repeating the same ${unit}s is not enough`
          : `, or ${countedText(needed.repetitions, 'repetition')} of each shared ${unit}`;
    if (difference === null || p === null)
      return `Not comparable: no ${unit} was scored on both sides.`;
    const { value, low, high } = difference;
    const word =
      answer === 'cannot tell' ? 'Within noise' : answer === 'better' ? 'Better' : 'Worse';
    const numbers =
      `${points(value)} points [${points(low)} to ${points(high)}], p ${pText(p)}, over ` +
      countedText(n, unit);
    const more =
      answer === 'cannot tell' && needed !== null
        ? ` A difference of ${(100 * needed.points).toFixed(1)} points takes ` +
          `${countedText(needed.cases, unit)} to show in 4 of 5 tries${again}.`
        : '';
    return `${word}: ${numbers}.${more}`;
  });
