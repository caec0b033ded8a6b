import type { JudgeVote } from '../../../src-shared/domain/judgeVote.ts';
import type { Judgement } from './judgeTask.ts';

/**
 * What several judges said together: more than half of their usable verdicts decide. As many yes as
 * no, or no usable verdict at all, decide nothing: such a check is never failed. The reason counts the
 * verdicts and quotes the first that agrees with the majority.
 */
export function majorityOf(votes: readonly JudgeVote[]): Judgement {
  const count = (said: boolean | null) => votes.filter(({ passed }) => passed === said).length;
  const [yes, no, unusable] = [count(true), count(false), count(null)];
  const counted =
    `${yes} of ${votes.length} judges said yes, ${no} no` +
    (unusable > 0 ? `, ${unusable} gave no usable verdict` : '');
  if (yes === no)
    return {
      passed: null,
      reason: yes === 0 ? `${counted}: ${votes[0]?.reason ?? ''}` : `${counted}: no majority.`,
      unusable: true,
      votes: [...votes],
    };
  const passed = yes > no;
  const quoted = votes.find((vote) => vote.passed === passed)?.reason ?? '';
  return { passed, reason: `${counted}: ${quoted}`, votes: [...votes] };
}
