import { hasPassed, type EvaluationRows, type RunRow } from './evaluationRows.ts';
import { answerOf, compareTest, holmOf } from './pairedTest.ts';
import type { Recount } from './recount.ts';
import { flipTest } from './signFlips.ts';

/** The share of passed runs of each case, of those of which it is known. */
function sharesOf(runs: readonly RunRow[]): Map<string, number> {
  const known = runs.filter((run) => hasPassed(run) !== null);
  return new Map(
    [...Map.groupBy(known, (run) => run.case_id)].map(([id, own]) => [
      id,
      own.filter((run) => hasPassed(run)).length / own.length,
    ]),
  );
}

/** The pass rate over all runs; −1 where none is scored, so that any other is better. */
function rateOf(runs: readonly RunRow[]): number {
  const known = runs.filter((run) => hasPassed(run) !== null);
  return known.length === 0 ? -1 : known.filter((run) => hasPassed(run)).length / known.length;
}

/**
 * Tests each model against the one with the best pass rate again, case by case, adjusted over all of
 * them (docs/rules.md §3, Comparisons). Of several best ones, the reported one is taken. Nothing is
 * compared while an evaluation runs.
 */
export function compareWithBest({ models, runs, status }: EvaluationRows, recount: Recount): void {
  const own = models.map(({ id }) => runs.filter((run) => run.model_id === id));
  const rates = own.map(rateOf);
  const tied = models.flatMap((_, at) => (rates[at] === Math.max(...rates) ? [at] : []));
  const best = tied.find((at) => models[at]?.vs_best === null) ?? tied[0] ?? 0;
  const isRunning = status === 'planned' || status === 'running';
  const base = sharesOf(own[best] ?? []);
  const tests = own.map((of, at) => {
    if (at === best) return null;
    const differences = [...sharesOf(of)].flatMap(([id, share]) => {
      const before = base.get(id);
      return before === undefined ? [] : [share - before];
    });
    return { n: differences.length, test: differences.length === 0 ? null : flipTest(differences) };
  });
  const adjusted = holmOf(models.map(({ vs_best: reported }) => reported?.p_value ?? null));
  for (const [at, tested] of tests.entries()) {
    const path = ['models', at, 'vs_best'];
    if (tested === null || isRunning) {
      recount.compare(path, null);
      continue;
    }
    const adjustedP = adjusted[at] ?? null;
    compareTest(path, tested.test, recount);
    recount.compare(path, {
      shared_cases: tested.n,
      adjusted_p: adjustedP,
      answer: answerOf(adjustedP, tested.test?.value ?? 0),
    });
  }
}
