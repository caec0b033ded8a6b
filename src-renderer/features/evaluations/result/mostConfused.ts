import { isCorrectUnit, NO_TOOL, PHANTOM } from '../../../../src-shared/domain/labels.ts';
import type { ConfusionMatrix } from '../../../../src-shared/domain/metrics.ts';

export interface Confusion {
  expected: string;
  selected: string;
  count: number;
}

/** The nonzero cells off the diagonal, largest first; ties follow the order of the matrix. */
export function mostConfused({ labels, matrix }: ConfusionMatrix, limit: number): Confusion[] {
  const pairs: Confusion[] = [];
  matrix.forEach((row, at) => {
    row.forEach((count, column) => {
      const [expected, selected] = [labels[at], labels[column]];
      if (count === 0 || at === column || expected === undefined || selected === undefined) return;
      if (!isCorrectUnit({ expected, selected })) pairs.push({ expected, selected, count });
    });
  });
  return pairs.sort((a, b) => b.count - a.count).slice(0, limit);
}

/**
 * A confusion in short form: `complete_task → update_task`, `list_tasks → no tool`, `add_task
 * called, no call expected`.
 */
export function confusionSentence(
  { expected, selected }: Confusion,
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
