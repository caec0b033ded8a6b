import type { OptimizationSpend } from '../../../src-shared/domain/optimization.ts';
import { isRemote } from '../../../src-shared/domain/provider.ts';
import { evaluationScope } from '../../store/runs/scopes.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationsService } from '../evaluations/evaluationsService.ts';
import { spendOf } from '../evaluations/run/spend.ts';
import { loadSide } from '../results/comparedSide.ts';
import { casesOfHalf, readCaseScores, readCaseSide } from './caseScores.ts';
import { keysOfCases } from './proofKeys.ts';
import { averageCall, requireEnded, type Trial, type TrialTarget } from './trial.ts';

export type CaseEvaluations = Pick<
  EvaluationsService,
  'repeatCases' | 'watch' | 'cancel' | 'resume'
>;

/** An evaluation of test cases. Throws CONFLICT while it runs, or where it has no stored tools. */
export function openCaseTrial(
  store: Store,
  evaluations: CaseEvaluations,
  { evaluationId, modelSettingsId }: TrialTarget,
): Trial {
  const { evaluation, model } = loadSide(store, { id: evaluationId, modelSettingsId });
  const name = `Evaluation #${evaluation.number}`;
  const tools = requireEnded(store, evaluation, name);
  const isFree = !isRemote(model.provider);
  const use = (id: string, ofModel: string | null): OptimizationSpend & { unmeasured: number } => {
    const { usage, unansweredRequests } = spendOf(store, evaluationScope(id, ofModel, 'all'));
    const { answers, unmeasured, input, output, costUsd } = usage.all;
    return {
      calls: answers,
      tokens: (input ?? 0) + (output ?? 0),
      usd: isFree ? 0 : costUsd,
      minutes: 0,
      unanswered: unansweredRequests,
      unmeasured,
    };
  };
  return {
    unit: 'case',
    evaluationId: evaluation.id,
    number: evaluation.number,
    name,
    get proofKeys() {
      return keysOfCases(store, evaluation);
    },
    suiteId: evaluation.suiteId,
    suiteName: evaluation.suiteName,
    reason: evaluation.reason,
    repetitions: evaluation.settings.repetitions,
    model,
    tools,
    perCall: averageCall(evaluation, use(evaluation.id, model.id), evaluation.plannedRuns),
    callsPerRun: 1,
    execution: null,
    half: (half) => casesOfHalf(store, evaluation.id, half),
    scores: (items) => readCaseScores(store, evaluation, model.id, items, 'own'),
    side: (items) => readCaseSide(store, evaluation, model.id, items, 'own'),
    requireConsent: () => undefined,
    repeat: async ({ changes, items, spendLimitUsd }, planned) => {
      const { id } = await evaluations.repeatCases(
        evaluation.id,
        {
          changes,
          modelSettingsId: model.id,
          positions: items.map(({ position }) => position),
          repetitions: evaluation.settings.repetitions,
          ...(spendLimitUsd !== undefined && { spendLimitUsd }),
        },
        planned,
      );
      return id;
    },
    repeated: (id) => {
      const found = store.evaluations.get(id);
      if (!found) return null;
      const { number, state, reason } = found;
      return { name: `Evaluation #${number}`, state, reason };
    },
    repeatedScores: (id, items) => {
      const found = store.evaluations.get(id);
      return found
        ? readCaseScores(store, found, found.modelSettingsIds[0] ?? '', items, 'repeated')
        : [];
    },
    repeatedSide: (id, items) => {
      const found = store.evaluations.get(id);
      return found
        ? readCaseSide(store, found, found.modelSettingsIds[0] ?? '', items, 'repeated')
        : [];
    },
    spentOn: (id) => {
      const { unmeasured: _unmeasured, ...spent } = use(id, null);
      return spent;
    },
    watch: async (id, signal, used) => {
      for await (const event of evaluations.watch({ id, afterSeq: 0 }, { signal }))
        if (event.type === 'runs') used();
    },
    cancel: async (id) => {
      await evaluations.cancel({ id });
    },
    resume: async (id) => {
      await evaluations.resume({ id });
    },
  };
}
