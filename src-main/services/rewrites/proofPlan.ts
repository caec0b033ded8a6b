import type { ProofPlan } from '../../../src-shared/domain/rewrite.ts';
import { flipsNeeded, proofLevel } from '../../../src-shared/metrics/rewriteProof.ts';
import { costOf } from '../../../src-shared/domain/price.ts';
import { isRemote } from '../../../src-shared/domain/provider.ts';
import type { Store } from '../../store/store.ts';
import { keysOfCases } from '../trials/proofKeys.ts';
import type { OpenTarget } from './openTarget.ts';
import { concerns, type HalfCase } from './halfCases.ts';

/** Whether the cases can prove a candidate, and what the proof will cost. */
export function planProof(
  store: Store,
  { evaluation, model }: OpenTarget,
  toolId: string,
  { search, proof }: { search: readonly HalfCase[]; proof: readonly HalfCase[] },
): ProofPlan {
  const proved = store.rewrites.proved(keysOfCases(store, evaluation));
  const canFlip = proof.filter(({ wrong, toolLabels }) => wrong && concerns(toolLabels, toolId));
  const needed = flipsNeeded(proved + 1);
  const { repetitions, passedWhen } = evaluation.settings;
  const price = store.evaluations.prices(evaluation.id).get(model.id) ?? null;
  const runIds = proof.flatMap(
    ({ position, wrong }) =>
      store.resultQueries.glance(evaluation.id, position, model.id, passedWhen, !wrong)?.runId ??
      [],
  );
  const measures = [...store.runMeasures.of(runIds).values()];
  const costs = !isRemote(model.provider)
    ? []
    : measures.map(({ inputTokens, outputTokens, ...more }) =>
        inputTokens === null
          ? null
          : costOf(
              {
                input: inputTokens + more.followUpInputTokens,
                output: (outputTokens ?? 0) + more.followUpOutputTokens,
              },
              price,
            ),
      );
  return {
    searchCases: search.length,
    searchPassed: search.filter(({ wrong }) => !wrong).length,
    proofCases: proof.length,
    proved,
    level: proofLevel(proved + 1),
    nextLevel: proofLevel(proved + 2),
    flipsNeeded: needed,
    canFlip: canFlip.length,
    proofRuns: proof.length * repetitions,
    proofCostUsd: costs.some((cost) => cost === null)
      ? null
      : repetitions * costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    proofMs:
      repetitions *
      runIds.reduce((sum, runId) => sum + (store.runQueries.row(runId)?.executionTimeMs ?? 0), 0),
    // About half of new cases fall into the proof half.
    moreCases: 2 * Math.max(0, needed - canFlip.length),
  };
}
