import type { Objective, OptimizationSettings } from '../../../src-shared/domain/optimization.ts';
import type { CaseScore } from '../../optimize/effects.ts';

/** What the calls of an optimization depend on. */
export interface Estimated {
  settings: Pick<
    OptimizationSettings,
    'objective' | 'maxSteps' | 'patience' | 'proposer' | 'toolIds'
  >;
  /** All tools that are offered. */
  tools: number;
  /** Tools of those to edit in which the rules find something to cut. */
  cuts: number;
  /** How the search cases came out with the tools as they are. */
  baseline: readonly CaseScore[];
  proofCases: number;
  repetitions: number;
  /** Requests of one run: 1 for a case, and as many steps as an average run of a task has. */
  callsPerRun: number;
}

/** The largest minibatch that a candidate is tried on first. */
const screeningCases = 12;

/**
 * Candidates for each tool that fails and for each that has something to cut, and the share of them
 * that runs on the whole search half. Measured with the rules on the sample, with repetitions in no,
 * all or every third of its tools and no description in none, half or every sixth of them.
 */
const typicalSearch: Readonly<
  Record<Objective, { perFailing: number; perCut: number; wholeShare: number }>
> = {
  accuracy: { perFailing: 0.7, perCut: 0, wholeShare: 1 / 6 },
  tokens: { perFailing: 0, perCut: 1, wholeShare: 0.9 },
  both: { perFailing: 0.5, perCut: 1, wholeShare: 0.8 },
};

/**
 * A model always has another idea, so its search ends when `patience` candidates in a row did not
 * gain: after half as many that did.
 */
const gainsPerPatience = 0.5;

/**
 * The calls of a model that an optimization makes, with its proof, without a budget.
 *
 * - `max` = r · c · (S · n + m) + a: every one of the S candidates runs on all n search cases, the proof on
 *   m cases, each r times, with c calls on average; a = S questions to a model that proposes, 0 for the rules. Never exceeded,
 *   except by attempts that a provider made necessary.
 * - `typical` = r · c · (s · (b + w · (n − b)) + m) + a: s candidates, of which the share w runs on the
 *   whole search half, and the others on b = min(12, n) cases only. With the rules,
 *   s = min(S, perFailing · failing tools + perCut · tools with something to cut); with a model,
 *   s = min(S, 1.5 · patience) and w = 1/3. Nothing is proved where nothing can be tried: 0.
 *
 * Unit: calls, whole, from 0. `typical` ≤ `max`. Error: within a factor of 2 on the bundled suites
 * with the rules where something helps, and within 20% for a model whose first ideas help. Where
 * nothing helps, nothing is proved, so it takes fewer; where many descriptions are damaged,
 * `accuracy` takes up to five times as many, because most candidates help. Source: own measurements; there is no published formula.
 */
export function estimateCalls({
  settings,
  tools,
  cuts,
  baseline,
  proofCases,
  repetitions,
  callsPerRun,
}: Estimated): {
  max: number;
  typical: number;
} {
  const { objective, maxSteps, patience, proposer, toolIds } = settings;
  const { perFailing, perCut, wholeShare: ruleShare } = typicalSearch[objective];
  const cases = baseline.length;
  const screened = Math.min(screeningCases, cases);
  const failing = failingTools(baseline, toolIds);
  // Given edits are proved without a search.
  if (proposer.kind === 'given') {
    const proof = Math.round(repetitions * callsPerRun * proofCases);
    return { max: proof, typical: proof };
  }
  const byModel = proposer.kind === 'model';
  const [candidates, wholeShare] = byModel
    ? [(1 + gainsPerPatience) * patience, gainsPerPatience / (1 + gainsPerPatience)]
    : [perFailing * failing + perCut * cuts, ruleShare];
  // A model can shorten any tool.
  const gaining = failing + (objective === 'accuracy' ? 0 : (toolIds?.length ?? tools));
  const steps = gaining === 0 ? 0 : Math.min(maxSteps, Math.ceil(candidates));
  const asks = byModel ? 1 : 0;
  const callsOf = (tried: number, each: number): number =>
    Math.round(repetitions * callsPerRun * (tried * each + proofCases) + asks * tried);
  return {
    max: callsOf(maxSteps, cases),
    typical: steps === 0 ? 0 : callsOf(steps, screened + wholeShare * (cases - screened)),
  };
}

/** Tools that a failure of the search half expects, or in which they were called, of those to edit. */
function failingTools(
  baseline: readonly CaseScore[],
  toolIds: OptimizationSettings['toolIds'],
): number {
  const ids = baseline.flatMap(({ failures }) =>
    failures.flatMap(({ expected, called }) => [expected, called]),
  );
  return new Set(ids.filter((id) => id !== null && (toolIds?.includes(id) ?? true))).size;
}
