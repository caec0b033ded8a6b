import { compareCheck } from './checkReport.ts';
import { numbersOf } from './evaluationNumbers.ts';
import {
  causesOf,
  evaluationRows,
  groupBy,
  hasPassed,
  failureKinds,
  failureOf,
  hasRightTools,
  isScored,
  sumOf,
  wasNotRun,
  type EvaluationRows,
  type Price,
  type RunRow,
} from './evaluationRows.ts';
import type { Recount } from './recount.ts';

/** Compares every number of an evaluation's report with what its runs say. */
export function recountEvaluation(document: unknown, recount: Recount): void {
  const rows = evaluationRows.parse(document);
  const { runs, models, settings } = rows;
  const given = ['price', 'sent', 'conditions'].map((name) => `models[*].${name}`);
  for (const name of ['runs', 'settings', ...given, 'number', 'version']) recount.rows(name);
  if (models.length > 1)
    recount.notChecked('models[*].vs_best', 'compare the models to count the paired test again');
  compareCheck(document, runs.filter(({ status }) => status !== 'completed').length, recount);
  const prices = new Map(models.map(({ id, price }) => [id, price]));
  const compare = (path: string[], own: readonly RunRow[], labels: readonly string[]) => {
    const again = {
      ...numbersOf(own, labels, settings.high_confidence),
      ...spentOn(own, prices),
    };
    for (const [name, value] of Object.entries(again)) recount.compare([...path, name], value);
  };
  compare([], runs, rows.confusion.labels);
  for (const [at, { id, confusion }] of models.entries()) {
    const own = runs.filter((run) => run.model_id === id);
    const again = {
      ...numbersOf(own, confusion.labels, settings.high_confidence),
      ...spentOn(own, prices),
    };
    for (const [name, value] of Object.entries(again)) recount.compare(['models', at, name], value);
  }
  const earlier = runs.some(({ attempt }) => attempt > 1)
    ? 'earlier attempts were paid for too, and reports list only the last ones'
    : null;
  if (earlier !== null)
    for (const name of ['usage.all', 'cost_usd', 'unanswered_requests'])
      for (const path of [name, `models[*].${name}`]) recount.notChecked(path, earlier);
  compareVerdict(rows, recount);
  recount.compare(['cases'], new Set(runs.map((run) => run.case_id)).size);
  recount.compare(['unscored'], unscoredOf(rows));
  recount.compare(['duration_ms'], durationOf(rows));
  recount.compare(['calibrations'], calibrationsOf(runs.filter(isScored)));
  recount.compare(['repetitions'], repetitionsOf(runs.filter(isScored)));
  for (const [at, run] of runs.entries()) compareRun(at, run, prices, recount);
}

/** Counts the verdict again: a run that was cancelled or lost was not run. */
function compareVerdict({ runs, confusion, settings }: EvaluationRows, recount: Recount): void {
  const results = runs.map(hasPassed);
  const count = (wanted: boolean) => results.filter((passed) => passed === wanted).length;
  const [passed, failed] = [count(true), count(false)];
  const notRun = runs.filter(wasNotRun).length;
  const cases = new Set(runs.map((run) => run.case_id)).size;
  const unit = runs.length === cases ? 'cases' : 'runs';
  const noun = unit.slice(0, -1);
  const scored = passed + failed;
  const whole = (n: number) => n.toLocaleString('en-US');
  const nouns = `${whole(scored)} ${scored === 1 ? noun : unit}`;
  const headline =
    scored === 0
      ? `No ${noun} was scored`
      : passed === scored && scored > 1
        ? `All ${nouns} passed`
        : `${whole(passed)} of ${nouns} passed`;
  const { metrics } = numbersOf(runs, confusion.labels, settings.high_confidence);
  const again = { headline, unit, cases, passed, failed, scored, pass_rate: metrics.pass_rate };
  for (const [name, value] of Object.entries(again)) recount.compare(['verdict', name], value);
  recount.compare(['verdict', 'outcomes', 'passed'], passed);
  recount.compare(['verdict', 'outcomes', 'not_run'], notRun);
  recount.compare(['verdict', 'outcomes', 'not_scored'], runs.length - scored - notRun);
  const failures = runs.filter((_run, at) => results[at] === false);
  const kinds = groupBy(failures, failureOf);
  for (const kind of failureKinds)
    recount.compare(['verdict', 'outcomes', kind], kinds.get(kind)?.length ?? 0);
  recount.compare(['verdict', 'causes'], causesOf(failures));
  recount.notChecked('verdict.previous', 'the previous evaluation is not in the report');
}

