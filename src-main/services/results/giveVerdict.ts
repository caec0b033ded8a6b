import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { outcomes } from '../../../src-shared/domain/outcome.ts';
import type { Verdict } from '../../../src-shared/domain/verdict.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationReader } from '../evaluations/read/evaluationReader.ts';

export interface ResultsParts {
  store: Store;
  reader: EvaluationReader;
  /** The summary of an evaluation, or of one of its models. */
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
  const cases = store.frozenCases.count(evaluation.id);
  const counts = emptyOutcomeCounts();
  for (const [, own] of facts.counts) for (const each of outcomes) counts[each] += own[each];
  const runs = outcomes.reduce((sum, each) => sum + counts[each], 0);
  const unit = runs === cases ? 'cases' : 'runs';
  return {
    unit,
    cases,
    counts,
    passRate: whole.metrics.passRate,
    models: models.sort((a, b) => (b.passRate.value ?? -1) - (a.passRate.value ?? -1)),
    casesPassedByAll:
      unit === 'runs' && modelSettingsId === null ? facts.casesPassedInEveryRun : null,
    causes: facts.causes,
    missingWords: facts.missingWords,
    severalServers: facts.severalServers,
    previous: unit === 'cases' ? await compareWithPrevious(parts, evaluation) : null,
  };
}

/** How an evaluation differs from the previous one that can be compared with it; null if none. */
async function compareWithPrevious(
  { store, reader }: ResultsParts,
  evaluation: EvaluationRow,
): Promise<Verdict['previous']> {
  const previous = previousOf(store, evaluation);
  if (!previous || !hasEnded(evaluation.state)) return null;
  try {
    const { candidates } = await reader.read(
      { plannedRuns: evaluation.plannedRuns + previous.plannedRuns },
      {
        kind: 'compare',
        compare: {
          baseline: { id: previous.id, modelSettingsId: null },
          candidates: [{ id: evaluation.id, modelSettingsId: null }],
          passedWhen: 'selection_and_parameters',
        },
      },
    );
    const [comparison] = candidates;
    if (!comparison) return null;
    return {
      evaluationId: previous.id,
      number: previous.number,
      passedDifference: comparison.fixed.length - comparison.regressed.length,
      withinNoise: comparison.answer === 'cannot tell',
    };
  } catch (error) {
    // Evaluations that share no case, or that differ in model and tools, have nothing to compare.
    if (error instanceof ServiceError && error.code === 'INVALID') return null;
    throw error;
  }
}

/** How many earlier evaluations are looked at. */
const maxEarlier = 50;

/** The latest earlier evaluation of the same suite and model that a person started as a whole. */
function previousOf(store: Store, evaluation: EvaluationRow): EvaluationRow | null {
  const [model] = evaluation.modelSettingsIds;
  if (evaluation.suiteId === null || evaluation.origin !== null) return null;
  return (
    store.evaluations
      .list(evaluation.suiteId, maxEarlier)
      .find(
        (row) =>
          row.number < evaluation.number &&
          row.state === 'completed' &&
          row.origin === null &&
          row.settings.topK === null &&
          row.modelSettingsIds.length === 1 &&
          store.modelSettings.get(row.modelSettingsIds[0] ?? '')?.model ===
            store.modelSettings.get(model ?? '')?.model,
      ) ?? null
  );
}
