import { z } from 'zod';
import { estimate } from './metrics.ts';

export const taskGroupings = ['task', 'tag', 'server', 'difficulty'] as const;
export type TaskGrouping = (typeof taskGroupings)[number];

/** The runs of one model of a task, or of all tasks with a tag, a server, or a difficulty. */
export const taskGroup = z.object({
  by: z.enum(taskGroupings),
  /** The name of the task, the tag, the server, or the difficulty. */
  name: z.string(),
  /** The ids of its tasks. */
  keys: z.array(z.string()),
  scored: z.number().int(),
  notScored: z.number().int(),
  succeeded: z.number().int(),
  success: estimate,
  /** The checks of runs that were judged, those that failed most often first. */
  checks: z.array(
    z.object({
      /** The id of the check; of a group of tasks, the kind of the checks. */
      check: z.string(),
      passed: z.number().int(),
      failed: z.number().int(),
      /** They could not be judged, because a result is missing. */
      unjudged: z.number().int(),
    }),
  ),
  /** Equal failures, the most frequent first; `runId` is one of their runs. */
  failures: z.array(z.object({ cause: z.string(), runs: z.number().int(), runId: z.string() })),
});
export type TaskGroup = z.infer<typeof taskGroup>;

const difficultyPrefix = 'difficulty:';
const difficulties = ['easy', 'medium', 'hard'];

/** The difficulties that tags name: `easy`, `medium`, `hard`, and what follows `difficulty:`. */
export const difficultiesOf = (tags: readonly string[]): string[] => [
  ...new Set(
    tags.flatMap((tag) => {
      if (difficulties.includes(tag)) return [tag];
      const name = tag.startsWith(difficultyPrefix) ? tag.slice(difficultyPrefix.length) : '';
      return name === '' ? [] : [name];
    }),
  ),
];
