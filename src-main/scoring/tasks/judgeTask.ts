import type {
  CheckResult,
  TaskCheck,
  TaskOutcome,
  TaskVerdict,
  Trajectory,
} from '../../../src-shared/domain/task.ts';
import type { Judge } from '../judge.ts';
import { judgeCheck } from './taskChecks.ts';

function outcomeOf({ end }: Trajectory, checks: readonly CheckResult[]): TaskOutcome {
  if (end.by === 'infrastructure') return 'not_scored';
  if (end.by !== 'answered') return end.by;
  if (checks.some(({ passed }) => passed === false)) return 'check_failed';
  // A check without its recorded state says nothing about the model.
  return checks.some(({ passed }) => passed === null) ? 'not_scored' : 'succeeded';
}

/**
 * Judges a run of a task. It succeeds if the model answered the last turn
 * and every check passes. A limit, a loop, a refusal, and a missing answer are outcomes of their
 * own, whatever the checks say. An error of a server, a provider, or this program is not scored.
 */
export function judgeTask(
  checks: readonly TaskCheck[],
  run: Trajectory,
  judge: Judge,
): TaskVerdict {
  const results = checks.map((check) => judgeCheck(check, run, judge));
  const outcome = outcomeOf(run, results);
  return {
    outcome,
    succeeded: outcome === 'not_scored' ? null : outcome === 'succeeded',
    checks: results,
  };
}
