import { z } from 'zod';
import { ratioOf } from './intervals.ts';
import { answerTexts, findingOf } from './comparisonTexts.ts';
import { answerOf, compareTest, holmOf, significance } from './pairedTest.ts';
import { reasons } from './reasons.ts';
import type { Recount } from './recount.ts';
import { repetitionsFor } from './repetitionsNeeded.ts';
import { flipTest, powerOf } from './signFlips.ts';

const list = z.array(z.unknown());
const comparisonRows = z.looseObject({
  headline: z.string(),
  baseline_number: z.number(),
  candidates: z.array(
    z.looseObject({
      number: z.number(),
      answer: z.string(),
      difference: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
      shared_cases: z.number(),
      pass_shares: z.array(
        z.object({
          ...{ baseline: z.number(), candidate: z.number(), cases: z.number() },
          /** Reports of earlier versions lack them. */
          baseline_runs: z.number().optional(),
          candidate_runs: z.number().optional(),
        }),
      ),
      regressed: list,
      fixed: list,
      still_failing: list,
      tied: list,
      p_value: z.number().nullable(),
      adjusted_p_value: z.number().nullable(),
      needed_cases: z.number().optional(),
      needed_repetitions: z.number().nullable().optional(),
    }),
  ),
});
type Candidate = z.infer<typeof comparisonRows>['candidates'][number];

/** Compares the numbers of a comparison with its pass shares, case by case. */
export function recountComparison(document: unknown, recount: Recount): void {
  const { candidates, headline, baseline_number: baseline } = comparisonRows.parse(document);
  recount.rows('version', 'candidates[*].pass_shares');
  recount.notChecked('generated', reasons.times);
  recount.notCheckedAll(reasons.ids, [
    ...['baseline', 'baseline_number', 'candidates[*].number', 'candidates[*].evaluation_id'],
    ...['baseline_model', 'candidates[*].model'],
  ]);
  recount.notChecked('right_when', reasons.settings);
  recount.notCheckedAll(reasons.measured, [
    ...['baseline_runs', 'candidate_runs'].map((name) => `candidates[*].pass_shares[*].${name}`),
  ]);
  const lists = ['regressed', 'fixed', 'still_failing', 'tied', 'not_scored', 'changed', 'new'];
  recount.notCheckedAll(
    'the two evaluations are not in the report',
    [...lists, 'removed', 'tools', 'model_differs', 'conditions'].map(
      (name) => `candidates[*].${name}`,
    ),
  );
  recount.notCheckedAll(
    'the evaluations are not in the report',
    ['client', 'number', 'report', 'model', 'passed', 'hidden', 'cut'].map(
      (name) => `clients[*].${name}`,
    ),
  );
  const tests = candidates.map((one) => {
    const differences = casesOf(one).map(({ baseline, candidate }) => candidate - baseline);
    return differences.length === 0 ? null : flipTest(differences);
  });
  const adjusted = holmOf(candidates.map(({ p_value: p }) => p));
  const tested = tests.filter((test) => test !== null).length;
  for (const [at, one] of candidates.entries()) {
    const path = ['candidates', at] as const;
    const cases = casesOf(one);
    recount.compare([...path, 'shared_cases'], cases.length);
    recount.compare(
      [...path, 'baseline_right'],
      ratioOf(cases.map((each) => ({ y: each.baseline, x: 1 }))),
    );
    recount.compare(
      [...path, 'candidate_right'],
      ratioOf(cases.map((each) => ({ y: each.candidate, x: 1 }))),
    );
    compareLists(one, at, recount);
    compareTest(path, tests[at] ?? null, recount);
    recount.compare([...path, 'adjusted_p_value'], adjusted[at] ?? null);
    recount.compare([...path, 'answer'], answerOf(adjusted[at] ?? null, tests[at]?.value ?? 0));
    compareNeeded(one, at, significance / tested, recount);
    if (one.needed_repetitions !== undefined)
      recount.compare(
        [...path, 'needed_repetitions'],
        repetitionsFor(casesOf(one), significance / tested),
      );
    recount.compareOneOf([...path, 'answer_text'], answerTexts(one, neededOf(one)));
  }
  compareHeadline(headline, baseline, candidates, recount);
}

