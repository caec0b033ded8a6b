import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { shuffled } from '../../../../src-shared/metrics/shuffle.ts';

/**
 * Derives a seed for one purpose (1 = cases, 2 = tools) of one repetition, so that the order of the
 * cases does not correlate with the order of the tools.
 */
const mix = (seed: number, repetition: number, what: 1 | 2): number =>
  Math.imul(seed ^ 0x5bd1e995, 2 * repetition + what) | 0;

/** The positions of the cases in the order in which a repetition runs them. */
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
 * The seed for the order of the tools in a repetition, or null for the listed order. It is the same
 * for every model, so that models are compared over the same order.
 */
export function toolSeed(
  { toolOrder, seed }: Pick<EvaluationSettings, 'toolOrder' | 'seed'>,
  repetition: number,
): number | null {
  return toolOrder === 'listed' ? null : mix(seed, repetition, 2);
}
