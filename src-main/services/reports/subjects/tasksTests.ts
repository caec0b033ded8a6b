import { differenceText } from '../../../../src-shared/display/differenceTexts.ts';
import { taskOutcomeTexts, whatFailed } from '../../../../src-shared/display/taskTexts.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import type { TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import type { Alert, TestCase } from '../report.ts';
import {
  decisionAlerts,
  outcomeOf,
  runAlert,
  type BlockingRuns,
  type TestedRun,
} from './blockingRuns.ts';

function endedOf({ outcome }: TaskRunRow): TestedRun['ended'] {
  if (outcome === null) return 'not_run';
  if (outcome === 'not_scored') return outcome;
  return outcome === 'succeeded' ? 'passed' : 'failed';
}
const isFailed = (run: TaskRunRow): boolean => endedOf(run) === 'failed';

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
      outcome: outcomeOf(testedRun(run, blocking), blocking),
    };
  });
}

function testedRun(run: TaskRunRow, blocking: BlockingRuns): TestedRun {
  const type = run.outcome ?? 'not_run';
  const { label, meaning } = taskOutcomeTexts[type];
  const message = whatFailed(run).join('; ') || meaning;
  return {
    ...{ type, message, regressed: failsBuild(blocking, run) },
    ended: endedOf(run),
    skipped: isFailed(run) ? `${label}: ${message}` : message,
    text: run.checks
      .map(({ id, passed, reason }) => {
        const found = run.differences.find(({ check }) => check === id);
        return `${passed === true ? 'passed' : 'failed'} ${found ? differenceText(found) : `${id}: ${reason}`}`;
      })
      .join('\n'),
  };
}

/** What fails the build as errors, the decision first. Every other run that failed is a notice. */
export function alertsOf(
  { runs }: TaskReport,
  judgement: Judgement | null,
  blocking: BlockingRuns,
): Alert[] {
  const isRed = (run: TaskRunRow): boolean =>
    run.outcome === 'not_scored'
      ? judgement !== null && blocking.unscoredBlocks
      : failsBuild(blocking, run);
  const failed = runs.filter((run) => isFailed(run) || run.outcome === 'not_scored');
  return [
    ...decisionAlerts(judgement),
    ...[...failed.filter(isRed), ...failed.filter((run) => !isRed(run))].map((run): Alert => ({
      ...runAlert(
        run.taskKey,
        taskOutcomeTexts[run.outcome ?? 'not_run'].label,
        whatFailed(run).join('; '),
        failsBuild(blocking, run),
      ),
      level: isRed(run) ? 'error' : 'notice',
    })),
  ];
}
