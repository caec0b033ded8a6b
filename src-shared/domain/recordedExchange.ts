import { z } from 'zod';
import { jsonValue } from './json.ts';
import { modelSettings } from './model.ts';
import { observation } from './observation.ts';
import { taskCheck, trajectory } from './task.ts';

/**
 * A line of a recording: request, response and the observation read from it, so that a replay gives
 * the same result without the model.
 */
export const recordedExchange = z.object({
  key: z.string(),
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
  task: recordedRun,
});
export type RecordedTask = z.infer<typeof recordedTask>;
