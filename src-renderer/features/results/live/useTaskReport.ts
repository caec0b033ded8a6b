import type { TaskReport } from '../../../../src-shared/domain/taskReport.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useRead } from '../../../api/index.ts';
import { nameModels } from '../modelNames.ts';
import { useLive } from './useLive.ts';

/** Models by the names that the window gives them everywhere. */
function withShortNames(report: TaskReport): TaskReport {
  const names = nameModels(report.evaluation.models);
  return {
    ...report,
    models: report.models.map((model) => ({ ...model, label: names.get(model.id) ?? model.label })),
  };
}

/** The numbers and runs of a task evaluation, read again as its runs end. */
export function useTaskReport(id: string) {
  const report = useRead((ask) => ask.evaluations.report, {
    input: { id },
    select: withShortNames,
  });
  const evaluation = report.data?.evaluation;
  const active = evaluation !== undefined && !hasEnded(evaluation.state);
  return { report, ...useLive('task', id, active) };
}
