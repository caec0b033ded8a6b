import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { TaskStub } from '../../../src-shared/domain/task.ts';
import type { Judge } from '../judge.ts';
import { findDifference } from '../matchers.ts';

/**
 * Index of the first stub whose expected arguments match, compared as arguments of cases are
 * (docs/rules.md §2); one without arguments matches every call. −1 if none does.
 */
export const findMatchingStub = (
  stubs: readonly TaskStub[],
  args: JsonObject,
  judge: Judge,
): number =>
  stubs.findIndex(
    ({ arguments: expected }) =>
      expected === undefined || findDifference(expected, args, judge) === null,
  );
