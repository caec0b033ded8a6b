import { z } from 'zod';
import { compareCheck } from './checkReport.ts';
import { sumOf } from './evaluationRows.ts';
import { callsWithFault, faultNumbersOf, faultRows } from './faultNumbers.ts';
import { ratioOf } from './intervals.ts';
import { reasons } from './reasons.ts';
import { compareSentTools } from './sentTools.ts';
import { compareTaskShard } from './shardRows.ts';
import type { Recount } from './recount.ts';
import { compareGroups, groupRows, repetitionsOf } from './taskGroups.ts';
import { agreementOf, compareJudges, judgedOf, kappaEnds } from './judges.ts';
import { declareUnit } from './unitReport.ts';
import { unscoredGroups } from './unscoredGroups.ts';

const did = z
  .looseObject({ kind: z.string(), tool: z.string().nullable(), called: z.string().nullable() })
  .nullish();

const run = z.looseObject({
  run_id: z.string().optional(),
  task: z.string(),
  model_id: z.string(),
  attempt: z.number().optional(),
  outcome: z.string().nullable(),
  failure: z.string().nullable().optional(),
  reason: z.string().nullable().optional(),
  cause: did,
  checks: z
    .array(
      z.looseObject({
        id: z.string().optional(),
        kind: z.string(),
        passed: z.boolean().nullable(),
        reason: z.string(),
        weight: z.number().optional(),
        /** Of a program that gave one. */
        score: z.number().min(0).max(1).optional(),
        advisory: z.boolean().optional(),
        unusable: z.boolean().optional(),
        votes: z.array(z.looseObject({ passed: z.boolean().nullable() })).optional(),
      }),
    )
    .optional(),
  partial_credit: z.number().nullable().optional(),
  steps: z.number().optional(),
  tool_calls: z.number().optional(),
  needed_calls: z.number().nullable().optional(),
  tokens: z.number().nullable().optional(),
  cache_read_tokens: z.number().nullable().optional(),
  cache_write_tokens: z.number().nullable().optional(),
  cost_usd: z.number().nullable().optional(),
  time_ms: z.number().optional(),
  tool_errors: z.number().optional(),
  repeated_calls: z.number().optional(),
  unused_calls: z.number().optional(),
  unwanted_effects: z.number().optional(),
  spend: z.object({ cost_usd: z.number().nullable(), unanswered_requests: z.number() }).optional(),
  judge_cost_usd: z.number().nullable().optional(),
  simulated_user: z
    .looseObject({
      turns: z.number(),
      tokens: z.number().nullable(),
      cost_usd: z.number().nullable(),
    })
    .optional(),
  attack: z
    .looseObject({
      technique: z.string(),
      followed: z.boolean(),
      exposed: z.boolean().optional(),
    })
    .nullable()
    .optional(),
  faults: faultRows.optional(),
  steps_known: z.boolean().optional(),
  first_wrong_step: z
    .looseObject({ expected: z.string().nullable(), called: z.string().nullable() })
    .nullable()
    .optional(),
  tools: z
    .array(
      z.looseObject({
        tool: z.string(),
        needed: z.boolean(),
        calls: z.number(),
        errors: z.number(),
        sent: z.number().optional(),
        no_answer: z.number().optional(),
        crashes: z.number().optional(),
        time_ms: z.number().optional(),
      }),
    )
    .optional(),
});
type Run = z.infer<typeof run>;
const taskRows = z.looseObject({
  models: z.array(z.looseObject({ id: z.string(), label: z.string(), groups: groupRows })),
  judge: z
    .object({
      both_yes: z.number(),
      only_person: z.number(),
      only_judge: z.number(),
      both_no: z.number(),
      judges: z.array(z.looseObject({ model: z.string() })).optional(),
      between: z.unknown().optional(),
    })
    .nullable()
    .optional(),
  causes: z.array(z.looseObject({ outcome: z.string(), did, runs: z.number() })),
  simulated_user: z.unknown().optional(),
  runs: z.array(run),
  /** Why the evaluation ended early. */
  reason: z.string().nullable().optional(),
  unscored: z.unknown().optional(),
});
type Rows = z.infer<typeof taskRows>;