const maxNamedCases = 20;

/** Failed runs by failure and message, the most frequent first. */
function unscoredOf({ runs, status: state, reason, shard }: EvaluationRows) {
  const hasEnded = state !== 'planned' && state !== 'running';
  const positions = new Map([...new Set(runs.map((run) => run.case_id))].map((id, at) => [id, at]));
  const isOwn = ({ case_id: id }: RunRow): boolean =>
    shard == null || (positions.get(id) ?? 0) % shard.of === shard.index - 1;
  const failed = runs.filter(({ status }) => status === 'failed');
  const notStarted = hasEnded
    ? runs
        .filter(({ status }) => status === 'pending' || status === 'running')
        .filter(isOwn)
        .map((run) => ({ ...run, failure: null, error: reason }))
    : [];
  return [
    ...groupBy(failed, ({ failure, error }) => JSON.stringify([failure, error])).values(),
    ...(notStarted.length > 0 ? [notStarted] : []),
  ]
    .map((group) => ({
      failure: group[0]?.failure ?? null,
      reason: group[0]?.error ?? null,
      runs: group.length,
      cases: [...new Set(group.map((run) => run.case_id))].slice(0, maxNamedCases),
    }))
    .sort((a, b) => b.runs - a.runs);
}

const durationOf = ({ started_at: from, completed_at: to }: EvaluationRows): number | null =>
  from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from));

type Prices = ReadonlyMap<string, Price>;

function costOf(run: RunRow, prices: Prices): number | null {
  const price = prices.get(run.model_id) ?? null;
  const { unreported_input_tokens: lostInput, unreported_output_tokens: lostOutput } = run;
  const isKnown = run.input_tokens !== null && run.output_tokens !== null;
  if (price === null || (run.answered ? !isKnown : lostInput + lostOutput === 0)) return null;
  const input = (run.input_tokens ?? 0) + run.follow_up_input_tokens + lostInput;
  const output = (run.output_tokens ?? 0) + run.follow_up_output_tokens + lostOutput;
  return (input * price.input_usd + output * price.output_usd) / 1_000_000;
}

