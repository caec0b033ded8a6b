import type { Observation } from '../../../../src-shared/domain/observation.ts';

/**
 * Why a reply without calls can't be scored, or null when it can: it was cut off, ended for an
 * unknown reason, or was refused where no tool was expected.
 */
export function unusableReply(observation: Observation, callExpected: boolean): string | null {
  if (observation.calls.length > 0) return null;
  if (observation.stopReason === 'cut_off') return 'The reply was cut off before it made a call.';
  if (observation.stopReason === 'unknown')
    return 'The reply ended without a call for an unknown reason.';
  if (observation.stopReason === 'refused' && !callExpected)
    return 'The model refused to answer; when no tool is expected, that is neither a pass nor a failure.';
  return null;
}
