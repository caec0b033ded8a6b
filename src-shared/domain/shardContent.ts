import { z } from 'zod';
import { failureKind, runStatus } from './evaluation.ts';
import { refusedSetting } from './refusedSetting.ts';
import { inlineTool } from './tool.ts';

/** JSON as text, so that numbers keep every digit. */
export const jsonText = z.string();

/** What the runs of a part have of either unit. */
export const sharedShardRun = z.strictObject({
  run_id: z.string(),
  position: z.int(),
  model_id: z.string(),
  repetition: z.int(),
  attempt: z.int(),
  is_current: z.boolean(),
  status: runStatus,
});

/** A run of a part, with all that its numbers are counted from. */
export const shardRun = sharedShardRun.extend({
  failure: failureKind.nullable(),
  error: z.string().nullable(),
  execution_time_ms: z.int().nullable(),
  observation: jsonText.nullable(),
  unreported: jsonText.nullable().optional(),
  score: jsonText.nullable(),
  scorer: z.string().nullable(),
});
export type ShardRun = z.infer<typeof shardRun>;

/** Of what a part hands to `merge`; a part of another version is run again. */
export const shardVersion = 2;

/** A case or task of a part, with its place among those of all parts. */
export const shardEntry = z.strictObject({
  position: z.int(),
  id: z.string(),
  key: z.string(),
  content: jsonText,
});
export type ShardEntry = z.infer<typeof shardEntry>;

/** What the parts of an evaluation share, whether it runs cases or tasks. */
export const sharedShardContent = z.strictObject({
  version: z.literal(shardVersion),
  index: z.int(),
  of: z.int(),
  /** Of all that is merged. */
  seal: z.string().optional(),
  /** How many cases or tasks all parts have together, and the SHA-256 of all of them. */
  planned: z.strictObject({ entries: z.int(), sha256: z.string() }),
  settings: jsonText,
  suite: jsonText,
  models: z.array(
    z.strictObject({
      settings: jsonText,
      price: jsonText.nullable(),
      /** What the endpoint refused; reports of earlier versions lack it. */
      refused: z.array(refusedSetting).optional(),
    }),
  ),
  servers: jsonText,
  tools: z.array(z.strictObject({ tool: jsonText, raw: inlineTool.shape.raw })),
});
export type SharedShardContent = z.infer<typeof sharedShardContent>;

/** What `merge` needs of a part besides the other fields of its report. */
export const shardContent = sharedShardContent
  .extend({
    cases: z.array(shardEntry),
    runs: z.array(shardRun),
  })
  .describe('What `touchstone merge` needs of a part that ran with --shard.');
export type ShardContent = z.infer<typeof shardContent>;

/** The fields of a part's JSON report that are merged, besides its entries and runs. */
export const sharedShardHead = z.object({
  evaluation_id: z.string(),
  suite: z.string(),
  reason: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
});
export const shardHead = sharedShardHead.extend({
  created_at: z.string().nullable(),
  shard: shardContent.omit({ runs: true }).extend({ runs: z.tuple([]) }),
});
export type ShardHead = z.infer<typeof shardHead>;
