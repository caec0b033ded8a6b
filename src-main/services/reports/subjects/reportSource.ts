import type { PassedWhen } from '../../../../src-shared/domain/comparison.ts';
import type {
  Evaluation,
  EvaluationSummary,
  RunFilter,
  RunRow,
} from '../../../../src-shared/domain/evaluation.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';

/** One model of the evaluation with its own numbers. */
export interface ReportedModel {
  settings: ModelSettings;
  /** Told apart by a number where two have the same. */
  label: string;
  summary: EvaluationSummary;
}

/**
 * What the report of an evaluation is made from: the numbers that the window shows, and the runs
 * one after the other.
 */
export interface ReportSource {
  evaluation: Evaluation;
  summary: EvaluationSummary;
  models: readonly ReportedModel[];
  /** In the order of the suite. May be asked for several times. */
  runs(filter?: RunFilter): AsyncIterable<RunRow>;
  count(filter: RunFilter): Promise<number>;
  /** Program, version and time, or what the caller fixed: stands in one place of each report. */
  generated: string;
}

export const runOutcomes = ['right', 'wrong', 'not decided', 'not scored', 'not run'] as const;
export type RunOutcomeWord = (typeof runOutcomes)[number];

/**
 * How a run came out by the evaluation's own rule. Trouble is never an answer, and what the schema
 * can't decide is neither right nor wrong.
 */
export function outcomeOf(
  run: Pick<RunRow, 'status' | 'classification' | 'passed'>,
  rule: PassedWhen,
): RunOutcomeWord {
  if (run.status === 'failed') return 'not scored';
  if (run.status !== 'completed' || run.classification === null) return 'not run';
  if (run.classification === 'FP' || run.classification === 'FN') return 'wrong';
  if (run.classification === 'TN' || rule === 'selection') return 'right';
  return run.passed === null ? 'not decided' : run.passed ? 'right' : 'wrong';
}

/** Labels of an evaluation's models, by id. */
export function nameModels(models: readonly ModelSettings[]): Map<string, string> {
  const labels = models.map((settings) =>
    settings.baseUrl === null
      ? modelLabel(settings)
      : `${modelLabel(settings)} (${settings.baseUrl})`,
  );
  return new Map(
    models.map(({ id }, index) => {
      const label = labels[index] ?? '';
      const isDuplicate = labels.filter((other) => other === label).length > 1;
      return [id, isDuplicate ? `${label} (${index + 1})` : label] as const;
    }),
  );
}
