import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';

/** An answer that was not asked for now: it cost nothing, and reports count it. */
export const markAsCached = (observation: Observation): Observation => ({
  ...observation,
  details: {
    ...(isJsonObject(observation.details) ? observation.details : {}),
    cached: true,
  },
});
