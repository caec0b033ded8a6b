import { z } from 'zod';
import { runStatus } from './evaluation.ts';
import { jsonText, shardEntry, sharedShardContent } from './shardContent.ts';
import { taskOutcomes } from './task.ts';
import { taskFailure } from './taskEvaluation.ts';

/** A run of a task in a part, with all that its numbers are counted from. */
export const taskShardRun = z.strictObject({
  run_id: z.string(),
  position: z.int(),
  model_id: z.string(),
  repetition: z.int(),
  attempt: z.int(),
  is_current: z.boolean(),
  status: runStatus,
  outcome: z.enum(taskOutcomes).nullable(),
  failure: taskFailure.nullable(),
  error: z.string().nullable(),
  trajectory: jsonText.nullable(),
  verdict: jsonText.nullable(),
  facts: jsonText.nullable(),
});
export type TaskShardRun = z.infer<typeof taskShardRun>;

/** What `merge` needs of a part that ran tasks, besides the other fields of its report. */
export const taskShardContent = sharedShardContent
  .extend({
    tasks: z.array(shardEntry),
    /** How people agree with the judge, as the workspace of the part knew it; null without a judge. */
    agreement: jsonText.nullable(),
    runs: z.array(taskShardRun),
  })
  .describe('What `touchstone merge` needs of a part that ran with --shard.');
export type TaskShardContent = z.infer<typeof taskShardContent>;

/** The fields of a part's JSON report that are merged, besides its runs. */
export const taskShardHead = z.object({
  format: z.literal('touchstone-tasks'),
  evaluation_id: z.string(),
  suite: z.string(),
  reason: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  shard: taskShardContent.omit({ runs: true }).extend({ runs: z.tuple([]) }),
});
export type TaskShardHead = z.infer<typeof taskShardHead>;
