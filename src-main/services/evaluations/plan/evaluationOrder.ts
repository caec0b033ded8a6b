import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { shuffled } from '../../../../src-shared/metrics/shuffle.ts';

/** Apart from each other, so that the order of the cases says nothing of the order of the tools. */
const mix = (seed: number, repetition: number, what: 1 | 2): number =>
  Math.imul(seed ^ 0x5bd1e995, 2 * repetition + what) | 0;

/** Places of the cases in the order in which a repetition asks them. */
export function caseOrder(
  cases: number,
  { caseOrder: order, seed }: Pick<EvaluationSettings, 'caseOrder' | 'seed'>,
  repetition: number,
): number[] {
  return order === 'suite'
    ? Array.from({ length: cases }, (_, index) => index)
    : shuffled(cases, mix(seed, repetition, 1));
}

/**
 * What decides the order of the tools in a repetition; null = as listed. The same for every model,
 * so that models are compared over the same order.
 */
export function toolSeed(
  { toolOrder, seed }: Pick<EvaluationSettings, 'toolOrder' | 'seed'>,
  repetition: number,
): number | null {
  return toolOrder === 'listed' ? null : mix(seed, repetition, 2);
}
