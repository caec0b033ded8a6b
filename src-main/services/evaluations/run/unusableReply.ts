import type { Observation } from '../../../../src-shared/domain/observation.ts';
import { replyTrouble, type AskedWith } from '../../../adapters/llm/replyTrouble.ts';

/**
 * Why a reply can't be scored, or null when it can. Beside `replyTrouble`, a reply without calls
 * can't that ended for an unknown reason, or was refused where no tool was expected.
 */
export function unusableReply(
  observation: Observation,
  callExpected: boolean,
  asked: AskedWith,
): string | null {
  const trouble = replyTrouble(observation, asked);
  if (trouble !== null || observation.calls.length > 0) return trouble;
  if (observation.stopReason === 'unknown')
    return 'The reply ended without a call for an unknown reason.';
  if (observation.stopReason === 'refused' && !callExpected)
    return 'The model refused to answer; when no tool is expected, that is neither a pass nor a failure.';
  return null;
}
