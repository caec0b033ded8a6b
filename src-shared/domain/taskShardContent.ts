import { z } from 'zod';
import {
  jsonText,
  shardEntry,
  sharedShardContent,
  sharedShardHead,
  sharedShardRun,
} from './shardContent.ts';
import { taskOutcomes } from './task.ts';
import { taskFailure } from './taskEvaluation.ts';

/** A run of a task in a part, with all that its numbers are counted from. */
export const taskShardRun = sharedShardRun.extend({
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

export const taskShardHead = sharedShardHead.extend({
  format: z.literal('touchstone-tasks'),
  shard: taskShardContent.omit({ runs: true }).extend({ runs: z.tuple([]) }),
});
export type TaskShardHead = z.infer<typeof taskShardHead>;
