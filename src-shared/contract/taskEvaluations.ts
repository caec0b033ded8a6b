import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  otherTaskRun,
  taskEvaluation,
  taskEvaluationRequest,
  taskEvent,
  taskPlan,
  taskRunDetail,
  taskRunRow,
  taskWhatIfChange,
  taskWhatIfRequest,
  trajectoryAlignment,
} from '../domain/taskEvaluation.ts';
import { taskReport } from '../domain/taskReport.ts';
import { taskShardContent, taskShardReport } from '../domain/taskShardContent.ts';
import { toolSnapshot } from '../domain/tool.ts';
import { procedure } from './base.ts';
import { undoToken } from './servers.ts';

const byId = z.strictObject({ id: z.string() });
/** A run by the id of its evaluation and its own. */
const runAddress = z.strictObject({ id: z.string(), runId: z.string() });

/** Evaluations of tasks. They may execute tools, as far as their mode allows. */
export const taskEvaluationsContract = {
  list: procedure
    .input(
      z.strictObject({
        limit: z.number().int().min(1).max(500).default(100),
        /** The what-ifs of this evaluation; null: those that repeat no other one. */
        baseId: z.string().nullable().default(null),
      }),
    )
    .output(z.array(taskEvaluation)),
  get: procedure.input(byId).output(taskEvaluation),
  /** What `start` would run and execute, without doing it. */
  plan: procedure.input(taskEvaluationRequest).output(taskPlan),
  /** Commits the plan and returns the evaluation, which is then accepted but not finished. */
  start: procedure.input(taskEvaluationRequest).output(taskEvaluation),
  /** The frozen tools; null before they are listed. */
  snapshot: procedure.input(byId).output(toolSnapshot.nullable()),
  /** What `whatIf` would run and execute, without doing it, also before anything is changed. */
  planWhatIf: procedure
    .input(taskWhatIfRequest.extend({ changes: z.array(taskWhatIfChange) }))
    .output(taskPlan),
  /**
   * Starts the tasks of an evaluation again with changed tools. Nothing is executed in the mode
   * stub: stubs, and then results of the evaluation for the same arguments, answer the calls.
   */
  whatIf: procedure.input(taskWhatIfRequest).output(taskEvaluation),
  /** What a part of an evaluation hands on to `merge`; null for a whole one. */
  shard: procedure.input(byId).output(taskShardContent.nullable()),
  /**
   * Makes one ended evaluation of the JSON reports of all its parts. INVALID where they are not the
   * parts of one evaluation.
   */
  merge: procedure
    .input(z.strictObject({ parts: z.array(taskShardReport).min(1).max(1000) }))
    .output(taskEvaluation),
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
  run: procedure.input(runAddress).output(taskRunDetail),
  /**
   * What a person says about judge checks of runs, by the id of the run: true if it meets the
   * rubric. Null takes a label back. Without `checkId`, the only judge check of the task is meant.
   */
  label: procedure
    .input(
      z.strictObject({
        labels: z
          .array(
            z.strictObject({
              runId: z.string(),
              checkId: z.string().nullable().default(null),
              label: z.boolean().nullable(),
            }),
          )
          .min(1)
          .max(100_000),
      }),
    )
    .output(z.object({ labels: z.number().int() })),
  /** Runs of the same task with a trajectory, of this and other evaluations, the newest first. */
  otherRuns: procedure.input(runAddress).output(z.array(otherTaskRun)),
  /** The steps of two runs of a task side by side. */
  align: procedure
    .input(z.strictObject({ run: runAddress, reference: runAddress }))
    .output(trajectoryAlignment),
  /** What was sent to the model and received in each step, as text and without secrets. */
  exchanges: procedure
    .input(runAddress)
    .output(z.array(z.object({ request: z.string(), response: z.string() }))),
  remove: procedure.input(byId).output(undoToken),
};