/** Sides that are files have their names there, which nothing else in the report has. */
function compareHeadline(
  reported: string,
  baseline: number,
  candidates: readonly Candidate[],
  recount: Recount,
): void {
  const [only] = candidates;
  const what =
    only && candidates.length === 1 ? `#${only.number}` : `${candidates.length} evaluations`;
  const finding = `: ${findingOf(candidates)}`;
  const plain = `${what} vs. #${baseline}${finding}`;
  if (reported === plain || !reported.endsWith(finding)) recount.compare(['headline'], plain);
  else recount.notChecked('headline', 'the names of the files are not in the report');
}

const casesOf = ({ pass_shares: shares }: Candidate) =>
  shares.flatMap((pair) => Array.from({ length: pair.cases }, () => pair));

/** More than half of the repetitions passed, fewer, or exactly half. */
function compareLists(one: Candidate, at: number, recount: Recount): void {
  const side = (share: number) => (Math.abs(share - 0.5) < 1e-12 ? 'tied' : share > 0.5);
  const count = (before: boolean, after: boolean) =>
    casesOf(one).filter((each) => side(each.baseline) === before && side(each.candidate) === after)
      .length;
  const tied = casesOf(one).filter(
    (each) => side(each.baseline) === 'tied' || side(each.candidate) === 'tied',
  ).length;
  recount.compare(['candidates', at, 'still_right'], count(true, true));
  recount.compare(['candidates', at, 'regressed', 'length'], count(true, false));
  recount.compare(['candidates', at, 'fixed', 'length'], count(false, true));
  recount.compare(['candidates', at, 'still_failing', 'length'], count(false, false));
  recount.compare(['candidates', at, 'tied', 'length'], tied);
}

/** What a comparison with as large a difference would look like; 5 points where there is none. */
function effectOf(one: Candidate) {
  const differences = casesOf(one).map(({ baseline, candidate }) => candidate - baseline);
  const sum = (value: (difference: number) => number) =>
    differences.reduce((total, each) => total + value(each), 0);
  const n = differences.length;
  const [mean, sizes, squares] = [Math.abs(sum((d) => d)) / n, sum(Math.abs), sum((d) => d * d)];
  const points = mean * n < 1e-9 ? 0.05 : mean;
  const delta = Math.min(1, points / (sizes === 0 ? 1 : squares / sizes));
  const psi = Math.min(1, Math.max(delta, squares === 0 ? 0 : sizes ** 2 / (n * squares)));
  return { n, points, delta, psi };
}

const neededOf = (one: Candidate) =>
  one.needed_cases === undefined
    ? null
    : {
        ...{ cases: one.needed_cases, points: effectOf(one).points },
        repetitions: one.needed_repetitions,
      };

/** Beyond this, a second summation of the power would take too long. */
const maxCases = 3_000;

/** The reported number has 80 % power, and so have the next ones; the one before it has not. */
function compareNeeded(one: Candidate, at: number, alpha: number, recount: Recount): void {
  const needed = one.needed_cases;
  if (needed === undefined) return;
  const path = ['candidates', at, 'needed_cases'] as const;
  if (needed > maxCases)
    return recount.notChecked('candidates[*].needed_cases', `more than ${maxCases} cases`);
  const { n, delta, psi } = effectOf(one);
  const isEnough = (number: number) => powerOf(number, psi, delta, alpha) >= 0.8;
  let least = needed;
  while (least > n + 1 && isEnough(least - 1)) least -= 1;
  for (let next = least; next < needed + Math.ceil(10 / psi); next += 1)
    if (!isEnough(next)) least = next + 1;
  recount.compare(path, Math.max(least, n + 1));
}
