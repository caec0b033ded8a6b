import { z } from 'zod';
import { evaluationUnits } from './gate.ts';
import { estimate } from './metrics.ts';
import { outcome, outcomeCounts } from './outcomeSchema.ts';
import { taskOutcomes } from './task.ts';
import { taskOutcomeCounts } from './taskEvaluation.ts';

const model = {
  /** `provider · model`: settings that differ in nothing of it are one model. */
  model: z.string(),
  /** The results that the outcomes come from, the newest first. */
  results: z.array(z.object({ id: z.string(), number: z.number().int() })),
  /** Cases or tasks that have an outcome and were not changed since. */
  entries: z.number().int(),
  /** Cases or tasks that were changed since their last run. Their runs are not counted. */
  changed: z.number().int(),
  /** Passed of scored runs with the interval over cases or tasks, as of a result. */
  rate: estimate,
};

/** What one model did last with the cases or the tasks of a suite. Counts are runs. */
const lastOutcomesOfModel = z.discriminatedUnion('unit', [
  z.object({ unit: z.literal('case'), ...model, outcomes: outcomeCounts }),
  z.object({ unit: z.literal('task'), ...model, outcomes: taskOutcomeCounts }),
]);
export type LastOutcomesOfModel = z.infer<typeof lastOutcomesOfModel>;

const lastOutcome = z.object({
  model: z.string(),
  evaluationId: z.string(),
  number: z.number().int(),
  /** The first run that failed, else the first. */
  runId: z.string(),
  /** Of that run. */
  outcome: z.union([outcome, z.enum(taskOutcomes)]),
  passed: z.number().int(),
  scored: z.number().int(),
  /** True if the case or task was changed since. */
  changed: z.boolean(),
});
export type LastOutcome = z.infer<typeof lastOutcome>;

/** The last outcome of each case and task of a suite with each model. */
export const lastOutcomes = z.object({
  /** Ended results of the suite. Derived ones don't count. */
  results: z.number().int(),
  models: z.array(lastOutcomesOfModel),
  /** By ID of the case or task. Those that never ran are left out. */
  entries: z.array(
    z.object({ id: z.string(), unit: z.enum(evaluationUnits), last: z.array(lastOutcome) }),
  ),
});
export type LastOutcomes = z.infer<typeof lastOutcomes>;
