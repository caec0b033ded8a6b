import { z } from 'zod';
import { jsonValue } from './json.ts';
import { modelSettings } from './model.ts';
import { observation } from './observation.ts';
import { refusedSetting } from './refusedSetting.ts';
import { executionModes, taskCheck, trajectory } from './task.ts';
import { inlineTool, serverListing } from './tool.ts';

/**
 * A line of a recording: request, response and the observation read from it, so that a replay gives
 * the same result without the model.
 */
export const recordedExchange = z.object({
  key: z.string(),
  /** The key without tools and repetition. */
  question: z.string().optional(),
  /** The key of the list of tools that were offered. */
  toolsKey: z.string().optional(),
  /** That list, with the first exchange that has it: server, name and hash of each tool. */
  tools: z.array(z.tuple([z.string(), z.string(), z.string()])).optional(),
  /** The model's name, regardless of who serves it. */
  model: z.string(),
  wireApi: z.string(),
  sent: modelSettings.shape.sent,
  request: z.record(z.string(), jsonValue),
  response: jsonValue,
  observation,
  /** How long the model took, so that a replay reports the measured latency. */
  elapsedMs: z.number().nonnegative(),
});
export type RecordedExchange = z.infer<typeof recordedExchange>;

/** What happened in one run of a task, with every request and reply. */
const recordedRun = z.object({
  trajectory,
  exchanges: z.array(z.object({ request: z.string(), response: z.string() })),
  /** The checks whose states were read. */
  checks: z.array(taskCheck),
});
export type RecordedRun = z.infer<typeof recordedRun>;

/** A line of a recording that holds a whole run of a task, so that it needs no server either. */
export const recordedTask = z.object({
  ...recordedExchange.pick({ key: true, model: true, wireApi: true, sent: true }).shape,
  /** What the endpoint had refused by then. */
  refused: z.array(refusedSetting).optional(),
  /** What could be executed. */
  mode: z.enum(executionModes),
  task: recordedRun,
});
export type RecordedTask = z.infer<typeof recordedTask>;

/** What servers listed when runs of tasks were recorded, so that a replay asks no server. */
const recordedTools = z.object({
  servers: z.array(serverListing),
  tools: z.array(inlineTool),
});
export type RecordedTools = z.infer<typeof recordedTools>;

/** A line of a recording that holds the tools of the runs after it. */
export const recordedOffer = z.object({ key: z.literal('tools'), offered: recordedTools });
export type RecordedOffer = z.infer<typeof recordedOffer>;
