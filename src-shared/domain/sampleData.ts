import { z } from 'zod';

/** What is left in the workspace of the data that Touchstone brings along. */
export const sampleData = z.object({
  servers: z.array(z.string()),
  suites: z.array(z.string()),
  /** The evaluation that was run for the sample, until it is deleted. */
  evaluation: z.object({ id: z.string(), number: z.number().int() }).nullable(),
  /** True until that evaluation has ended, also before it has begun. */
  evaluating: z.boolean(),
  /** True where something is missing that `addSample` would add. */
  addable: z.boolean(),
});
export type SampleData = z.infer<typeof sampleData>;

/** The newest of a person's own servers or suites; undefined where all are of the sample. */
export const newestOwn = <T extends { name: string; createdAt: string }>(
  all: readonly T[],
  ofSample: readonly string[],
): T | undefined =>
  all
    .filter(({ name }) => !ofSample.includes(name))
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))[0];
