import { z } from 'zod';
import { externalRetriever } from './retrievalRun.ts';
import { defaultOverlapWeights, overlapWeights } from './similarity.ts';
import { textModel } from './textModel.ts';

export const themes = ['system', 'light', 'dark'] as const;

export const appSettings = z.object({
  theme: z.enum(themes),
  /** Defaults of a new evaluation. */
  repetitions: z.number().int().min(1).max(100),
  concurrency: z.number().int().min(1).max(256),
  timeout: z.number().int().min(1).max(300),
  temperature: z.number().min(0).max(2),
  maxRetries: z.number().int().min(0).max(10),
  highConfidence: z.number().min(0).max(1),
  /** A pair of tools at or above this similarity is flagged. */
  similarityThreshold: z.number().min(0).max(1),
  /** What the dimensions of an overlap count. */
  overlapWeights,
  /** Writes and judges descriptions where it is asked to; null = none is set up. */
  textModel: textModel.nullable(),
  /** Retrievers outside the program that were understood on a query: at most one of each kind. */
  externalRetrievers: z.array(externalRetriever).max(2),
});
export type AppSettings = z.infer<typeof appSettings>;

export const defaultAppSettings: AppSettings = {
  theme: 'system',
  repetitions: 1,
  concurrency: 8,
  timeout: 30,
  temperature: 0.4,
  maxRetries: 3,
  highConfidence: 0.7,
  similarityThreshold: 0.85,
  overlapWeights: defaultOverlapWeights,
  textModel: null,
  externalRetrievers: [],
};

export const workspaceInfo = z.object({
  version: z.string(),
  host: z.enum(['electron', 'loopback', 'cli']),
  folder: z.string(),
  databaseFile: z.string(),
  databaseBytes: z.number().int(),
  /** Id of the newest migration that the database holds. */
  schemaVersion: z.number().int(),
  sqliteVersion: z.string(),
  nodeVersion: z.string(),
  platform: z.string(),
  /** Hosts that this session has contacted, beside the window itself. */
  contactedHosts: z.array(z.string()),
  /** True where the workspace was opened for reading only. */
  readOnly: z.boolean(),
});
export type WorkspaceInfo = z.infer<typeof workspaceInfo>;

export const logTail = z.object({
  /** Null where this way of running writes none. */
  file: z.string().nullable(),
  /** Oldest first. */
  lines: z.array(z.string()),
});
