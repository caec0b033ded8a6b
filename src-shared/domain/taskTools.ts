import { z } from 'zod';
import { taskLimits, type CallAnswer } from './task.ts';

/**
 * The first step of a run that went wrong, where the tool of that step is known: from the order of
 * its checks, or from a run of the same task that succeeded.
 */
const firstWrongStep = z.object({
  /** Index of the step. */
  step: z.number().int(),
  /** Id of the tool that was expected there; null: no tool, because the check forbids the call. */
  expected: z.string().nullable(),
  /** Id of the called tool, or the name of one that was not offered; null: no tool was called. */
  called: z.string().nullable(),
  by: z.enum(['check', 'reference']),
});
export type FirstWrongStep = z.infer<typeof firstWrongStep>;

/** What a model did that made a run fail: see `causeOfRun`. */
export const runCauseKinds = [
  'wrong_tool', // called `called` where `tool` is needed
  'stopped_early', // the last call is `called`, and `tool` never follows
  'called_nothing',
  'missed_call', // `tool` is left out on the way, or called too rarely
  'answered_without', // `tool` only reads, and the model answered without it
  'wrong_arguments', // of `tool`; every needed call was made
  'wrong_order',
  'forbidden_call',
  'unneeded_call',
  'wrong_result', // the needed calls are not known, and the last change is `called`
  'wrong_answer',
  'not_recovered', // a fault on purpose failed `tool`, and it was never called again
  'judged', // a judge whose verdict counts says no
  'hidden_tool', // a client hides `tool`, which the checks require: no model could call it
  'loop',
  'limit',
  'refused',
  'no_answer',
] as const;
export type RunCauseKind = (typeof runCauseKinds)[number];
export const runCause = z.object({
  kind: z.enum(runCauseKinds),
  /** The tool at fault: its call is missing, or wrong. Null: none is known. */
  tool: z.string().nullable(),
  /** What was called in its place or last; null: nothing. */
  called: z.string().nullable(),
  /** The limit that the run reached. */
  limit: taskLimits.keyof().optional(),
});
export type RunCause = z.infer<typeof runCause>;

const runTool = z.object({
  /** `server:tool`, or the name alone if no offered tool has it. */
  tool: z.string(),
  /** A check of the task requires a call. */
  needed: z.boolean(),
  calls: z.number().int(),
  /** Calls whose result is an error, or that got no answer. */
  errors: z.number().int(),
  /** Calls that were sent to the server. */
  sent: z.number().int(),
  /** Calls that were sent and got no answer. */
  unanswered: z.number().int(),
  /** Those of them during which the server or its connection ended. */
  crashes: z.number().int(),
  /** Of all calls that were sent, including the wait for an answer that never came. */
  timeMs: z.number(),
});
export type RunTool = z.infer<typeof runTool>;

/** What a run did with tools, and where it first went wrong. */
export const toolUse = z.object({
  tools: z.array(runTool),
  /** True if the tools that the run should call are known. */
  stepsKnown: z.boolean(),
  firstWrong: firstWrongStep.nullable(),
});
export type ToolUse = z.infer<typeof toolUse>;

/** A call of a run without its result. */
export interface MadeCall {
  server: string | null;
  /** Null: the model called a tool that was not offered. */
  tool: string | null;
  name: string;
  /** The start of its arguments as JSON, enough to tell two calls apart; null: unreadable ones. */
  given: string | null;
  answeredBy: CallAnswer;
  isError: boolean;
  durationMs: number;
}
