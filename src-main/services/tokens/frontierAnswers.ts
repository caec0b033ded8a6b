import { counted, formatPoints, formatPValue } from '../../../src-shared/display/numbers.ts';
import type { FrontierPoint } from '../../../src-shared/domain/tokenReport.ts';

/** The conclusion for one retriever; `k` is null when there is no loss to report. */
export interface FrontierAnswer {
  retriever: string;
  k: number | null;
  sentence: string;
}

const toolCount = (k: number): string => counted(k, 'tool');

/**
 * For each retriever, finds where fewer tools begin to cost accuracy: the largest k that the paired
 * test of comparisons finds worse than every tool, adjusted over all k. Says so when none is, or when
 * nothing can be concluded yet. Source: docs/rules.md §6.
 */
export function frontierAnswers(all: readonly FrontierPoint[]): FrontierAnswer[] {
  const retrievers = [
    ...new Set(all.filter(({ k }) => k !== null).map(({ retriever }) => retriever)),
  ];
  return retrievers.map((retriever) => {
    const measured = all
      .filter((point) => point.retriever === retriever && point.k !== null)
      .sort((a, b) => (b.k ?? 0) - (a.k ?? 0));
    const answer = (sentence: string, k: number | null = null): FrontierAnswer => ({
      retriever,
      k,
      sentence,
    });
    if (!all.some(({ k }) => k === null))
      return answer(
        'The full tool list was not measured, so there is nothing to compare with. Add k = all.',
      );
    if (measured.every(({ difference }) => difference === null))
      return answer('Not known yet: the evaluations have not ended.');
    const firstLoss = measured.find(({ difference }) => difference?.answer === 'worse');
    const smallest = measured.filter(({ difference }) => difference !== null).at(-1);
    if (!firstLoss?.difference) {
      const n = smallest?.difference?.n ?? 0;
      return answer(
        `No loss of accuracy can be shown down to ${toolCount(smallest?.k ?? 0)}: all differences ` +
          `are within noise (n ${n}). With more cases one might be shown.`,
      );
    }
    const { value, low, high, n, adjustedP } = firstLoss.difference;
    const previous = measured
      .filter(({ k, difference }) => (k ?? 0) > (firstLoss.k ?? 0) && difference !== null)
      .at(-1);
    const withoutLoss = previous ? ` With ${toolCount(previous.k ?? 0)} no loss can be shown.` : '';
    return answer(
      `Fewer tools begin to cost accuracy at k = ${firstLoss.k ?? 0}: ${formatPoints(value)} ` +
        `points [${formatPoints(low)} to ${formatPoints(high)}] vs. every tool, p ` +
        `${formatPValue(adjustedP)}, n ${n}.${withoutLoss}`,
      firstLoss.k,
    );
  });
}
