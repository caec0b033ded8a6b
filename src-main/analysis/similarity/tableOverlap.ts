import { overlapSteps, tableError } from './pairTable.ts';
import { readPair, type PreparedTools } from './prepare.ts';

/**
 * The overlap of a pair from the table, 0–1. Close to a hundredth it is computed again in double
 * precision, so that rounding never moves it across a threshold.
 */
export function tableOverlap(prepared: PreparedTools, a: number, b: number, steps: number): number {
  const overlap = steps / overlapSteps;
  const hundredth = Math.round(overlap * 100) / 100;
  return hundredth > 0 && Math.abs(overlap - hundredth) < tableError
    ? readPair(prepared, a, b).overlap
    : overlap;
}
