import { kept } from '../../../src-shared/display/callDifferences.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { CheckResult } from '../../../src-shared/domain/task.ts';
import { exceedsDepth } from '../depth.ts';

/** What a failed check found, for its difference; nothing is left out, so that verdicts stay equal. */
export const found = (value: JsonValue | undefined): Pick<CheckResult, 'actual'> =>
  value === undefined || exceedsDepth(value) ? {} : { actual: kept(value) };
