import { formatCount } from '../../../src-shared/display/numbers.ts';
import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import { valueAtPointer } from '../../../src-shared/domain/jsonPointer.ts';
import type { LargeReading } from '../../../src-shared/domain/largeReading.ts';
import type { ReadingCheck, StateCheck, TaskResult } from '../../../src-shared/domain/task.ts';
import { exceedsDepth, MAX_DEPTH } from '../../scoring/depth.ts';
import type { Judge } from '../../scoring/judge.ts';
import { outlineOf } from '../../scoring/tasks/outlineOf.ts';
import { without, judgeStateValue } from '../../scoring/tasks/taskChecks.ts';
import { readAs } from '../../scoring/tasks/readingPart.ts';
import { resultValue } from '../../scoring/tasks/resultValue.ts';

/** A longer reading is not compared: it takes too much memory. */
export const maxReadingBytes = 50_000_000;
/** A reading, or a part of it, up to this many characters is kept as it is. */
export const maxKeptReading = 2_000_000;

/**
 * What is kept of a reading that is too long to be kept whole: the part that the check compares, or of
 * a part that is too long as well, what the comparison says and hashes. Throws if it is nested too
 * deep to be compared.
 */
export function reduceReading(
  check: StateCheck | ReadingCheck,
  whole: string,
  judge: Judge,
): TaskResult {
  const there = valueAtPointer(resultValue({ structured: null, text: whole }), check.at);
  const kept = (text: string, more: Pick<LargeReading, 'part'> & Partial<LargeReading>) => ({
    ...{ isError: false, text, structured: null, cutFrom: null, omitted: [] },
    large: { length: whole.length, of: readAs(check), at: check.at, ...more },
  });
  if (there === undefined) return kept('', { part: 'missing' });
  if (exceedsDepth(there))
    throw new Error(`The result of ${check.tool} is nested deeper than ${MAX_DEPTH} levels.`);
  const part = check.kind === 'state' ? there : without(there, new Set(check.ignore));
  const text = canonicalJson(part);
  if (text.length <= maxKeptReading) return kept(text, { part: 'kept' });
  const hashed = { part: 'hashed', partLength: text.length } as const;
  const note = `[${formatCount(text.length)} characters, too many to keep]`;
  if (check.kind !== 'state') return kept(note, { ...hashed, outline: outlineOf(part) });
  return kept(note, { ...hashed, verdict: judgeStateValue(check, part, judge) });
}
