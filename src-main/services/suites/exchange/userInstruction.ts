import { simulatedUser } from '../../../../src-shared/domain/task.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';

/** What a simulated user says first where a format lets the agent speak first. */
export const greeting = 'Hello, I need your help.';

/** As many replies as a task allows. */
export const maxUserTurns = simulatedUser.shape.maxTurns.maxValue ?? 50;

/** A simulated user as one text: goal, manner, and facts. */
export const userInstruction = ({
  goal,
  persona,
  knows = [],
}: NonNullable<SuiteFileTask['user']>): string =>
  [goal, ...(persona === undefined ? [] : [persona]), ...knows].join('\n');
