import { splitToolId } from '../../../src-shared/domain/labels.ts';
import type { ActualCall } from '../../../src-shared/domain/observation.ts';
import type { Trajectory } from '../../../src-shared/domain/task.ts';

/** Whether a call is of a tool that a check names: by its name, or as `server:tool`. */
export function isCallOf(call: Pick<ActualCall, 'server' | 'tool'>, name: string): boolean {
  if (call.tool === null) return false;
  if (call.tool === name) return true;
  const { server, tool } = splitToolId(name);
  return call.server === server && call.tool === tool;
}

/** All calls of a run, in order. */
export const callsOf = ({ steps }: Pick<Trajectory, 'steps'>) =>
  steps.flatMap((step) => step.calls);

/** Calls that the model made whole: the last one of a reply that was cut off may be a part. */
export const wholeCallsOf = ({ steps }: Pick<Trajectory, 'steps'>) =>
  callsOf({ steps: steps.filter(({ stopReason }) => stopReason !== 'cut_off') });

/** Whether the run broke off before the model could do everything that it would have done. */
export const isBroken = ({ end }: Pick<Trajectory, 'end'>): boolean =>
  end.by === 'infrastructure' && end.stage !== 'state';

export const brokenReason = 'The run broke off before this could be judged.';
