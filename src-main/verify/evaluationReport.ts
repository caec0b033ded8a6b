import { compareCheck } from './checkReport.ts';
import { numbersOf } from './evaluationNumbers.ts';
import {
  byText,
  causesOf,
  evaluationRows,
  hasPassed,
  failureKinds,
  failureOf,
  hasRightTools,
  isRight,
  isScored,
  isTool,
  isUndecided,
  noTool,
  sumOf,
  toolsIn,
  wasNotRun,
  type EvaluationRows,
  type Price,
  type RunRow,
} from './evaluationRows.ts';
import { reasons } from './reasons.ts';
import type { Path, Recount } from './recount.ts';
import { compareSentTools, hiddenByClient } from './sentTools.ts';
import { compareCaseShard } from './shardRows.ts';
import { declareUnit, passedOf } from './unitReport.ts';
import { unscoredGroups } from './unscoredGroups.ts';
import { compareWithBest } from './vsBest.ts';
import { causeLine, countLines, headlineOf, type Verdict } from './verdictTexts.ts';

/** Compares every number and verdict of an evaluation's report with what its runs say. */
export function recountEvaluation(document: unknown, recount: Recount): void {
  const rows = evaluationRows.parse(document);
  const { runs, models, settings } = rows;
  declareSources(recount);
  compareSentTools(document, recount);
  compareCaseShard(document, recount);
  compareCheck(
    document,
    runs.filter((run) => run.status !== 'completed' || isUndecided(run)).length,
    recount,
  );
  compareWithBest(rows, recount);
  const prices = new Map(models.map(({ id, price }) => [id, price]));
  const compare = (path: Path, own: readonly RunRow[], reported: readonly string[]) => {
    const again = {
      ...numbersOf(own, labelsOf(rows, reported), settings.high_confidence),
      ...spentOn(own, prices),
    };
    for (const [name, value] of Object.entries(again)) recount.compare([...path, name], value);
  };
  compare([], runs, rows.confusion.labels);
  for (const [at, { id, confusion }] of models.entries())
    compare(
      ['models', at],
      runs.filter((run) => run.model_id === id),
      confusion.labels,
    );
  const known = new Set(models.map(({ id }) => id));
  for (const [at, { model_id: id }] of runs.entries())
    if (!known.has(id)) recount.compare(['runs', at, 'model_id'], [...known].join(' or '));
  const [first] = models;
  if (first) recount.compare(['model'], first.model);
  if (first) recount.compare(['provider'], first.provider);
  if (runs.some(({ attempt }) => attempt > 1))
    recount.notCheckedAll(
      'earlier attempts were paid for too, and reports list only the last ones',
      earlier.flatMap((name) => [name, `models[*].${name}`]),
    );
  compareVerdict(rows, recount);
  recount.compare(['cases'], new Set(runs.map((run) => run.case_id)).size);
  recount.compare(['unscored'], unscoredOf(rows));
  recount.compare(['duration_ms'], durationOf(rows));
  recount.compare(['calibrations'], calibrationsOf(runs.filter(isScored)));
  const scored = runs.filter(isScored);
  recount.compare(['repetitions'], repetitionsOf(scored, hasPassed));
  recount.compare(['repetitions', 'tools_only'], repetitionsOf(scored, hasRightTools));
  compareModes(rows, recount);
  for (const [at, run] of runs.entries()) compareRun(at, run, rows, prices, recount);
}

/** Of all answers, and so of attempts that are not listed. */
const earlier = ['usage.all', 'cost_usd', 'cached_answers', 'token_source', 'unanswered_requests'];

/** What the numbers are counted from, and what follows from nothing in the report. */
function declareSources(recount: Recount): void {
  recount.rows('version', 'tools[*].tool_id', 'models[*].id', 'settings.high_confidence');
  recount.rows(...['model_id', 'status', 'units'].map((name) => `runs[*].${name}`));
  const measured = ['answered', 'cached', 'input_tokens', 'output_tokens', 'token_source'];
  const followUp = ['follow_up_input_tokens', 'follow_up_output_tokens', 'execution_time_ms'];
  const judged = ['matched_parameters', 'expected_parameters', 'parameter_completeness'];
  const unused = ['unreported_input_tokens', 'unreported_output_tokens', 'unanswered_requests'];
  const arguments_ = ['conforming', 'hallucinated_parameters', 'confidence'];
  recount.notCheckedAll(
    reasons.measured,
    [...measured, ...followUp, ...unused, ...judged, ...arguments_].map(
      (name) => `runs[*].${name}`,
    ),
  );
  declareUnit(recount, {
    ids: ['case_id', 'case_hash', 'snapshot_id'],
    texts: ['query', 'tags', 'error', 'expected', 'differences'],
  });
  recount.notCheckedAll(reasons.ids, ['tools[*].hash', 'tools[*].text_hash']);
  recount.notCheckedAll(reasons.settings, ['model', 'provider']);
}

