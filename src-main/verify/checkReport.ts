import { z } from 'zod';
import { reasons } from './reasons.ts';
import type { Recount } from './recount.ts';
import { countedText, whole } from './verdictTexts.ts';

const metricValue = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});
type MetricValue = z.infer<typeof metricValue>;
const rates = z.record(z.string(), z.unknown());
const outcome = z.enum(['passed', 'failed', 'not_decided']);
const threshold = z.object({
  model: z.string().nullable(),
  metric: z.string(),
  bound: z.enum(['value', 'low', 'high']),
  side: z.enum(['min', 'max']),
  limit: z.number(),
  value: z.number().nullable(),
  outcome,
});
const group = z.looseObject({ worse: z.boolean() });
const reference = z.looseObject({
  models: z.array(
    z.looseObject({
      outcome,
      by_test: z.boolean().default(true),
      per_tool: z.array(group).default([]),
      changed_cases: z.looseObject({ changed: group.nullable() }).optional(),
    }),
  ),
  metrics: z.array(z.looseObject({ outcome })),
  removed_tools: z.array(z.looseObject({ cases: z.array(z.string()) })).default([]),
});
const again = z.object({ up_to: z.number(), cases: z.number(), runs: z.number() });
const runAgain = z.looseObject({
  case_id: z.string(),
  model_id: z.string(),
  repetition: z.number(),
  passed: z.boolean().nullable(),
});
const checkedReport = z.looseObject({
  /** Reports of earlier versions lack it. */
  asked_again: z.looseObject({ up_to: z.number(), runs: z.array(runAgain) }).nullish(),
  /** Of cases; a report of tasks has its rates among its other numbers. */
  metrics: rates.optional(),
  tasks: rates.optional(),
  models: z.array(
    z.looseObject({ label: z.string(), metrics: rates.optional(), tasks: rates.optional() }),
  ),
  runs: z
    .array(
      z.looseObject({
        case_id: z.string().optional(),
        task: z.string().optional(),
        model_id: z.string().optional(),
        failure: z.string().nullish(),
      }),
    )
    .default([]),
  check: z
    .looseObject({
      /** Reports of earlier versions lack it. */
      headline: z.string().optional(),
      asked_again: again.optional(),
      allow_failed: z.number(),
      unchecked_tasks: z.number().optional(),
      clients: z
        .array(
          z.object({
            hidden: z.array(z.object({ tool: z.string() })),
            tools: z.number(),
            max: z.number(),
            outcome: z.enum(['passed', 'failed']),
          }),
        )
        .optional(),
      unscored_runs: z.number(),
      baseline: reference.nullable(),
      release: reference.optional(),
      thresholds: z.array(threshold),
    })
    .nullable()
    .default(null),
});
type Threshold = z.infer<typeof threshold>;

const headlines = { passed: 'Check passed', failed: 'Check failed', incomplete: 'No verdict' };
const nothing = ': nothing to compare with yet';

/**
 * Judges the thresholds on rates again, each on the numbers of its model, and the result from the
 * outcomes. The metrics themselves are counted from the runs elsewhere.
 */
