import { NO_TOOL, PHANTOM } from '../../../../../src-shared/domain/labels.ts';
import type { ConfusedPair } from '../../../../../src-shared/metrics/confusion.ts';

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
