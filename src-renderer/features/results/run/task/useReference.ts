import { skipToken } from '@tanstack/react-query';
import type { Trajectory } from '../../../../../src-shared/domain/task.ts';
import type {
  TaskRunDetail,
  TrajectoryAlignment,
} from '../../../../../src-shared/domain/taskEvaluation.ts';
import { useRead } from '../../../../api/index.ts';
import { otherRunLabel } from '../../../../../src-shared/display/taskTexts.ts';
import { readRun, type RunAddress } from '../../links.ts';

/** The run that another one is compared with, aligned step by step. */
export interface Reference {
  detail: TaskRunDetail;
  trajectory: Trajectory;
  alignment: TrajectoryAlignment;
  label: string;
}

/** Reads the run that the address names for comparison; `data` is null until all of it is there. */
export function useReference(
  run: RunAddress,
  text: string | null,
): { address: RunAddress | null; data: Reference | null; label: string; error: unknown } {
  const address = readRun(text);
  const detail = useTaskRun(address);
  const alignment = useRead((ask) => ask.evaluations.align, {
    input: address === null ? skipToken : { run, reference: address },
  });
  const others = useRead((ask) => ask.evaluations.otherRuns, { input: run });
  const other = others.data?.find(({ runId }) => runId === address?.runId);
  const label = other === undefined ? 'another run' : otherRunLabel(other);
  const trajectory = detail.data?.trajectory ?? null;
  return {
    address,
    data:
      address === null || !detail.data || trajectory === null || !alignment.data
        ? null
        : { detail: detail.data, trajectory, alignment: alignment.data, label },
    label,
    error: address === null ? null : (detail.error ?? alignment.error),
  };
}

/** A run with its trajectory; nothing is read without an address. */
export function useTaskRun(address: RunAddress | null) {
  return useRead((ask) => ask.evaluations.run, {
    input: address ? { unit: 'task', ...address } : skipToken,
  });
}