/** With more tools, a matrix has only those that runs name. */
const maxListedTools = 100;

/** The tools of a matrix that no run names are those that were offered. */
function labelsOf({ tools }: EvaluationRows, reported: readonly string[]): readonly string[] {
  if (tools === undefined) return reported;
  return tools.length > maxListedTools ? [] : tools.map(({ tool_id: id }) => id);
}

/** Counts the verdict again: a run that was cancelled or lost was not run. */
function compareVerdict(rows: EvaluationRows, recount: Recount): void {
  const { runs, confusion, settings } = rows;
  const results = runs.map(hasPassed);
  const count = (wanted: boolean) => results.filter((passed) => passed === wanted).length;
  const [passed, failed] = [count(true), count(false)];
  const scored = passed + failed;
  const notRun = runs.filter(wasNotRun).length;
  const notScored = runs.length - scored - notRun;
  const cases = new Set(runs.map((run) => run.case_id)).size;
  const unit = runs.length === cases ? 'cases' : 'runs';
  const { metrics } = numbersOf(runs, confusion.labels, settings.high_confidence);
  const failures = runs.filter((_run, at) => results[at] === false);
  const kinds = Map.groupBy(failures, failureOf);
  const counts = Object.fromEntries(
    failureKinds.map((kind) => [kind, kinds.get(kind)?.length ?? 0]),
  ) as Record<(typeof failureKinds)[number], number>;
  const causes = causesOf(failures);
  const texts: Verdict = {
    unit: unit === 'cases' ? 'case' : 'run',
    ...{ passed, scored, notScored, notRun, failures: counts },
    rate: metrics.pass_rate,
  };
  recount.compare(['verdict'], {
    headline: headlineOf(texts),
    ...{ unit, cases, passed, failed, scored, causes },
    outcomes: { ...counts, passed, not_run: notRun, not_scored: notScored },
    pass_rate: metrics.pass_rate,
  });
  recount.notChecked('verdict.previous', 'the previous evaluation is not in the report');
  const named = causes.flatMap(({ expected, called }) => [expected, called]).filter(isTool);
  const servers = new Set(named.flatMap(toolsIn).map((id) => id.slice(0, id.indexOf(':'))));
  const cause = causeLine(causes, texts.unit, servers.size > 1, hiddenByClient(rows));
  recount.compareSentences(
    ['verdict', 'lines'],
    [...countLines(texts), ...(cause === null ? [] : [cause])],
    'the requests, the descriptions and the previous evaluation are not in the report',
  );
}

const maxNamedCases = 20;