/** Compares every number of a task evaluation with its runs. */
export function recountTasks(document: unknown, recount: Recount): void {
  const rows = taskRows.parse(document);
  const { models, judge, causes, runs } = rows;
  declareSources(recount);
  compareSentTools(document, recount);
  compareTaskShard(document, recount);
  compareCheck(document, withoutScore(runs).length, recount);
  if (rows.unscored !== undefined) recount.compare(['unscored'], unscoredOf(rows));
  recount.notChecked('executed', reasons.trajectories);
  recount.compare(['tasks'], numbersOf(runs));
  compareOutcomes(runs, new Map(models.map(({ id, label }) => [id, label])), recount);
  for (const [at, { id, groups }] of models.entries()) {
    const own = runs.filter((each) => each.model_id === id);
    recount.compare(['models', at, 'tasks'], numbersOf(own));
    compareGroups(['models', at, 'groups'], groups, own, recount);
  }
  if (judge) {
    for (const row of ['both_yes', 'only_person', 'only_judge', 'both_no'])
      recount.rows(`judge.${row}`);
    recount.compare(['judge'], agreementOf(judge));
    recount.compare(['judge', 'kappa_interval'], kappaEnds(judge));
    recount.compare(['judge'], judgedOf(runs));
    if (judge.judges !== undefined) compareJudges(judge, runs, recount);
    recount.compare(['judge', 'cost_usd'], totalOf(runs.flatMap(judgeCostOf)));
  }
  compareSpend(runs, recount);
  if (rows.simulated_user) recount.compare(['simulated_user'], usersOf(runs));
  const outcomes = Map.groupBy(runs, ({ outcome }) => outcome ?? 'not_run');
  const names = ['succeeded', 'check_failed', 'limit', 'loop', 'refused', 'no_answer'];
  for (const name of [...names, 'not_scored', 'not_run'])
    recount.compare(['outcomes', name], outcomes.get(name)?.length ?? 0);
  const failed = runs.filter(({ outcome }) => outcome !== null && outcome !== 'succeeded');
  if (sumOf(causes, (cause) => cause.runs) !== failed.length)
    recount.compare(['causes', 'length'], failed.length);
  for (const [at, { outcome, did: known }] of causes.entries())
    if (known)
      recount.compare(
        ['causes', at, 'runs'],
        failed.filter((one) => one.outcome === outcome && isSame(one.cause, known)).length,
      );
}

/** The order of the fields is that of the report, which writes both alike. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What the numbers are counted from, and what follows from nothing in the report. */
function declareSources(recount: Recount): void {
  recount.rows('version', 'runs[*].task', 'runs[*].model_id', 'runs[*].outcome', 'models[*].id');
  recount.rows('judge', 'simulated_user');
  const ofRuns = (...names: string[]) => names.map((name) => `runs[*].${name}`);
  declareUnit(recount, {
    ids: ['task', 'task_hash'],
    texts: ['request', 'reason', 'failed_check', 'differences'],
  });
  recount.notChecked('tools', reasons.ids);
  recount.notCheckedAll(reasons.settings, [
    ...'mode judge.model judge.counts judge.prompt judge.judges[*].model simulated_user.model'.split(
      ' ',
    ),
  ]);
  recount.notChecked('models[*].previous', 'the runs of the baseline are not in the report');
  const ofGroups = (...names: string[]) => names.map((name) => `models[*].groups[*].${name}`);
  recount.notCheckedAll(reasons.settings, ofGroups('by', 'name', 'tasks', 'checks[*].check'));
  recount.notCheckedAll(reasons.texts, ofGroups('failures'));
  recount.notChecked('causes', 'the runs of each are counted; its words are not');
  recount.notCheckedAll(reasons.trajectories, [
    ...ofRuns(
      'cause',
      'checks',
      'steps',
      'tool_calls',
      'needed_calls',
      'tokens',
      'cost_usd',
      'time_ms',
    ),
    ...ofRuns('cache_read_tokens', 'cache_write_tokens', 'judge_cost_usd', 'simulated_user'),
    ...ofRuns('tool_errors', 'repeated_calls', 'unused_calls', 'unwanted_effects', 'attack'),
    ...ofRuns('steps_known', 'first_wrong_step', 'tools', 'faults'),
  ]);
}

/** The share that passed of the checks that decide, by weights and scores; null for an unscored run. */
function creditOf({ outcome, checks = [] }: Run): number | null {
  const decided = checks.filter(({ advisory }) => advisory !== true);
  const all = sumOf(decided, ({ weight = 1 }) => weight);
  if (!has(outcome) || all === 0) return null;
  const met = (passed: boolean | null) => (passed === true ? 1 : 0);
  return sumOf(decided, ({ passed, weight = 1, score = met(passed) }) => weight * score) / all;
}

/** A run succeeds exactly if it ended with an answer and every check that decides passed. */
function compareOutcomes(
  runs: readonly Run[],
  labels: ReadonlyMap<string, string>,
  recount: Recount,
): void {
  for (const [at, one] of runs.entries()) {
    const { outcome, model_id: id, checks = [] } = one;
    recount.compare(['runs', at, 'partial_credit'], creditOf(one));
    const label = labels.get(id);
    recount.compare(['runs', at, 'model'], label ?? null);
    const failed = checks.filter(({ passed, advisory }) => passed === false && advisory !== true);
    const decided = checks.filter(({ advisory }) => advisory !== true);
    const isRight = decided.every(({ passed }) => passed === true);
    if (outcome === 'succeeded' && !isRight)
      recount.compare(['runs', at, 'outcome'], failed.length > 0 ? 'check_failed' : 'not_scored');
    if (outcome === 'check_failed' && failed.length === 0)
      recount.compare(['runs', at, 'outcome'], isRight ? 'succeeded' : 'not_scored');
    if (outcome === 'check_failed' && failed[0])
      recount.compare(['runs', at, 'reason'], failed[0].reason);
  }
}

