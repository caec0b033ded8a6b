import { counted, formatPercent, percentInterval } from '../../../../src-shared/display/numbers.ts';
import {
  failedChecksText,
  groupFailuresText,
  groupingTexts,
  succeededText,
} from '../../../../src-shared/display/taskGroupTexts.ts';
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
import { taskGroupings } from '../../../../src-shared/domain/taskGroup.ts';
import { repeatedRates } from '../../../services/reports/subjects/taskGroupTables.ts';
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

/**
 * pass@k and pass^k of the most repetitions, and how often each task, tag, server and difficulty
 * succeeded. Tasks are listed if they were repeated: else the list of failures says the same.
 */
function groupLines({ models, evaluation }: TaskReport): string[] {
  const isRepeated = evaluation.settings.repetitions > 1;
  const rates = repeatedRates(models);
  const most = rates
    .flatMap(({ name }) => Number(name.slice(5)))
    .reduce((a, b) => Math.max(a, b), 0);
  return [
    ...rates
      .filter(({ name }) => Number(name.slice(5)) === most)
      .map(
        ({ name, of, estimate }) =>
          `${name} of ${of}: ${formatPercent(estimate.value)} ${percentInterval(estimate)}, over ` +
          counted(estimate.n, 'task'),
      ),
    ...taskGroupings
      .filter((by) => by !== 'task' || isRepeated)
      .flatMap((by) => {
        const rows = models.flatMap(({ label, groups }) =>
          groups.filter((group) => group.by === by).map((group) => ({ label, group })),
        );
        if (rows.length === 0) return [];
        return [
          `By ${groupingTexts[by].toLowerCase()}:`,
          table(
            rows
              .slice(0, maxListed)
              .map(({ label, group }) => [
                group.name,
                ...(models.length > 1 ? [label] : []),
                succeededText(group),
                percentInterval(group.success),
                failedChecksText(group),
                groupFailuresText(group),
              ]),
          ),
          ...(rows.length > maxListed
            ? [`${rows.length - maxListed} more; --json lists them.`]
            : []),
        ];
      }),
  ];
}
