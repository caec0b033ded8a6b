import { NO_TOOL, PHANTOM } from '../../../../../src-shared/domain/labels.ts';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import { mostConfused, type ConfusedPair } from '../../../../../src-shared/metrics/confusion.ts';
import { formatCount, formatPercent } from '../../../../../src-shared/display/numbers.ts';

/** A confusion and the number of calls that its row expected. */
export interface Capture extends ConfusedPair {
  of: number;
}

export function captures(confusion: ConfusionMatrix, limit = Number.POSITIVE_INFINITY): Capture[] {
  const totals = new Map(
    confusion.labels.map((label, at) => [
      label,
      (confusion.matrix[at] ?? []).reduce((sum, count) => sum + count, 0),
    ]),
  );
  return mostConfused(confusion, limit).map((one) => ({
    ...one,
    of: totals.get(one.expected) ?? one.count,
  }));
}

/** A confusion as a sentence: `search_issues got 18% (2 of 11) of the calls for search_code`. */
export function captureSentence(
  { expected, selected, count, of }: Capture,
  nameOf: (label: string) => string,
): string {
  const share = `${formatPercent(count / of)} (${formatCount(count)} of ${formatCount(of)})`;
  if (expected === NO_TOOL) {
    const what = selected === PHANTOM ? 'A tool that was not offered' : nameOf(selected);
    return `${what} was called ${count === 1 ? 'once' : `${formatCount(count)} times`} where no call was expected`;
  }
  if (selected === NO_TOOL) return `${share} of the calls for ${nameOf(expected)} were not made`;
  if (selected === PHANTOM)
    return `A tool that was not offered got ${share} of the calls for ${nameOf(expected)}`;
  return `${nameOf(selected)} got ${share} of the calls for ${nameOf(expected)}`;
}

/**
 * A confusion in short form: `complete_task → update_task`, `list_tasks → no tool`, `add_task
 * called, no call expected`.
 */
export function confusionSentence(
  { expected, selected }: Pick<ConfusedPair, 'expected' | 'selected'>,
  nameOf: (label: string) => string,
): string {
  if (expected === NO_TOOL) {
    return selected === PHANTOM
      ? 'a tool that was not offered, no call expected'
      : `${nameOf(selected)} called, no call expected`;
  }
  return (
    `${nameOf(expected)} → ` +
    (selected === PHANTOM ? 'a tool that was not offered' : nameOf(selected))
  );
}