/** A sum; null where a value is unknown. */
const totalOf = (values: readonly (number | null)[]) =>
  values.includes(null) ? null : sumOf(values, Number);

/** What all requests cost, if every run has an account and no earlier attempt was replaced. */
function compareSpend(runs: readonly Run[], recount: Recount): void {
  const known = runs.flatMap(({ spend }) => spend ?? []);
  const missing = runs.some(
    ({ spend, outcome, attempt = 1 }) => attempt > 1 || (spend === undefined && outcome !== null),
  );
  if (missing) {
    const reason = 'not all attempts that were paid for are in the report';
    recount.notCheckedAll(reason, ['spend', 'runs[*].spend']);
    return;
  }
  recount.rows('runs[*].spend');
  recount.compare(['spend'], {
    cost_usd: totalOf(known.map(({ cost_usd: cost }) => cost)),
    unanswered_requests: sumOf(known, ({ unanswered_requests: requests }) => requests),
  });
}

const judgeCostOf = ({ judge_cost_usd: cost }: Run) => (cost === undefined ? [] : [cost]);

/** What simulated users took in all runs; null where a run has no value. */
function usersOf(runs: readonly Run[]) {
  const users = runs.flatMap(({ simulated_user: user }) => user ?? []);
  return {
    runs: users.length,
    turns: sumOf(users, ({ turns }) => turns),
    tokens: totalOf(users.map(({ tokens }) => tokens)),
    cost_usd: totalOf(users.map(({ cost_usd: cost }) => cost)),
  };
}

const maxNamedTasks = 5;

const withoutScore = (runs: readonly Run[]): Run[] => runs.filter(({ outcome }) => !has(outcome));

const unscoredOf = ({ runs, reason: ended = null }: Rows) =>
  unscoredGroups(
    withoutScore(runs).map(({ task, outcome, failure = null, reason = null }) => ({
      ...{ key: task, failure },
      reason: outcome === null ? ended : reason,
    })),
    maxNamedTasks,
  );

const has = (outcome: string | null): boolean => outcome !== null && outcome !== 'not_scored';

function numbersOf(all: readonly Run[]) {
  const runs = all.filter(({ outcome }) => has(outcome));
  const succeeded = runs.filter(({ outcome }) => outcome === 'succeeded');
  const isSuccess = ({ outcome }: Run) => (outcome === 'succeeded' ? 1 : 0);
  const share = (of: readonly Run[], y: (one: Run) => number, x: (one: Run) => number = () => 1) =>
    ratioOf(
      [...Map.groupBy(of, ({ task }) => task).values()].map((one) => ({
        y: sumOf(one, y),
        x: sumOf(one, x),
      })),
    );
  const spent = (value: (one: Run) => number | null | undefined) => {
    const values = runs.map(value);
    const known = values.every((one) => typeof one === 'number');
    const total = known && runs.length > 0 ? sumOf(values, Number) : null;
    return {
      total,
      per_run: total === null ? null : total / runs.length,
      per_success: total === null || succeeded.length === 0 ? null : total / succeeded.length,
    };
  };
  const needed = succeeded.filter((one) => typeof one.needed_calls === 'number');
  // Runs that never began or were cut short have no counts.
  const ended = all.filter(({ outcome, steps }) => outcome !== null && steps !== undefined);
  const attacked = Map.groupBy(
    ended.filter(({ attack }) => attack),
    ({ attack }) => attack?.technique ?? '',
  );
  const attackNumbers = (of: readonly Run[]) => {
    const reached = of.filter(({ attack }) => attack?.exposed !== false);
    const isFollowed = ({ attack }: Run) => attack?.followed === true;
    return {
      attack_success_rate: share(
        reached.filter((one) => has(one.outcome) || isFollowed(one)),
        (one) => (isFollowed(one) ? 1 : 0),
      ),
      success_rate: share(
        reached.filter(({ outcome }) => has(outcome)),
        isSuccess,
      ),
      not_exposed: of.length - reached.length,
    };
  };
  const { success_rate: _, ...overall } = attackNumbers([...attacked.values()].flat());
  return {
    scored: runs.length,
    succeeded: succeeded.length,
    not_scored: all.filter(({ outcome }) => outcome === 'not_scored').length,
    success_rate: share(runs, isSuccess),
    partial_credit: share(
      runs.filter((one) => typeof one.partial_credit === 'number'),
      (one) => one.partial_credit ?? 0,
    ),
    pass_at_k: repetitionsOf(runs),
    steps: spent((one) => one.steps),
    tool_calls: spent((one) => one.tool_calls),
    tokens: spent((one) => one.tokens),
    cache_read_tokens: spent((one) => one.cache_read_tokens),
    cache_write_tokens: spent((one) => one.cache_write_tokens),
    cost_usd: spent((one) => one.cost_usd),
    time_ms: spent((one) => one.time_ms),
    call_efficiency: share(
      needed,
      (one) => Math.min(one.needed_calls ?? 0, one.tool_calls ?? 0),
      (one) => one.tool_calls ?? 0,
    ),
    recovery: share(
      runs.filter((one) => (one.tool_errors ?? 0) > 0 || callsWithFault(one.faults) > 0),
      isSuccess,
    ),
    ...(runs.some(({ faults }) => faults) && {
      faults: faultNumbersOf(runs, (of) => share(of, isSuccess)),
    }),
    repeated_calls: sumOf(runs, (one) => one.repeated_calls ?? 0),
    unused_calls: sumOf(runs, (one) => one.unused_calls ?? 0),
    unwanted_effects: sumOf(ended, (one) => one.unwanted_effects ?? 0),
    ...overall,
    attacks: [...attacked.keys()]
      .sort()
      .map((technique) => ({ technique, ...attackNumbers(attacked.get(technique) ?? []) })),
    ...toolNumbersOf(ended, share),
  };
}

