import {
  comparisonHeadline,
  describeAnswer,
} from '../../../../src-shared/display/comparisonAnswer.ts';
import { plainText } from '../../../../src-shared/display/verdictTexts.ts';
import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
} from '../../../../src-shared/domain/comparison.ts';

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
    headline: plainText(comparisonHeadline({ baseline, candidates })),
    baseline: baseline.evaluationId,
    baseline_number: baseline.number,
    baseline_model: baseline.model,
    right_when: passedWhen,
    candidates: candidates.map(candidateShape),
  };
}

/** A candidate as JSON, with its cases and the numbers behind its answer. */
export const candidateShape = (candidate: CandidateComparison) => ({
  evaluation_id: candidate.evaluationId,
  number: candidate.number,
  model: candidate.model,
  shared_cases: candidate.sharedCases,
  baseline_right: candidate.baselineRight,
  candidate_right: candidate.candidateRight,
  pass_shares: candidate.passShares,
  still_right: candidate.stillRight,
  regressed: candidate.regressed.map(caseShape),
  fixed: candidate.fixed.map(caseShape),
  still_failing: candidate.stillFailing.map(caseShape),
  tied: candidate.tied.map(caseShape),
  not_scored: candidate.notScored.map(caseShape),
  changed: candidate.changed.map(caseShape),
  new: candidate.added.map(caseShape),
  removed: candidate.removed.map(caseShape),
  tools: candidate.tools,
  model_differs: candidate.modelDiffers,
  conditions: candidate.conditions,
  difference: candidate.difference,
  p_value: candidate.pValue,
  adjusted_p_value: candidate.adjustedP,
  answer: candidate.answer,
  answer_text: describeAnswer(candidate),
  ...(candidate.needed ? { needed_cases: candidate.needed.cases } : {}),
});
