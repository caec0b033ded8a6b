import type { Random } from '../../src-shared/metrics/random.ts';
import type { CaseScore, SearchCase } from './effects.ts';

/** Failing and passing cases that a candidate is tried on first. */
const failingCases = 8;
const passingCases = 4;

/**
 * Positions of a minibatch: up to eight failing cases that concern the edited tools and up to four
 * passing ones, which expect these tools first of all. Fewer of one kind are made up for by the
 * other. In ascending order; drawn from `random` alone.
 */
export function drawScreening(
  cases: readonly SearchCase[],
  scores: readonly CaseScore[],
  toolIds: ReadonlySet<string>,
  random: Random,
): number[] {
  const entries = cases.map(({ position, expected }, at) => {
    const { share = null, failures = [] } = scores[at] ?? {};
    const concerns =
      expected.some((id) => toolIds.has(id)) ||
      failures.some(({ called }) => called !== null && toolIds.has(called));
    return { position, passes: share === 1, concerns, order: random() };
  });
  const drawn = (passes: boolean) =>
    entries
      .filter((entry) => entry.passes === passes)
      .sort((a, b) => Number(b.concerns) - Number(a.concerns) || a.order - b.order);
  // A failing case of other tools can hardly change, so it makes up for nothing.
  const failing = drawn(false).filter(({ concerns }) => concerns);
  const passing = drawn(true);
  const total = failingCases + passingCases;
  const some = failing.slice(0, Math.max(failingCases, total - passing.length));
  return [...some, ...passing.slice(0, total - some.length)]
    .map(({ position }) => position)
    .sort((a, b) => a - b);
}