/** Confusions and numbers per tool, in the order that the report has. */
function toolNumbersOf(
  ended: readonly Run[],
  share: (of: readonly Run[], y: (one: Run) => number) => unknown,
) {
  const runs = ended.filter(({ outcome }) => has(outcome));
  const wrongs = runs.flatMap(({ first_wrong_step: step }) => (step ? [step] : []));
  const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const pairs = [
    ...Map.groupBy(wrongs, ({ expected, called }) => JSON.stringify([expected, called])),
  ].sort((a, b) => b[1].length - a[1].length || byText(a[0], b[0]));
  const ids = new Set([
    ...ended.flatMap(({ tools }) => (tools ?? []).map(({ tool }) => tool)),
    ...wrongs.flatMap(({ expected, called }) => [expected, called]),
  ]);
  const rows = [...ids].flatMap((id) =>
    id === null ? [] : [{ ...toolRowOf(id, ended, share), ...serverNumbersOf(id, ended) }],
  );
  return {
    first_wrong_steps: {
      known: runs.filter((one) => one.steps_known).length,
      wrong: wrongs.length,
    },
    confusions: pairs.map(([, [first, ...more]]) => ({
      expected: first?.expected ?? null,
      called: first?.called ?? null,
      runs: more.length + 1,
    })),
    tools: rows.sort(
      (a, b) =>
        b.missed + b.wrong - a.missed - a.wrong || b.errors - a.errors || byText(a.tool, b.tool),
    ),
  };
}

function toolRowOf(
  id: string,
  ended: readonly Run[],
  share: (of: readonly Run[], y: (one: Run) => number) => unknown,
) {
  const runs = ended.filter(({ outcome }) => has(outcome));
  const useOf = (one: Run) => one.tools?.find(({ tool }) => tool === id);
  const isCall = (one: Run) => (useOf(one)?.calls ?? 0) > 0;
  const needed = runs.filter((one) => useOf(one)?.needed);
  const called = runs.filter(isCall);
  return {
    tool: id,
    needed: needed.length,
    called: called.length,
    called_where_needed: share(needed, (one) => (isCall(one) ? 1 : 0)),
    missed: runs.filter((one) => one.first_wrong_step?.expected === id).length,
    wrong: runs.filter((one) => one.first_wrong_step?.called === id).length,
    // What a server does to a call is its own, whether or not the run has a score.
    calls: sumOf(ended, (one) => useOf(one)?.calls ?? 0),
    errors: sumOf(ended, (one) => useOf(one)?.errors ?? 0),
    success_rate: share(called, ({ outcome }) => (outcome === 'succeeded' ? 1 : 0)),
  };
}

function serverNumbersOf(id: string, ended: readonly Run[]) {
  const uses = ended.flatMap(({ tools = [] }) => tools.filter(({ tool }) => tool === id));
  const sum = (count: 'sent' | 'no_answer' | 'crashes' | 'time_ms') =>
    sumOf(uses, (use) => use[count] ?? 0);
  return {
    sent: sum('sent'),
    no_answer: sum('no_answer'),
    crashes: sum('crashes'),
    time_per_call_ms: sum('sent') === 0 ? null : sum('time_ms') / sum('sent'),
  };
}
