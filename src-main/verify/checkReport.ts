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
const checkedReport = z.looseObject({
  /** Of cases; a report of tasks has its rates among its other numbers. */
  metrics: rates.optional(),
  tasks: rates.optional(),
  models: z.array(
    z.looseObject({ label: z.string(), metrics: rates.optional(), tasks: rates.optional() }),
  ),
  check: z
    .looseObject({
      allow_failed: z.number(),
      unscored_runs: z.number(),
      baseline: z
        .looseObject({
          models: z.array(z.looseObject({ outcome })),
          metrics: z.array(z.looseObject({ outcome })),
        })
        .nullable(),
      thresholds: z.array(threshold),
    })
    .nullable()
    .default(null),
});
type Threshold = z.infer<typeof threshold>;

/**
 * Judges the thresholds on rates again, each on the numbers of its model, and the result from the
 * outcomes. The metrics themselves are counted from the runs elsewhere.
 */
export function compareCheck(document: unknown, unscored: number, recount: Recount): void {
  const { check, models, ...all } = checkedReport.parse(document);
  if (check === null) return;
  recount.notChecked('check.baseline', 'the runs of the baseline are not in the report');
  recount.notChecked('check.incomparable', 'the baseline is not in the report');
  recount.notChecked('check.thresholds[*].value', 'it is no rate');
  recount.notCheckedAll(reasons.settings, ['check.allow_failed', 'check.thresholds']);
  for (const [at, each] of check.thresholds.entries()) {
    const { model, metric, bound } = each;
    const rate = rateIn(model === null ? all : models.find((one) => one.label === model), metric);
    if (rate !== null) recount.compare(['check', 'thresholds', at, 'value'], rate[bound]);
    recount.compare(['check', 'thresholds', at, 'outcome'], judged(each));
  }
  recount.compare(['check', 'unscored_runs'], unscored);
  const outcomes = [
    ...check.thresholds,
    ...(check.baseline?.models ?? []),
    ...(check.baseline?.metrics ?? []),
  ].map((one) => one.outcome);
  const count = (wanted: Threshold['outcome']) => outcomes.filter((one) => one === wanted).length;
  const { unscored_runs: open, allow_failed: allowed } = check;
  const isIncomplete = open > allowed || outcomes.includes('not_decided');
  recount.compare(
    ['check', 'result'],
    isIncomplete ? 'incomplete' : outcomes.includes('failed') ? 'failed' : 'passed',
  );
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
