import type { TaskEnd } from '../../../src-shared/domain/task.ts';

type Stage = Extract<TaskEnd, { by: 'infrastructure' }>['stage'];

/** The end of a run that something other than its model broke off. */
export const broken = (stage: Stage, message: string): TaskEnd => ({
  by: 'infrastructure',
  stage,
  message,
});
