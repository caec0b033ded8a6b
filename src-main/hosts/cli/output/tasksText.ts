import {
  agreementText,
  judgeCostText,
  judgeStandingText,
  unusableText,
} from '../../../../src-shared/display/judgeTexts.ts';
import {
  attackTexts,
  biggestTaskCause,
  executionText,
  exposureText,
  failureLine,
  simulatedUserText,
  taskHeadlines,
  taskOutcomeTexts,
  whatFailed,
} from '../../../../src-shared/display/taskTexts.ts';
import { runCauseText } from '../../../../src-shared/display/runCauseTexts.ts';
import { spendText } from '../../../../src-shared/display/spendTexts.ts';
import { plainText } from '../../../../src-shared/display/verdictTexts.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { groupLines } from './taskGroupLines.ts';
import { table } from './output.ts';

const maxListed = 20;

/** The result of an evaluation of tasks, as text. `isKept` is false where nothing is stored. */
export function tasksText(report: TaskReport, isKept = true): string {
  const { evaluation, summary, runs, models } = report;
  const failures = failureLine(report);
  const user = simulatedUserText(report);
  const cost = spendText(report.spend);
  const exposure = exposureText(summary);
  const cause = biggestTaskCause(report);
  const failed = runs.filter(({ outcome }) => outcome !== 'succeeded' && outcome !== 'not_scored');
  return [
    `${isKept ? `#${evaluation.number} ` : ''}${evaluation.suiteName} · ` +
      models.map(({ label }) => label).join(', '),
    ...taskHeadlines(report).map((line) => plainText(line)),
    ...(failures === '' ? [] : [`${failures}.`]),
    executionText(report),
    ...attackTexts(summary),
    ...(exposure === null ? [] : [exposure]),
    ...(user === null ? [] : [user]),
    ...(cost === null ? [] : [`Cost of all requests: ${cost}`]),
    ...(report.judge === null
      ? []
      : [
          `Judge ${report.judge.judge}: ${agreementText(report.judge)} ` +
            judgeStandingText(report.judge) +
            unusableText(report.judge) +
            judgeCostText(report.judge),
        ]),
    ...(cause === null || cause.tool === null ? [] : [`${cause.label}: ${plainText(cause.text)}`]),
    ...(failed.length === 0
      ? []
      : [
          table(
            failed
              .slice(0, maxListed)
              .map((run) => [
                taskOutcomeTexts[run.outcome ?? 'not_run'].label,
                run.taskKey,
                ...(run.cause === null ? [] : [plainText(runCauseText(run.cause))]),
                whatFailed(run).join('; '),
              ]),
          ),
        ]),
    ...groupLines(report),
    ...(failed.length > maxListed ? [`${failed.length - maxListed} more; --json lists them.`] : []),
  ].join('\n');
}
