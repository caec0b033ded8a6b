import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { outcomes } from '../../../src-shared/domain/outcome.ts';
import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import type { Verdict, VsBest } from '../../../src-shared/domain/verdict.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationReader } from './read/evaluationReader.ts';

export interface ResultsParts {
  store: Store;
  reader: EvaluationReader;
  summarize: (
    evaluation: EvaluationRow,
    modelSettingsId: string | null,
  ) => Promise<EvaluationSummary>;
}

/**
 * The verdict of an evaluation, or of one of its models: the numbers that every place leads with.
 * Pass rates are those of the summary, so that no two places can differ.
 */
export async function giveVerdict(
  parts: ResultsParts,
  evaluation: EvaluationRow,
  modelSettingsId: string | null,
): Promise<Verdict> {
  const { store, reader, summarize } = parts;
  const facts = await reader.read(evaluation, {
    kind: 'verdict',
    evaluationId: evaluation.id,
    modelSettingsId,
  });
  const whole = await summarize(evaluation, modelSettingsId);
  const models = await Promise.all(
    facts.counts.map(async ([id, counts]) => ({
      modelSettingsId: id,
      counts,
      passRate:
        facts.counts.length === 1
          ? whole.metrics.passRate
          : (await summarize(evaluation, id)).metrics.passRate,
    })),
  );
  models.sort((a, b) => (b.passRate.value ?? -1) - (a.passRate.value ?? -1));
  const against = await compareWithBest(parts, evaluation, models);
  const cases = store.entries.count(evaluation.id);
  const counts = emptyOutcomeCounts();
  for (const [, own] of facts.counts) for (const each of outcomes) counts[each] += own[each];
  const runs = outcomes.reduce((sum, each) => sum + counts[each], 0);
  const unit = runs === cases ? 'cases' : 'runs';
  return {
    unit,
    cases,
    counts,
    passRate: whole.metrics.passRate,
    models: models.map((model) => ({
      ...model,
      vsBest: against.get(model.modelSettingsId) ?? null,
    })),
    casesPassedByAll:
      unit === 'runs' && modelSettingsId === null ? facts.casesPassedInEveryRun : null,
    causes: facts.causes,
    missingWords: facts.missingWords,
    severalServers: facts.severalServers,
    previous: await reader.read(evaluation, {
      kind: 'previous',
      evaluationId: evaluation.id,
      modelSettingsId,
    }),
  };
}

/**
 * Compares every other model with the best one by the paired test over the cases that both scored.
 * The p-values are adjusted together (docs/rules.md §3, Comparisons).
 */
async function compareWithBest(
  { reader }: ResultsParts,
  evaluation: EvaluationRow,
  models: readonly { modelSettingsId: string; passRate: Estimate }[],
): Promise<ReadonlyMap<string, VsBest>> {
  const [best, ...others] = models;
  if (!best || others.length === 0 || !hasEnded(evaluation.state)) return new Map();
  const side = ({ modelSettingsId }: { modelSettingsId: string }) => ({
    id: evaluation.id,
    modelSettingsId,
  });
  try {
    const { candidates } = await reader.read(evaluation, {
      kind: 'compare',
      compare: {
        baseline: side(best),
        candidates: others.map(side),
        passedWhen: 'selection_and_parameters',
      },
    });
    return new Map(
      candidates.map(({ modelSettingsId, ...one }) => [
        modelSettingsId,
        {
          sharedCases: one.sharedCases,
          difference: one.difference,
          pValue: one.pValue,
          adjustedP: one.adjustedP,
          answer: one.answer,
        },
      ]),
    );
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'INVALID') return new Map();
    throw error;
  }
}
