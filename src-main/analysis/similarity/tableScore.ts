import { scoreSteps, tableError } from './pairTable.ts';
import { readPair, type PreparedTools } from './prepare.ts';

/**
 * The score of a pair from the table, 0–1, by the measure of the analysis. Close to a hundredth it is computed again in double
 * precision, so that rounding never moves it across a threshold.
 */
export function tableScore(prepared: PreparedTools, a: number, b: number, steps: number): number {
  const score = steps / scoreSteps;
  const hundredth = Math.round(score * 100) / 100;
  return hundredth > 0 && Math.abs(score - hundredth) < tableError
    ? readPair(prepared, a, b).score
    : score;
}
