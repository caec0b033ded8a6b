import { type EvaluationState, hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi, useRead } from '../../../api/index.ts';

interface Polled {
  state: { data?: readonly { state: EvaluationState }[] | undefined };
}

const pollMs = 1500;

const whileRunning =
  (ms: number) =>
  ({ state: { data } }: Polled): number | false =>
    data?.some(({ state }) => !hasEnded(state)) === true ? ms : false;

/** The newest evaluations of cases with what was derived from them, read again while one runs. */
export function useCaseList(limit: number, ms = pollMs, enabled = true) {
  const { queries } = useApi();
  return useRead(queries.evaluations.list, {
    input: { limit },
    enabled,
    refetchInterval: whileRunning(ms),
  });
}

/** The newest evaluations of tasks, or the what-ifs of one. */
export function useTaskList(limit: number, baseId: string | null = null, enabled = true) {
  const { queries } = useApi();
  return useRead(queries.evaluations.list, {
    input: { unit: 'task', limit, baseId },
    enabled,
    refetchInterval: whileRunning(pollMs),
  });
}
