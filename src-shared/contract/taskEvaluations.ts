import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  taskEvaluation,
  taskEvaluationRequest,
  taskEvent,
  taskPlan,
  taskRunDetail,
  taskRunRow,
} from '../domain/taskEvaluation.ts';
import { taskReport } from '../domain/taskReport.ts';
import { procedure } from './base.ts';
import { undoToken } from './servers.ts';

const byId = z.strictObject({ id: z.string() });

/** Evaluations of tasks. They may execute tools, as far as their mode allows. */
export const taskEvaluationsContract = {
  list: procedure
    .input(z.strictObject({ limit: z.number().int().min(1).max(500).default(100) }))
    .output(z.array(taskEvaluation)),
  get: procedure.input(byId).output(taskEvaluation),
  /** What `start` would run and execute, without doing it. */
  plan: procedure.input(taskEvaluationRequest).output(taskPlan),
  /** Commits the plan and returns the evaluation, which is then accepted but not finished. */
  start: procedure.input(taskEvaluationRequest).output(taskEvaluation),
  cancel: procedure.input(byId).output(taskEvaluation),
  /** Runs again what is not scored, from the start. */
  resume: procedure.input(byId).output(taskEvaluation),
  /** Every event after `afterSeq`, in order; ends after `ended`. */
  watch: procedure
    .input(z.strictObject({ id: z.string(), afterSeq: z.number().int().min(0).default(0) }))
    .output(eventIterator(taskEvent)),
  /** The numbers and every run without its trajectory. */
  report: procedure.input(byId).output(taskReport),
  runs: procedure.input(byId).output(z.array(taskRunRow)),
  run: procedure.input(z.strictObject({ id: z.string(), runId: z.string() })).output(taskRunDetail),
  /** What was sent to the model and received in each step, as text and without secrets. */
  exchanges: procedure
    .input(z.strictObject({ id: z.string(), runId: z.string() }))
    .output(z.array(z.object({ request: z.string(), response: z.string() }))),
  remove: procedure.input(byId).output(undoToken),
};
