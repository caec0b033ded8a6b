import { student } from './intervals.ts';
import type { Recount } from './recount.ts';

/** What the numbers of judges are counted from. */
interface JudgedRun {
  task: string;
  checks?:
    | readonly {
        kind: string;
        passed: boolean | null;
        unusable?: boolean | undefined;
        votes?: readonly { passed: boolean | null }[] | undefined;
      }[]
    | undefined;
}

interface Counts {
  both_yes: number;
  only_person: number;
  only_judge: number;
  both_no: number;
}

/** The kinds of checks that a second model decides. */
export const judgedKinds = ['judge'];

/** Checks that a judge was asked about: it gave a verdict, or none that is usable. */
const askedOf = (runs: readonly JudgedRun[]) =>
  runs.flatMap(({ task, checks = [] }) =>
    checks
      .filter(
        ({ kind, passed, unusable }) => judgedKinds.includes(kind) && (passed !== null || unusable),
      )
      .map((check) => ({ task, check })),
  );

export function judgedOf(runs: readonly JudgedRun[]) {
  const asked = askedOf(runs);
  return { asked: asked.length, unusable: asked.filter(({ check }) => check.unusable).length };
}

/** Cohen's kappa over a table of people (rows) and a judge (columns), from marginal totals. */
export function agreementOf({ both_yes: a, only_person: b, only_judge: c, both_no: d }: Counts) {
  const n = a + b + c + d;
  const byChance = (a + b) * (a + c) + (c + d) * (b + d);
  const possible = n * n - byChance;
  return { n, kappa: possible === 0 ? null : (n * (a + d) - byChance) / possible };
}

const clamp = (value: number) => Math.min(1, Math.max(-1, value));

/** The interval of that kappa by its variance for large n, cell by cell of the table. */
export function kappaEnds(counts: Counts): { low: number; high: number } | null {
  const { n, kappa } = agreementOf(counts);
  if (kappa === null || n === 0) return null;
  const cells = [
    [counts.both_yes / n, counts.only_person / n],
    [counts.only_judge / n, counts.both_no / n],
  ];
  const cell = (i: number, j: number) => cells[i]?.[j] ?? 0;
  const row = (i: number) => cell(i, 0) + cell(i, 1);
  const column = (j: number) => cell(0, j) + cell(1, j);
  const chance = row(0) * column(0) + row(1) * column(1);
  let sum = -((kappa - chance * (1 - kappa)) ** 2);
  for (const i of [0, 1])
    for (const j of [0, 1])
      sum +=
        i === j
          ? cell(i, i) * (1 - (row(i) + column(i)) * (1 - kappa)) ** 2
          : cell(i, j) * (1 - kappa) ** 2 * (column(i) + row(j)) ** 2;
  const error = Math.sqrt(Math.max(0, sum / (n * (1 - chance) ** 2)));
  const half = 1.959963984540054 * error;
  return half < 1e-9 ? null : { low: clamp(kappa - half), high: clamp(kappa + half) };
}

/** Agreement of judges, check by check: the chance that two of its judges said the same. */
function betweenOf(votes: readonly (readonly boolean[])[]) {
  const judges = votes[0]?.length ?? 0;
  const pairs = votes.map((own) => {
    const yes = own.filter(Boolean).length;
    const no = judges - yes;
    return (yes * (yes - 1) + no * (no - 1)) / (judges * (judges - 1));
  });
  if (votes.length === 0) return { n: 0, observed: null, kappa: null };
  const observed = pairs.reduce((a, b) => a + b, 0) / votes.length;
  const rate = (of: (own: readonly boolean[]) => number) =>
    votes.reduce((sum, own) => sum + of(own), 0) / votes.length;
  const all = rate((own) => own.filter(Boolean).length / judges);
  const [first, second] = [rate((own) => Number(own[0])), rate((own) => Number(own[1]))];
  // Two judges have a rate of yes each, more of them one in common.
  const chance =
    judges === 2 ? first * second + (1 - first) * (1 - second) : all * all + (1 - all) * (1 - all);
  const isOne = votes.every((own) => own.every((vote) => vote === votes[0]?.[0]));
  return { n: votes.length, observed, kappa: isOne ? null : (observed - chance) / (1 - chance) };
}

/** Compares each judge by itself, ties, and how several agree. */
export function compareJudges(
  judge: { judges?: readonly unknown[] | undefined; between?: unknown },
  runs: readonly JudgedRun[],
  recount: Recount,
): void {
  const asked = askedOf(runs).map(({ task, check }) => ({
    ...{ task, isTie: check.votes !== undefined && check.passed === null },
    votes: check.votes?.map(({ passed }) => passed) ?? [check.passed],
  }));
  const count = (at: number, said: boolean | null) =>
    asked.filter(({ votes }) => votes[at] === said).length;
  // Where no judge was asked, only the report knows how many there are.
  const judges = Math.max(0, ...asked.map(({ votes }) => votes.length));
  recount.compare(
    ['judge', 'judges'],
    Array.from({ length: judges || (judge.judges ?? []).length }, (_, at) => ({
      ...{ yes: count(at, true), no: count(at, false), unusable: count(at, null) },
    })),
  );
  if (judge.between === null || judge.between === undefined) return;
  const whole = asked.filter(({ votes }) => !votes.includes(null));
  const kappaOf = (some: typeof whole) =>
    betweenOf(some.map(({ votes }) => votes.map((vote) => vote === true)));
  const without = [...Map.groupBy(whole, ({ task }) => task).keys()].map(
    (task) => kappaOf(whole.filter((one) => one.task !== task)).kappa,
  );
  const found = kappaOf(whole);
  recount.compare(['judge', 'between'], {
    ties: asked.filter(({ isTie, votes }) => isTie && votes.some((vote) => vote !== null)).length,
    ...found,
    interval: jackknife(found.kappa, without),
  });
}

/** Kappa ± t·√((T − 1)·variance of the T kappas without one task). */
function jackknife(kappa: number | null, without: readonly (number | null)[]) {
  const tasks = without.length;
  if (kappa === null || tasks < 5 || without.includes(null)) return null;
  const mean = without.reduce<number>((sum, each) => sum + (each ?? 0), 0) / tasks;
  const variance =
    without.reduce<number>((sum, each) => sum + ((each ?? 0) - mean) ** 2, 0) / tasks;
  const half = student(tasks - 1) * Math.sqrt((tasks - 1) * variance);
  return { low: clamp(kappa - half), high: clamp(kappa + half) };
}
