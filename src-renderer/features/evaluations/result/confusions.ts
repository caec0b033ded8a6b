import { NO_TOOL, PHANTOM } from '../../../../src-shared/domain/labels.ts';
import type { ConfusionMatrix } from '../../../../src-shared/domain/metrics.ts';
import { formatPercent } from '../../../ui/estimate/format.ts';
import { mostConfused } from './mostConfused.ts';

/** A confusion and the number of calls that its row expected. */
export interface Capture {
  expected: string;
  selected: string;
  count: number;
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

/** A confusion as a sentence: `search_issues captures 18 % of what belongs to search_code`. */
export function captureSentence(
  { expected, selected, count, of }: Capture,
  nameOf: (label: string) => string,
): string {
  const share = `${formatPercent(count / of)} (${count} of ${of})`;
  if (expected === NO_TOOL) {
    const what = selected === PHANTOM ? 'A tool that was not offered' : nameOf(selected);
    return `${what} was called ${count === 1 ? 'once' : `${count} times`} where none was due`;
  }
  if (selected === NO_TOOL) return `${nameOf(expected)} is not called in ${share} of its cases`;
  if (selected === PHANTOM)
    return `A tool that was not offered takes ${share} of what belongs to ${nameOf(expected)}`;
  return `${nameOf(selected)} captures ${share} of what belongs to ${nameOf(expected)}`;
}
