import { z } from 'zod';

/** What makes the results on a labeled file less telling, although it can be read and scored. */
export const datasetWarning = z.object({
  /** The entry or query that it is about. */
  entry: z.string(),
  reason: z.string(),
  nextStep: z.string(),
});
export type DatasetWarning = z.infer<typeof datasetWarning>;

export const describeWarning = ({ entry, reason, nextStep }: DatasetWarning): string =>
  `${entry}: ${reason} ${nextStep}`;
