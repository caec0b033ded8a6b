import type { Comparison } from '../../../../src-shared/domain/comparison.ts';
import type { NamedRate } from '../PassRateChart.tsx';

/**
 * The rates of all sides. The baseline's rate covers the cases that it shares with a candidate, so
 * it is listed again where candidates share other cases with it.
 */
export function comparedRates({ baseline, candidates }: Comparison): NamedRate[] {
  const rates: NamedRate[] = [];
  const seen = new Set<string>();
  for (const one of candidates) {
    const key = `${one.baselineRight.value} ${one.baselineRight.n}`;
    const again = seen.size > 0 ? `, shared with #${one.number}` : '';
    if (!seen.has(key))
      rates.push({
        name: `#${baseline.number} ${baseline.model}${again}`,
        rate: one.baselineRight,
      });
    seen.add(key);
    rates.push({ name: `#${one.number} ${one.model}`, rate: one.candidateRight });
  }
  // Two sides are one test. Of several, candidates were tested against the baseline, not each other.
  const [only, ...others] = candidates;
  return only === undefined || others.length > 0
    ? rates
    : rates.map((rate) => ({ ...rate, vsBest: only.answer }));
}
