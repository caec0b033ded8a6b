import { isByModel } from '../../../src-shared/domain/checkKinds.ts';
import type {
  CheckResult,
  TaskCheck,
  TaskOutcome,
  TaskVerdict,
  Trajectory,
} from '../../../src-shared/domain/task.ts';
import { fillRunValues, MissingRunValue } from '../../../src-shared/domain/runValues.ts';
import type { Judge } from '../judge.ts';
import { judgeCheck } from './taskChecks.ts';

function outcomeOf({ end }: Pick<Trajectory, 'end'>, all: readonly CheckResult[]): TaskOutcome {
  const checks = all.filter(({ advisory }) => advisory !== true);
  // Without a check that decides, such a run could fail and never succeed.
  if (checks.length === 0) return 'not_scored';
  if (end.by !== 'answered' && end.by !== 'infrastructure') return end.by;
  // Of a run that broke off, only a check that nothing could have changed has failed.
  if (checks.some(({ passed }) => passed === false)) return 'check_failed';
  if (end.by === 'infrastructure') return 'not_scored';
  // A check without its recorded state says nothing about the model.
  return checks.some(({ passed }) => passed === null) ? 'not_scored' : 'succeeded';
}

/** The outcome that follows from the results of all checks and the end of the run. */
const verdictOf = (run: Pick<Trajectory, 'end'>, checks: CheckResult[]): TaskVerdict => {
  const outcome = outcomeOf(run, checks);
  return {
    outcome,
    succeeded: outcome === 'not_scored' ? null : outcome === 'succeeded',
    checks,
  };
};

/** What a model said about a judge check; `passed` is null if it gave no usable verdict. */
export type Judgement = Pick<CheckResult, 'passed' | 'reason' | 'unusable' | 'votes'>;

/**
 * The verdict with what a judge said. Its checks decide nothing unless it is calibrated (`counts`).
 * A calibrated judge that gave no verdict makes a run that would succeed not scored, never failed.
 */
export function withJudgements(
  verdict: TaskVerdict,
  run: Pick<Trajectory, 'end'>,
  judgements: ReadonlyMap<string, Judgement>,
  counts: boolean,
): TaskVerdict {
  return verdictOf(
    run,
    verdict.checks.map((check) => {
      if (!isByModel(check)) return check;
      const { advisory: _, ...asked } = check;
      return { ...asked, ...judgements.get(check.id), ...(!counts && { advisory: true }) };
    }),
  );
}

/** A check with the values of the run filled in; without one of them, it decides nothing. */
function judgeFilled(check: TaskCheck, run: Trajectory, judge: Judge): CheckResult {
  try {
    return judgeCheck(fillRunValues(check, run.values ?? {}), run, judge);
  } catch (error) {
    if (!(error instanceof MissingRunValue)) throw error;
    return { id: check.id, kind: check.kind, passed: null, reason: error.message };
  }
}

/**
 * Judges a run of a task. It succeeds if the model answered the last turn
 * and every check passes. A limit, a loop, a refusal, and a missing answer are outcomes of their
 * own, whatever the checks say. An error of a server, a provider, or this program is not scored,
 * unless a forbidden call had been made before: nothing that follows could undo that. A run whose
 * checks are all advisory is not scored either, however it ended.
 */
export function judgeTask(
  checks: readonly TaskCheck[],
  run: Trajectory,
  judge: Judge,
): TaskVerdict {
  return verdictOf(
    run,
    checks.map((check) => ({
      ...judgeFilled(check, run, judge),
      ...(check.weight !== undefined && { weight: check.weight }),
    })),
  );
}