function unscoredOf({ runs, status: state, reason }: EvaluationRows) {
  const hasEnded = state !== 'planned' && state !== 'running';
  const positions = new Map([...new Set(runs.map((run) => run.case_id))].map((id, at) => [id, at]));
  const positionOf = ({ case_id: id }: RunRow): number => positions.get(id) ?? 0;
  const failed = runs
    .filter(({ status }) => status === 'failed')
    .toSorted(
      (a, b) =>
        positionOf(a) - positionOf(b) ||
        byText(a.failure ?? '', b.failure ?? '') ||
        byText(a.error ?? '', b.error ?? ''),
    );
  const notStarted = hasEnded
    ? runs
        .filter(({ status }) => status === 'pending' || status === 'running')
        .map((run) => ({ ...run, failure: null, error: reason }))
    : [];
  const undecided = runs.filter(isUndecided).map((run) => ({ ...run, failure: 'schema' }));
  return unscoredGroups(
    [...failed, ...undecided, ...notStarted].map(({ case_id: key, failure, error }) => ({
      ...{ key, failure, reason: error },
    })),
    maxNamedCases,
  );
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

/** pass@k, pass^k and flaky cases, over the cases of each model; undecided runs count in nothing. */
function repetitionsOf(scored: readonly RunRow[], verdictOf: (run: RunRow) => boolean | null) {
  const groups = Map.groupBy(
    scored.filter((run) => verdictOf(run) !== null),
    (run) => JSON.stringify([run.case_id, run.model_id]),
  );
  const cases = [...groups.values()].map((runs) => ({
    case_id: runs[0]?.case_id,
    name: runs[0]?.name,
    model_id: runs[0]?.model_id,
    n: runs.length,
    passed: runs.filter((run) => verdictOf(run)).length,
  }));
  const most = Math.max(0, ...cases.map(({ n }) => n));
  const ks = Array.from({ length: most }, (_, at) => at + 1).filter((k) => k <= 10 || k === most);
  const flaky = cases
    .filter(({ n, passed }) => passed > 0 && passed < n)
    .sort((a, b) => Math.abs(2 * a.passed - a.n) / a.n - Math.abs(2 * b.passed - b.n) / b.n);
  return {
    most,
    repeated_cases: cases.filter(({ n }) => n > 1).length,
    pass_at_k: ks.map((k) => {
      const { some, all, enough } = passedOf(
        cases.map((one) => ({ ...one, cluster: one.case_id ?? '' })),
        k,
      );
      return {
        k,
        at_least_one: some.value,
        all: all.value,
        cases: enough,
        at_least_one_interval: some.interval,
        all_interval: all.interval,
      };
    }),
    flaky_total: flaky.length,
    flaky: flaky.slice(0, maxListed),
  };
}

function compareRun(
  at: number,
  run: RunRow,
  rows: EvaluationRows,
  prices: Prices,
  recount: Recount,
): void {
  const passed = hasPassed(run);
  const { classification, units } = run;
  const { matched_parameters: matched, expected_parameters: expected } = run;
  const share = expected === 0 ? 1 : (matched ?? 0) / (expected ?? 1);
  recount.compare(['runs', at], {
    passed,
    outcome: outcomeOf(run, passed),
    cost_usd: costOf(run, prices),
    parameter_correctness: classification === 'TP' ? share : null,
  });
  if (rows.snapshot_id !== undefined && run.snapshot_id !== undefined)
    recount.compare(['runs', at, 'snapshot_id'], rows.snapshot_id);
  if (run.status !== 'failed') recount.compare(['runs', at, 'failure'], null);
  if (!isScored(run)) {
    const none = { matched_parameters: null, expected_parameters: null, conforming: null };
    recount.compare(['runs', at], {
      ...{ classification: null, units: [], called: [], ...none },
      ...{ parameter_completeness: null, hallucinated_parameters: [] },
    });
    return;
  }
  const called = units.map((unit) => unit.called).filter((label) => label !== noTool);
  const due = units.map((unit) => unit.expected).filter((label) => label !== noTool);
  recount.compare(['runs', at], {
    classification: classOf(run),
    called: called.length > 0 ? called : [noTool],
    expected: due.length > 0 ? due : [noTool],
    // An answer that no schema could decide says why; `passed` is then null.
    ...(isUndecided(run) ? {} : { error: null }),
  });
  if (classification === 'TP') return;
  const isTrue = classification === 'TN';
  recount.compare(['runs', at], {
    ...{ matched_parameters: 0, expected_parameters: 0, hallucinated_parameters: [] },
    ...{ parameter_completeness: Number(isTrue), conforming: isTrue },
  });
}

/**
 * One mode decides all runs of a case, that of the evaluation all models. Only `exact` knows extra
 * arguments, and each of them is an expected one that doesn't match.
 */
function compareModes({ runs, models, settings }: EvaluationRows, recount: Recount): void {
  if (settings.arguments_mode === undefined) return;
  for (const at of models.keys())
    recount.compare(['models', at, 'conditions', 'arguments mode'], settings.arguments_mode);
  const modes = new Map<string, string>();
  for (const [at, run] of runs.entries()) {
    const mode = modes.get(run.case_id) ?? run.arguments_mode;
    modes.set(run.case_id, mode);
    const { matched_parameters: matched, expected_parameters: expected } = run;
    const extra = run.extra_parameters.length;
    const canHaveExtra = run.classification === 'TP' && isScored(run) && mode === 'exact';
    recount.compare(['runs', at], {
      arguments_mode: mode,
      ...(canHaveExtra
        ? { expected_parameters: Math.max(expected ?? 0, (matched ?? 0) + extra) }
        : { extra_parameters: [] }),
    });
  }
}

/** The class of a run by its units (docs/rules.md §3, Matching and classification). */
function classOf({ units }: RunRow): NonNullable<RunRow['classification']> {
  if (units.some((unit) => unit.expected !== noTool)) return units.every(isRight) ? 'TP' : 'FN';
  return units.every((unit) => unit.called === noTool) ? 'TN' : 'FP';
}

function outcomeOf(run: RunRow, passed: boolean | null): string {
  if (wasNotRun(run)) return 'not_run';
  if (passed === null) return 'not_scored';
  return passed ? 'passed' : failureOf(run);
}
