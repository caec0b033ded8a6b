import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';

export interface Workspace {
  servers: readonly ServerOverview[];
  suites: readonly Suite[];
  /** Newest first. */
  evaluations: readonly Evaluation[];
  /** True while the evaluation of the sample data is about to run, or runs. */
  sampleEvaluating: boolean;
}

/** The step before there is a verdict, or while another one is on its way. */
export type NextStep =
  | { kind: 'add-server' }
  | { kind: 'add-suite' }
  | { kind: 'write-cases'; suite: Suite }
  | { kind: 'sample' }
  | { kind: 'first-run'; suite: Suite }
  | { kind: 'watch'; evaluation: Evaluation };

/** The last evaluation that has ended and that a person started for its own sake. */
export function lastEvaluation(evaluations: readonly Evaluation[]): Evaluation | null {
  return evaluations.find(({ origin, state }) => origin === null && hasEnded(state)) ?? null;
}

/** The next step; null if it is that of the last evaluation's verdict. */
export function nextStep({
  servers,
  suites,
  evaluations,
  sampleEvaluating,
}: Workspace): NextStep | null {
  const running = evaluations.find(({ state }) => !hasEnded(state));
  if (running !== undefined) return { kind: 'watch', evaluation: running };
  if (lastEvaluation(evaluations) !== null) return null;
  if (sampleEvaluating) return { kind: 'sample' };
  const suite = suites.find(({ caseCount }) => caseCount > 0);
  if (suite !== undefined) return { kind: 'first-run', suite };
  const empty = suites[0];
  if (empty !== undefined) return { kind: 'write-cases', suite: empty };
  return servers.length === 0 ? { kind: 'add-server' } : { kind: 'add-suite' };
}
