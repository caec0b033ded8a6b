import type { Path, Recount } from './recount.ts';
import type { FlipTest } from './signFlips.ts';

export const significance = 0.05;

/** Compares difference and p-value of one candidate; both are null without a test. */
export function compareTest(path: Path, test: FlipTest | null, recount: Recount): void {
  if (test === null) {
    recount.compare([...path, 'difference'], null);
    recount.compare([...path, 'p_value'], null);
    return;
  }
  recount.compare([...path, 'difference', 'value'], test.value);
  recount.compareRange([...path, 'difference', 'low'], ...test.low);
  recount.compareRange([...path, 'difference', 'high'], ...test.high);
  recount.compareRange([...path, 'p_value'], ...test.p);
}

/** Holm: the i-th smallest of m times m − i + 1, never below the one before it. */
export function holmOf(values: readonly (number | null)[]): (number | null)[] {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const adjusted = known.map((_, at) =>
    Math.max(...known.slice(0, at + 1).map((p, i) => Math.min(1, p * (known.length - i)))),
  );
  return values.map((value) => (value === null ? null : (adjusted[known.indexOf(value)] ?? null)));
}

export function answerOf(adjusted: number | null, value: number): string {
  if (adjusted === null || adjusted > significance) return 'cannot tell';
  return value > 0 ? 'better' : 'worse';
}
