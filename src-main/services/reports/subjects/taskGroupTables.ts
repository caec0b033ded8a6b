import {
  failedChecksText,
  groupFailuresText,
  groupingTexts,
} from '../../../../src-shared/display/taskGroupTexts.ts';
import type { RateEnds } from '../../../../src-shared/domain/metrics.ts';
import { taskGroupings } from '../../../../src-shared/domain/taskGroup.ts';
import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import type { Report } from '../report.ts';

const titles = { task: 'Tasks', tag: 'Tags', server: 'Servers', difficulty: 'Difficulties' };

/** The runs of each model by task, tag, server and difficulty. */
export const groupTables = ({ models }: TaskReport): Report['parts'] =>
  taskGroupings.flatMap((by) => {
    const rows = models.flatMap(({ label, groups }) =>
      groups.filter((group) => group.by === by).map((group) => ({ label, group })),
    );
    if (rows.length === 0) return [];
    const several = models.length > 1;
    return [
      {
        part: 'table' as const,
        title: titles[by],
        columns: [
          { title: groupingTexts[by], name: by, kind: 'text' as const },
          ...(several ? [{ title: 'Model', name: 'model', kind: 'text' as const }] : []),
          { title: 'Succeeded', name: 'succeeded', kind: 'number' as const },
          { title: 'Scored', name: 'scored', kind: 'number' as const },
          { title: 'Success rate', name: 'success_rate', kind: 'rate' as const },
          { title: 'Failed checks', name: 'failed_checks', kind: 'text' as const },
          { title: 'Failures', name: 'failures', kind: 'text' as const },
        ],
        rows: () =>
          rows.map(({ label, group }) => ({
            cells: [
              group.name,
              ...(several ? [label] : []),
              group.succeeded,
              group.scored,
              group.success,
              failedChecksText(group),
              groupFailuresText(group),
            ],
            important: group.succeeded < group.scored,
          })),
      },
    ];
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
