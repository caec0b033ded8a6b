import {
  failedChecksText,
  groupFailuresText,
  groupingTexts,
} from '../../../../src-shared/display/taskGroupTexts.ts';
import type { RateEnds } from '../../../../src-shared/domain/metrics.ts';
import { taskGroupings } from '../../../../src-shared/domain/taskGroup.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import type { Report } from '../report.ts';
import { field, tableOf, tables } from './tableOf.ts';

const titles = { task: 'Tasks', tag: 'Tags', server: 'Servers', difficulty: 'Difficulties' };

export const groupTables = ({ models }: TaskReport): Report['parts'] =>
  taskGroupings.flatMap((by) => {
    const rows = models.flatMap(({ label, groups }) =>
      groups.filter((group) => group.by === by).map((group) => ({ label, ...group })),
    );
    if (rows.length === 0) return [];
    return tables(
      tableOf(
        titles[by],
        rows,
        [
          field('text', groupingTexts[by], by, ({ name }) => name),
          models.length > 1 && field('text', 'Model', 'model', ({ label }) => label),
          field('number', 'Succeeded', 'succeeded', ({ succeeded }) => succeeded),
          field('number', 'Scored', 'scored', ({ scored }) => scored),
          field('rate', 'Success rate', 'success_rate', ({ success }) => success),
          field('text', 'Failed checks', 'failed_checks', failedChecksText),
          field('text', 'Failures', 'failures', groupFailuresText),
        ],
        { row: ({ succeeded, scored }) => ({ important: succeeded < scored }) },
      ),
    );
  });

/** pass@k and pass^k of each model with repetitions, with their intervals. */
export const repeatedRates = (models: TaskReport['models']) =>
  models.flatMap(({ label, summary }) =>
    summary.passAtK
      .filter(({ k }) => k > 1)
      .flatMap(({ k, atLeastOne, atLeastOneInterval, all, allInterval, tasks }) => {
        const rate = (value: number, ends: RateEnds) => ({
          ...{ value, low: ends?.low ?? null, high: ends?.high ?? null },
          n: tasks,
        });
        return [
          { name: `pass@${k}`, of: label, estimate: rate(atLeastOne, atLeastOneInterval) },
          { name: `pass^${k}`, of: label, estimate: rate(all, allInterval) },
        ];
      }),
  );
