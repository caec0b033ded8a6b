import { z } from 'zod';
import { estimate } from '../../../../src-shared/domain/metrics.ts';
import { taskGroupings, type TaskGroup } from '../../../../src-shared/domain/taskGroup.ts';
import { published } from './published.ts';

/** The runs of one model by task, tag, server or difficulty. */
export const groupDocument = published<TaskGroup>()({
  by: z.enum(taskGroupings),
  name: z.string(),
  tasks: [z.array(z.string()).describe('The ids of its tasks.'), 'keys'],
  scored: z.int(),
  not_scored: z.int(),
  succeeded: z.int(),
  success_rate: [
    estimate.describe(
      'succeeded ÷ scored: of one task with Wilson’s interval, of several with tasks as clusters',
    ),
    'success',
  ],
  checks: z
    .array(
      z.strictObject({
        check: z.string(),
        passed: z.int(),
        failed: z.int(),
        unjudged: z.int(),
      }),
    )
    .describe('By the id of the check for one task, by the kind of check for several.'),
  failures: z
    .array(
      published<TaskGroup['failures'][number]>()({
        cause: z.string(),
        runs: z.int(),
        run_id: z.string().describe('One of these runs.'),
      }),
    )
    .describe('Equal failures.'),
});
