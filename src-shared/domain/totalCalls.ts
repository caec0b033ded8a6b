import { z } from 'zod';

const count = z.number().int().min(0).max(10_000);
/** How many calls a run makes, of any tool. */
export const totalCalls = z
  .strictObject({ at_least: count.optional(), at_most: count.optional() })
  .refine(
    ({ at_least: least, at_most: most }) => least !== undefined || most !== undefined,
    'A total has at_least, at_most, or both.',
  )
  .refine(
    ({ at_least: least = 0, at_most: most = least }) => least <= most,
    'at_least is greater than at_most, so no number of calls is right.',
  );
