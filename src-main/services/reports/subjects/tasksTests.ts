import {
  failedReasons,
  judgementHeadlines,
  undecidedReasons,
} from '../../../../src-shared/display/judgementTexts.ts';
import { taskOutcomeTexts } from '../../../../src-shared/display/taskTexts.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import type { TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import type { Alert, TestCase } from '../report.ts';
import type { BlockingRuns } from './blockingRuns.ts';

const isFailed = ({ outcome }: TaskRunRow): boolean =>
  outcome !== null && outcome !== 'succeeded' && outcome !== 'not_scored';

const failsBuild = ({ fails }: BlockingRuns, run: TaskRunRow): boolean =>
  isFailed(run) && fails({ modelSettingsId: run.modelSettingsId, caseKey: run.taskKey });

/**
 * One JUnit test per run. Only what fails the build is a failure: other failed runs are skipped tests
 * that say what happened. Models and repetitions are named where there are several, so that names
 * stay unique.
 */
export function testsOf(
  { runs, models, evaluation }: TaskReport,
  blocking: BlockingRuns,
): TestCase[] {
  const { repetitions } = evaluation.settings;
  const labels = new Map(models.map(({ id, label }) => [id, label]));
  return runs.map((run) => {
    const label = models.length > 1 ? labels.get(run.modelSettingsId) : undefined;
    return {
      name:
        run.taskName +
        (label === undefined ? '' : ` [${label}]`) +
        (repetitions === 1 ? '' : ` (${run.repetition} of ${repetitions})`),
      classname: run.taskKey,
      seconds: (run.facts?.elapsedMs ?? 0) / 1000,
      outcome: outcomeOf(run, blocking),
    };
  });
}

function outcomeOf(run: TaskRunRow, blocking: BlockingRuns): TestCase['outcome'] {
  if (run.outcome === 'succeeded') return null;
  const { label, meaning } = taskOutcomeTexts[run.outcome ?? 'not_run'];
  const message = run.reason ?? meaning;
  if (run.outcome === null) return { kind: 'skipped', message };
  const text = run.checks
    .map(({ id, passed, reason }) => `${passed === true ? 'passed' : 'failed'} ${id}: ${reason}`)
    .join('\n');
  if (run.outcome === 'not_scored')
    return blocking.unscoredBlocks
      ? { kind: 'error', type: run.outcome, message, text }
      : { kind: 'skipped', message };
  return failsBuild(blocking, run)
    ? { kind: 'failure', type: run.outcome, message, text }
    : { kind: 'skipped', message: `${label}: ${message} It doesn’t fail the build.` };
}

/** What fails the build as errors, the decision first. Every other run that failed is a notice. */
export function alertsOf(
  { runs }: TaskReport,
  judgement: Judgement | null,
  blocking: BlockingRuns,
): Alert[] {
  const title = judgement && judgementHeadlines[judgement.result];
  const reasons =
    judgement === null || judgement.result === 'passed'
      ? []
      : [...undecidedReasons(judgement), ...failedReasons(judgement)];
  const isRed = (run: TaskRunRow): boolean =>
    run.outcome === 'not_scored'
      ? judgement !== null && blocking.unscoredBlocks
      : failsBuild(blocking, run);
  const failed = runs.filter((run) => isFailed(run) || run.outcome === 'not_scored');
  return [
    ...reasons.map((message): Alert => ({ level: 'error', title: title ?? '', message })),
    ...[...failed.filter(isRed), ...failed.filter((run) => !isRed(run))].map((run): Alert => ({
      level: isRed(run) ? 'error' : 'notice',
      title:
        `${run.taskKey}: ${failsBuild(blocking, run) ? 'broken, ' : ''}` +
        taskOutcomeTexts[run.outcome ?? 'not_run'].label,
      message: run.reason ?? '',
    })),
  ];
}