export function compareCheck(document: unknown, unscored: number, recount: Recount): void {
  const { check, models, asked_again: asked, ...all } = checkedReport.parse(document);
  declareAgain(recount);
  const known = new Set(all.runs.map((run) => placeOf(run)));
  for (const [at, run] of (asked?.runs ?? []).entries()) {
    // Each is a further repetition of a case and model that the report has.
    const path = ['asked_again', 'runs', at] as const;
    if (!known.has(placeOf(run))) recount.compare([...path, 'case_id'], 'a case of this model');
    const { up_to: upTo = 1 } = asked ?? {};
    if (run.repetition < 2 || run.repetition > upTo)
      recount.compare([...path, 'repetition'], `2 to ${upTo}`);
  }
  if (check === null) return;
  for (const field of ['baseline', 'release', 'trend'])
    recount.notChecked(`check.${field}`, 'the runs of the baseline are not in the report');
  recount.notChecked('check.incomparable', 'the runs of the baseline are not in the report');
  recount.notChecked('check.unchecked_tasks', 'the suite is not in the report');
  recount.notCheckedAll('what clients hide is not in the report', [
    'check.clients[*].client',
    'check.clients[*].version',
    'check.clients[*].tools',
    'check.clients[*].hidden',
  ]);
  recount.notChecked('check.clients[*].max', reasons.settings);
  for (const [at, { hidden, max }] of (check.clients ?? []).entries())
    recount.compare(['check', 'clients', at, 'outcome'], hidden.length > max ? 'failed' : 'passed');
  recount.notChecked('check.thresholds[*].value', 'it is no rate');
  recount.notCheckedAll(reasons.settings, ['check.allow_failed', 'check.thresholds']);
  for (const [at, each] of check.thresholds.entries()) {
    const { model, metric, bound } = each;
    const rate = rateIn(model === null ? all : models.find((one) => one.label === model), metric);
    if (rate !== null) recount.compare(['check', 'thresholds', at, 'value'], rate[bound]);
    recount.compare(['check', 'thresholds', at, 'outcome'], judged(each));
  }
  const references = [check.baseline, check.release].flatMap((one) => (one ? [one] : []));
  const lost = new Set(
    (references[0]?.removed_tools ?? []).flatMap(({ cases: removed }) => removed),
  );
  const lostRuns = all.runs.filter(
    (run) => run.failure === 'tool_not_offered' && lost.has(run.case_id ?? ''),
  ).length;
  const openAgain = (asked?.runs ?? []).filter(({ passed }) => passed === null).length;
  recount.compare(['check', 'unscored_runs'], unscored - lostRuns + openAgain);
  if (check.asked_again !== undefined)
    recount.compare(['check', 'asked_again'], {
      up_to: asked?.up_to,
      cases: new Set(asked?.runs.map((run) => run.case_id)).size,
      runs: asked?.runs.length,
    });
  const outcomes = [
    ...check.thresholds.map((one) => one.outcome),
    ...(check.clients ?? []).map((one) => one.outcome),
    ...references.flatMap(({ models: own, metrics, removed_tools: removed }) => [
      ...own.flatMap((one) => [
        one.outcome,
        ...(one.by_test ? [...one.per_tool, one.changed_cases?.changed ?? null] : [])
          .filter((each) => each?.worse === true)
          .map(() => 'failed' as const),
      ]),
      ...metrics.map((one) => one.outcome),
      ...removed.map(() => 'failed' as const),
    ]),
  ];
  const count = (wanted: Threshold['outcome']) => outcomes.filter((one) => one === wanted).length;
  const { unscored_runs: open, allow_failed: allowed } = check;
  const isIncomplete = open > allowed || outcomes.includes('not_decided');
  const result = isIncomplete ? 'incomplete' : outcomes.includes('failed') ? 'failed' : 'passed';
  recount.compare(['check', 'result'], result);
  if (check.headline !== undefined) {
    const isAlone = references.length === 0 && check.thresholds.length === 0 && !check.clients;
    const { unchecked_tasks: left } = check;
    const tasks =
      left === undefined ? '' : ` (${countedText(left, 'task', 'tasks')} of the suite not checked)`;
    const suffix = isAlone && check.headline.endsWith(nothing + tasks) ? nothing : '';
    recount.compare(['check', 'headline'], headlines[result] + suffix + tasks);
  }
  const because = (wanted: Threshold['outcome']) =>
    check.thresholds.filter((one) => one.outcome === wanted).map(reasonOf);
  const undecided =
    open <= allowed
      ? []
      : [
          `${countedText(open, 'run is', 'runs are')} not scored` +
            (allowed > 0 ? `, and ${whole(allowed)} may be` : ''),
        ];
  // Each outcome has one reason, also where its text can't be composed again.
  recount.compare(['check', 'failed', 'length'], count('failed'));
  recount.compare(['check', 'not_decided', 'length'], undecided.length + count('not_decided'));
  const others = 'what else decided is not in the report';
  recount.compareSentences(['check', 'failed'], because('failed'), others);
  recount.compareSentences(
    ['check', 'not_decided'],
    [...undecided, ...because('not_decided')],
    others,
  );
}

const placeOf = (run: {
  case_id?: string | undefined;
  task?: string | undefined;
  model_id?: string | undefined;
}) => JSON.stringify([run.case_id ?? run.task, run.model_id]);

/** What was asked again counts in the comparison with a baseline, which is not in the report. */
function declareAgain(recount: Recount): void {
  const run = (name: string) => `asked_again.runs[*].${name}`;
  recount.rows('asked_again', 'asked_again.up_to', run('passed'), run('repetition'));
  recount.notCheckedAll(reasons.ids, [run('run_id'), run('case_id'), run('model_id')]);
  recount.notCheckedAll(reasons.texts, [run('failure'), run('called'), run('differences')]);
  recount.notChecked('asked_again.cost_usd', reasons.measured);
}

function judged({ value, side, limit }: Threshold): Threshold['outcome'] {
  if (value === null) return 'not_decided';
  return (side === 'min' ? value >= limit : value <= limit) ? 'passed' : 'failed';
}

/** `model: pass_rate is 0.5, below 0.9` */
function reasonOf({ model, metric, bound, side, limit, value }: Threshold): string {
  const name =
    bound === 'value' ? metric : `${metric}.${bound}, the ${bound} end of its 95% interval,`;
  const shown = (value ?? 0).toLocaleString('en-US', { maximumFractionDigits: 4 });
  const text =
    value === null
      ? `${name} is not defined`
      : `${name} is ${shown.replace('-', '−')}, ${side === 'min' ? 'below' : 'above'} ${limit}`;
  return model === null ? text : `${model}: ${text}`;
}

/** A rate of a report or of one of its models; null if it has none of that name. */
function rateIn(
  from: { metrics?: unknown; tasks?: unknown } | undefined,
  metric: string,
): MetricValue | null {
  const found = rates.optional().parse(from?.metrics ?? from?.tasks)?.[metric];
  return metricValue.safeParse(found).data ?? null;
}
