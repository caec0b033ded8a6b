import type { RepeatedNumbers } from '../domain/analysis.ts';
import type { RateEnds } from '../domain/metrics.ts';
import { formatPercent, percentInterval } from './numbers.ts';

const withEnds = (value: number | null, ends: RateEnds): string =>
  `${formatPercent(value)} ${percentInterval({ value, low: ends?.low ?? null, high: ends?.high ?? null })}`.trim();

/** pass@k and pass^k of cases, each with its 95% interval: `72% 61–81%`. */
export const repeatedRateTexts = (
  row: Omit<RepeatedNumbers['passRates'][number], 'k' | 'cases'>,
): string[] => [
  withEnds(row.passAtK, row.passAtKInterval),
  withEnds(row.passAllK, row.passAllKInterval),
];
