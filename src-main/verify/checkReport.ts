import { z } from 'zod';
import type { Recount } from './recount.ts';

const metricValue = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});
type MetricValue = z.infer<typeof metricValue>;
const rates = z.record(z.string(), z.unknown());
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
      baseline: z.unknown(),
      not_decided: z.array(z.string()),
      failed: z.array(z.string()),
      thresholds: z.array(
        z.object({
          model: z.string().nullable(),
          metric: z.string(),
          bound: z.enum(['value', 'low', 'high']),
          side: z.enum(['min', 'max']),
          limit: z.number(),
        }),
      ),
    })
    .nullable()
    .default(null),
});

/**
 * Judges the thresholds on rates again, each on the numbers of its model. The metrics themselves are
 * counted from the runs elsewhere.
 */
export function compareCheck(document: unknown, unscored: number, recount: Recount): void {
  const { check, models, ...whole } = checkedReport.parse(document);
  if (check === null) return;
  const given = 'it was given with the command';
  recount.notChecked('check.thresholds[*].limit', given);
  recount.notChecked('check.allow_failed', given);
  recount.notChecked('check.baseline', 'the runs of the baseline are not in the report');
  recount.notChecked('check.thresholds[*].value', 'it is no rate');
  for (const [at, { model, metric, bound, side, limit }] of check.thresholds.entries()) {
    const rate = rateIn(model === null ? whole : models.find((one) => one.label === model), metric);
    if (rate === null) continue;
    const value = rate[bound];
    const holds = value !== null && (side === 'min' ? value >= limit : value <= limit);
    const outcome = value === null ? 'not_decided' : holds ? 'passed' : 'failed';
    recount.compare(['check', 'thresholds', at, 'value'], value);
    recount.compare(['check', 'thresholds', at, 'outcome'], outcome);
  }
  recount.compare(['check', 'unscored_runs'], unscored);
  const result =
    check.not_decided.length > 0 ? 'incomplete' : check.failed.length > 0 ? 'failed' : 'passed';
  recount.compare(['check', 'result'], result);
}

/** A rate of a report or of one of its models; null if it has none of that name. */
function rateIn(
  from: { metrics?: unknown; tasks?: unknown } | undefined,
  metric: string,
): MetricValue | null {
  const found = rates.optional().parse(from?.metrics ?? from?.tasks)?.[metric];
  return metricValue.safeParse(found).data ?? null;
}
