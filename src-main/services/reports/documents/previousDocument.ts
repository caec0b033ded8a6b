import { z } from 'zod';
import type { PreviousChange } from '../../../../src-shared/domain/verdict.ts';
import { published } from './published.ts';

export const reportedChange = published<PreviousChange>()({
  evaluation_id: z.string(),
  number: z.int(),
  model: z.string().nullable().describe('Null if it is the only one on both sides.'),
  shared_cases: z.int().describe('Unchanged cases or tasks that both scored.'),
  fixed: z.int(),
  broken: z.int(),
  passed_difference: z.int().describe('fixed − broken'),
  within_noise: z.boolean(),
})
  .nullable()
  .describe('The change since the previous evaluation of the suite, of this model alone.');
