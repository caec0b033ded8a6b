import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { valueAtPointer } from '../../../src-shared/domain/jsonPointer.ts';
import type { LargeReading } from '../../../src-shared/domain/largeReading.ts';
import type { ReadingCheck, StateCheck, TaskResult } from '../../../src-shared/domain/task.ts';
import { resultValue } from './resultValue.ts';

/** What a check compares of a reading: where, and with what. Equal texts mean the same question. */
export const readAs = (check: StateCheck | ReadingCheck): string =>
  canonicalJson(
    check.kind === 'state'
      ? ['state', check.at, check.test, check.expected]
      : ['reading', check.at, [...(check.ignore ?? [])].sort()],
  );

/** The part of a reading that a check compares. */
export type ReadPart =
  /** `whole` is what was kept: the depth of more than the part counts. */
  | { is: 'value'; value: JsonValue | undefined; whole: JsonValue }
  /** Too long to be kept, and answered or hashed when it was read. */
  | { is: 'hashed'; large: LargeReading }
  /** Too long to be kept, and this check asks for something else than what was read then. */
  | { is: 'not_kept' };

/**
 * The part at the pointer of a check. Of a reading that was too long to be kept whole, only what the
 * check of then compared is there, so that a changed check may find nothing to compare.
 */
export function readPart(check: StateCheck | ReadingCheck, result: TaskResult): ReadPart {
  const { large } = result;
  if (large === undefined) {
    const whole = resultValue(result);
    return { is: 'value', value: valueAtPointer(whole, check.at), whole };
  }
  const isSame = large.of === readAs(check);
  if (large.part === 'hashed') return isSame ? { is: 'hashed', large } : { is: 'not_kept' };
  const isInside = check.at === large.at || check.at.startsWith(`${large.at}/`);
  if (!isSame && !(check.kind === 'state' && isInside)) return { is: 'not_kept' };
  if (large.part === 'missing') return { is: 'value', value: undefined, whole: null };
  const whole = resultValue(result);
  return { is: 'value', value: valueAtPointer(whole, check.at.slice(large.at.length)), whole };
}

/** Why a changed check decides nothing about a long reading. */
export const notKept = (tool: string): string =>
  `The result of ${tool} is too long to be kept, and the check compared another part of it when it ran. Run the task again.`;
