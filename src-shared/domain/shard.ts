import { z } from 'zod';

/** One of several parts of an evaluation that run apart and are merged: `2/4` is the second of four. */
export const shard = z
  .strictObject({
    /** From 1. */
    index: z.number().int().min(1),
    of: z.number().int().min(2).max(1000),
  })
  .refine(({ index, of }) => index <= of, 'A part has a number from 1 to the number of parts.');
export type Shard = z.infer<typeof shard>;

/** Cases are dealt out in turn, so that neighbors, which are often alike, are spread evenly. */
export const isInShard = (position: number, { index, of }: Shard): boolean =>
  position % of === index - 1;

export const casesInShard = (cases: number, { index, of }: Shard): number =>
  Math.max(0, Math.ceil((cases - index + 1) / of));

/** Why an evaluation of a part has runs that were never started. */
export const shardReason = ({ index, of }: Shard): string =>
  `This is part ${index} of ${of}; the other runs belong to other parts.`;
