import { z } from 'zod';
import { jsonValue } from './json.ts';
import { modelSettings } from './model.ts';
import { observation } from './observation.ts';

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
