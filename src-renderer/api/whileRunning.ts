import { type EvaluationState, hasEnded } from '../../src-shared/domain/evaluationState.ts';

interface Polled {
  state: { data?: readonly { state: EvaluationState }[] | undefined };
}

/** How often a list of evaluations is read again: every `ms` while one runs. */
export const whileRunning =
  (ms: number, otherwise: number | false = false) =>
  ({ state: { data } }: Polled): number | false =>
    data?.some(({ state }) => !hasEnded(state)) === true ? ms : otherwise;
