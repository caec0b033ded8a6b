import { useSearchParams } from 'react-router';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { useRead } from '../../../api/index.ts';
import { presetModel } from './case/chosenModel.ts';

/**
 * The model that a page about a result begins with: the one in its address, or else the one that
 * fails most, null until it is known.
 */
export function usePresetModel(
  unit: EvaluationUnit,
  id: string,
  models: readonly { id: string }[],
): string | null {
  const [params] = useSearchParams();
  const named = models.find((model) => model.id === params.get('model'))?.id;
  const asked = named === undefined && models.length > 1;
  const verdict = useRead((ask) => ask.results.verdict, {
    input: { id },
    enabled: asked && unit === 'case',
  });
  const report = useRead((ask) => ask.evaluations.report, {
    input: { id },
    enabled: asked && unit === 'task',
  });
  if (named !== undefined || models.length < 2) return named ?? models[0]?.id ?? null;
  const rateOf = ({ summary }: { summary: { successRate: { value: number | null } } }): number =>
    summary.successRate.value ?? 1;
  const worstTask = report.data?.models.toSorted((a, b) => rateOf(a) - rateOf(b))[0]?.id;
  return (verdict.data === undefined ? null : presetModel(verdict.data, null)) ?? worstTask ?? null;
}
