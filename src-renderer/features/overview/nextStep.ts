import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';

export interface Workspace {
  servers: readonly ServerOverview[];
  suites: readonly Suite[];
  /** Newest first. */
  evaluations: readonly Evaluation[];
}

/** The most useful next step, from basic setup to everyday work. */
export type NextStep =
  | { kind: 'add-server' }
  | { kind: 'add-suite' }
  | { kind: 'write-cases'; suite: Suite }
  | { kind: 'first-run'; suite: Suite }
  | { kind: 'watch'; evaluation: Evaluation }
  | { kind: 'fix-server'; server: ServerOverview }
  | { kind: 'review-failures'; evaluation: Evaluation; misses: number }
  | { kind: 'run-again'; suite: Suite };

export function nextStep({ servers, suites, evaluations }: Workspace): NextStep {
  const filled = suites.filter((suite) => suite.caseCount > 0);
  const suite = filled[0];
  if (suite === undefined) {
    const empty = suites[0];
    if (empty !== undefined) return { kind: 'write-cases', suite: empty };
    return servers.length === 0 ? { kind: 'add-server' } : { kind: 'add-suite' };
  }
  const latest = evaluations[0];
  if (latest === undefined) return { kind: 'first-run', suite };
  const running = evaluations.find((evaluation) => !hasEnded(evaluation.state));
  if (running !== undefined) return { kind: 'watch', evaluation: running };
  // A server that no suite needs can wait; it is visible in the list of servers.
  const isNeeded = ({ name }: ServerOverview): boolean =>
    filled.some((one) => one.servers.length === 0 || one.servers.includes(name));
  const failed = servers.find((server) => server.status === 'failed' && isNeeded(server));
  if (failed !== undefined) return { kind: 'fix-server', server: failed };
  const misses = latest.counts.fn + latest.counts.fp;
  if (misses > 0) return { kind: 'review-failures', evaluation: latest, misses };
  return {
    kind: 'run-again',
    suite: filled.find((candidate) => candidate.id === latest.suiteId) ?? suite,
  };
}
