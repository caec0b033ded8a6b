import type { ComparedCase, Comparison } from '../../../../src-shared/domain/comparison.ts';

/** A compared case as JSON. */
const caseShape = ({ caseKey, name, before, after }: ComparedCase) => ({
  case_id: caseKey,
  name,
  before,
  after,
});

/** The JSON document of `compare`. */
export function comparisonShape({ baseline, candidates, passedWhen }: Comparison) {
  return {
    baseline: baseline.evaluationId,
    baseline_number: baseline.number,
    baseline_model: baseline.model,
    right_when: passedWhen,
    candidates: candidates.map((one) => ({
      evaluation_id: one.evaluationId,
      number: one.number,
      model: one.model,
      shared_cases: one.sharedCases,
      baseline_right: one.baselineRight,
      candidate_right: one.candidateRight,
      still_right: one.stillRight,
      regressed: one.regressed.map(caseShape),
      fixed: one.fixed.map(caseShape),
      still_failing: one.stillFailing.map(caseShape),
      tied: one.tied.map(caseShape),
      not_scored: one.notScored.map(caseShape),
      changed: one.changed.map(caseShape),
      new: one.added.map(caseShape),
      removed: one.removed.map(caseShape),
      tools: one.tools,
      model_differs: one.modelDiffers,
      conditions: one.conditions,
      difference: one.difference,
      p_value: one.pValue,
      adjusted_p_value: one.adjustedP,
      answer: one.answer,
      ...(one.needed ? { needed_cases: one.needed.cases } : {}),
    })),
  };
}
