import { useQuery } from '@tanstack/react-query';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../../api/index.ts';
import { useLive } from './useLive.ts';

/** The numbers and runs of a task evaluation, read again as its runs end. */
export function useTaskReport(id: string) {
  const { queries } = useApi();
  const report = useQuery(queries.evaluations.report.queryOptions({ input: { id } }));
  const evaluation = report.data?.evaluation;
  const active = evaluation !== undefined && !hasEnded(evaluation.state);
  return { report, ...useLive('task', id, active) };
}