/** Tokens and cost; those of all answers only if there was no earlier attempt. */
function spentOn(runs: readonly RunRow[], prices: Prices) {
  const scored = runs.filter(isScored);
  const totals = (paid: readonly RunRow[], withUnused: boolean) => {
    const answers = paid.filter((run) => run.answered);
    const known = answers.filter((run) => run.input_tokens !== null && run.output_tokens !== null);
    const unused = withUnused
      ? paid.filter((run) => run.unreported_input_tokens + run.unreported_output_tokens > 0)
      : [];
    const none = known.length + unused.length === 0;
    const costs = [...new Set([...answers, ...unused])].map((run) =>
      costOf(
        withUnused ? run : { ...run, unreported_input_tokens: 0, unreported_output_tokens: 0 },
        prices,
      ),
    );
    return {
      answers: answers.length,
      unmeasured: answers.length - known.length,
      input: none
        ? null
        : sumOf(known, (run) => (run.input_tokens ?? 0) + run.follow_up_input_tokens) +
          sumOf(unused, (run) => run.unreported_input_tokens),
      output: none
        ? null
        : sumOf(known, (run) => (run.output_tokens ?? 0) + run.follow_up_output_tokens) +
          sumOf(unused, (run) => run.unreported_output_tokens),
      cost_usd:
        costs.length === 0 || costs.includes(null) ? null : sumOf(costs, (cost) => cost ?? 0),
    };
  };
  const all = totals(runs, true);
  const sumKnown = (values: (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : sumOf(known, (value) => value);
  };
  const tokens = {
    input: sumKnown(scored.map((run) => run.input_tokens)),
    output: sumKnown(scored.map((run) => run.output_tokens)),
  };
  if (runs.some(({ attempt }) => attempt > 1))
    return { tokens, usage: { scored: totals(scored, false) } };
  const sources = new Set(runs.flatMap((run) => run.token_source ?? []));
  const [source = null] = sources;
  return {
    tokens,
    cost_usd: all.cost_usd,
    usage: { scored: totals(scored, false), all },
    ...(runs.every((run) => run.unanswered_requests !== undefined) && {
      unanswered_requests: sumOf(runs, (run) => run.unanswered_requests ?? 0),
    }),
    ...(runs.every(({ cached }) => cached !== undefined) && {
      cached_answers: runs.filter(({ cached }) => cached).length,
    }),
    token_source: sources.size > 1 ? 'mixed' : source,
  };
}

const methods = ['logprobs', 'agreement', 'self_report', 'margin'];

/** Ten bins over 0–1 for each method; the last one holds 1 too. */
function calibrationsOf(scored: readonly RunRow[]) {
  return methods.flatMap((method) => {
    const runs = scored.filter(({ confidence }) => confidence?.method === method);
    if (runs.length === 0) return [];
    const score = (run: RunRow) => run.confidence?.score ?? 0;
    const bins = Array.from({ length: 10 }, (_, at) => {
      const inside = runs.filter((run) => Math.min(9, Math.floor(score(run) * 10 + 1e-9)) === at);
      const mean = (value: (run: RunRow) => number) =>
        inside.length === 0 ? null : sumOf(inside, value) / inside.length;
      return {
        low: at / 10,
        high: (at + 1) / 10,
        n: inside.length,
        right: mean((run) => Number(hasRightTools(run))),
        confidence: mean(score),
      };
    });
    const ece = sumOf(
      bins,
      ({ n, right, confidence }) => (n / runs.length) * Math.abs((right ?? 0) - (confidence ?? 0)),
    );
    return [{ method, n: runs.length, ece, bins }];
  });
}

const maxListed = 500;

/** pass@k, pass^k and flaky cases, over the cases of each model. */
function repetitionsOf(scored: readonly RunRow[]) {
  const groups = groupBy(scored, (run) => JSON.stringify([run.case_id, run.model_id]));
  const cases = [...groups.values()].map((runs) => ({
    case_id: runs[0]?.case_id,
    model_id: runs[0]?.model_id,
    n: runs.length,
    right: runs.filter(hasRightTools).length,
  }));
  const most = Math.max(0, ...cases.map(({ n }) => n));
  const ks = Array.from({ length: most }, (_, at) => at + 1).filter((k) => k <= 10 || k === most);
  const flaky = cases
    .filter(({ n, right }) => right > 0 && right < n)
    .sort((a, b) => Math.abs(a.right / a.n - 0.5) - Math.abs(b.right / b.n - 0.5));
  return {
    most,
    repeated_cases: cases.filter(({ n }) => n > 1).length,
    pass_at_k: ks.map((k) => {
      const enough = cases.filter(({ n }) => n >= k);
      const mean = (value: (one: { n: number; right: number }) => number) =>
        sumOf(enough, value) / enough.length;
      return {
        k,
        at_least_one: mean(({ n, right }) => 1 - choose(n - right, k) / choose(n, k)),
        all: mean(({ n, right }) => choose(right, k) / choose(n, k)),
        cases: enough.length,
      };
    }),
    flaky_total: flaky.length,
    flaky: flaky.slice(0, maxListed),
  };
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i += 1) ways *= (n - i) / (i + 1);
  return n < k ? 0 : ways;
}

function compareRun(at: number, run: RunRow, prices: Prices, recount: Recount): void {
  const passed = hasPassed(run);
  recount.compare(['runs', at, 'passed'], passed);
  recount.compare(['runs', at, 'outcome'], outcomeOf(run, passed));
  recount.compare(['runs', at, 'cost_usd'], costOf(run, prices));
  const { matched_parameters: matched, expected_parameters: expected } = run;
  const share = expected === 0 ? 1 : (matched ?? 0) / (expected ?? 1);
  recount.compare(
    ['runs', at, 'parameter_correctness'],
    run.classification === 'TP' ? share : null,
  );
}

function outcomeOf(run: RunRow, passed: boolean | null): string {
  if (wasNotRun(run)) return 'not_run';
  if (passed === null) return 'not_scored';
  return passed ? 'passed' : failureOf(run);
}
