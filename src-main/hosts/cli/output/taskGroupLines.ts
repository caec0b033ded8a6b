import { counted, formatPercent, percentInterval } from '../../../../src-shared/display/numbers.ts';
import {
  failedChecksText,
  groupFailuresText,
  groupingTexts,
  succeededText,
} from '../../../../src-shared/display/taskGroupTexts.ts';
import { taskGroupings } from '../../../../src-shared/domain/taskGroup.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { repeatedRates } from '../../../services/reports/subjects/taskGroupTables.ts';
import { table } from './output.ts';

const maxListed = 20;

/**
 * pass@k and pass^k of the most repetitions, and how often each task, tag, server and difficulty
 * succeeded. Tasks are listed if they were repeated: else the list of failures says the same.
 */
export function groupLines({ models, evaluation }: TaskReport): string[] {
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
