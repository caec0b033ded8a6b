import { z } from 'zod';
import { toolReference } from './testCase.ts';

/** What a tool does wrong on purpose. */
export const faultKinds = [
  'error', // it answers with an error, in place of its server
  'rate_limit', // it answers that there were too many requests, in place of its server
  'delay', // it answers late
  'empty', // it answers with lists and texts that are empty
  'wrong_type', // it answers with values of other types
] as const;
export const faultKind = z.enum(faultKinds);
export type FaultKind = z.infer<typeof faultKind>;

/** How long a delay takes if the task says nothing. */
export const defaultDelaySeconds = 3;

/** A fault on purpose: the first calls of a tool in a run go wrong, the same in every run. */
export const taskFault = toolReference
  .extend({
    fault: faultKind,
    /** How many calls of the tool, from the first on, or after those of an earlier fault; absent: 1. */
    calls: z.number().int().min(1).max(1_000).optional(),
    /** Of a delay. */
    seconds: z.number().positive().max(3_600).optional(),
    /** What an error or a rate limit says; absent: a text of its kind. */
    message: z.string().min(1).max(2_000).optional(),
  })
  .superRefine(({ fault, seconds, message }, context) => {
    const report = (text: string) => context.addIssue({ code: 'custom', message: text });
    if (seconds !== undefined && fault !== 'delay') report('seconds needs fault: delay.');
    if (message !== undefined && fault !== 'error' && fault !== 'rate_limit')
      report('message needs fault: error or rate_limit.');
  });
export type TaskFault = z.infer<typeof taskFault>;

/** Seconds that the delays of a run take at most. */
export const delaySeconds = (faults: readonly TaskFault[]): number =>
  faults.reduce(
    (sum, { fault, calls = 1, seconds = defaultDelaySeconds }) =>
      fault === 'delay' ? sum + calls * seconds : sum,
    0,
  );

/** Of each kind of fault that a task has: the calls of a run that it hit. */
export const faultsOfRun = z.array(z.object({ fault: faultKind, calls: z.number().int() }));
export type FaultsOfRun = z.infer<typeof faultsOfRun>;
