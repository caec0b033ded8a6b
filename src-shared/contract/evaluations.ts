import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  evaluation,
  evaluationEvent,
  evaluationRequest,
  evaluationSettings,
  evaluationSummary,
  runDetail,
  runFilter,
  runRow,
} from '../domain/evaluation.ts';
import { evaluationPlan } from '../domain/evaluationPlan.ts';
import { evaluationUnits } from '../domain/gate.ts';
import { jsonValue } from '../domain/json.ts';
import { sentToolsOfModel } from '../domain/sentTools.ts';
import { suiteFile } from '../domain/suiteFile.ts';
import { argumentsMode } from '../domain/testCase.ts';
import { inlineTool, rejectedTool, toolSnapshot } from '../domain/tool.ts';
import { runSorts, taskRunSorts } from '../domain/runSorts.ts';
import { whatIfChange } from '../domain/whatIf.ts';
import { listingChanges } from './servers.ts';
import { setupCall } from '../domain/task.ts';
import {
  executionPlan,
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
import { taskShardContent } from '../domain/taskShardContent.ts';
import { procedure } from './base.ts';
import { byUnit, type Answered, type Called } from './byUnit.ts';
import { undoToken } from './servers.ts';

/** A larger tools file is rejected before it is parsed. */
const maxToolsFileLength = 64 * 1024 * 1024;

const byId = z.strictObject({ id: z.string() });
/** Without a unit, an evaluation of cases is meant. */
const byIdOfUnit = byId.extend({ unit: z.enum(evaluationUnits).optional() });
const runAddress = byId.extend({ runId: z.string() });
const afterSeq = byId.extend({ afterSeq: z.number().int().min(0).default(0) });
const maxListed = z.number().int().min(1).max(500).default(100);

const runList = byId.extend({
  filter: runFilter.default({}),
  sort: z.enum(runSorts).default('position'),
  descending: z.boolean().default(false),
});
const taskRunList = byId.extend({
  sort: z.enum(taskRunSorts).default('position'),
  descending: z.boolean().default(false),
});
const page = { offset: z.number().int().min(0).default(0), limit: maxListed };
const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), total: z.number().int() });

/** How one server's frozen tools differ from one of its listings. */
const toolChange = z.object({
  server: z.string(),
  serverId: z.string().nullable(),
  /**
   * `before`: compared with the last listing before the tools were frozen. `during`: compared with
   * the first different listing while the evaluation ran or when it ended.
   */
  when: z.enum(['before', 'during']),
  /** When that listing was made. */
  seenAt: z.string(),
  /** Changes from the earlier to the later state. */
  changes: listingChanges,
});
export type ToolChange = z.infer<typeof toolChange>;

const askAgain = byId.extend({
  modelSettingsId: z.string(),
  /** Ids of the cases or tasks, as their suite has them. */
  keys: z.array(z.string()).min(1).max(100_000),
  /** How many repetitions each has in the end, those of the evaluation included. */
  upTo: z.number().int().min(2).max(100),
});
export type AskAgain = z.infer<typeof askAgain>;

/** They are read run by run, because together they can be larger than memory. */
const partFiles = z.strictObject({ files: z.array(z.string().min(1)).min(1).max(1000) });

const both = {
  list: byUnit(
    [
      z.strictObject({
        suiteId: z.string().optional(),
        limit: maxListed,
        /**
         * `originals`: the limit counts evaluations that people started for their own sake, and
         * the derived ones since then come along. Not for one suite.
         */
        limitOf: z.enum(['all', 'originals']).optional(),
      }),
      z.array(evaluation),
    ],
    [
      z.strictObject({
        limit: maxListed,
        /** The what-ifs of this evaluation; null: those that repeat no other one. */
        baseId: z.string().nullable().default(null),
      }),
      z.array(taskEvaluation),
    ],
  ),
  get: byUnit([byId, evaluation], [byId, taskEvaluation]),
  /** What `start` would run, and execute, without doing it. */
  plan: byUnit([evaluationRequest, evaluationPlan], [taskEvaluationRequest, taskPlan]),
  /** Commits the plan and returns the evaluation, which is then accepted but not finished. */
  start: byUnit([evaluationRequest, evaluation], [taskEvaluationRequest, taskEvaluation]),
  /**
   * Repeats an evaluation's frozen cases or tasks on its frozen tools with changes. Comparing the two
   * shows what flips. Of tasks, nothing is executed in the mode stub: stubs, and then results of the
   * evaluation for the same arguments, answer the calls.
   */
  whatIf: byUnit(
    [
      byId.extend({
        /** Null = all models of the evaluation. */
        modelSettingsId: z.string().nullable().default(null),
        changes: z.array(whatIfChange).min(1, 'Change at least one tool.').max(1000),
        repetitions: z.number().int().min(1).max(100).optional(),
        /** Replaces the limit of the evaluation; if missing, that one holds. */
        spendLimitUsd: evaluationSettings.shape.spendLimitUsd.unwrap().optional(),
      }),
      evaluation,
    ],
    [taskWhatIfRequest, taskEvaluation],
  ),
  /**
   * Asks one model some cases or tasks of an ended evaluation again, on its frozen tools, as further
   * repetitions. They count only where a check compares these cases with a baseline.
   */
  askAgain: byUnit([askAgain, evaluation], [askAgain, taskEvaluation]),
  /**
   * Makes one ended evaluation of the JSON reports of all its parts, which are files. INVALID where they are not the
   * parts of one evaluation.
   */
  merge: byUnit([partFiles, evaluation], [partFiles, taskEvaluation]),
  cancel: byUnit([byId, evaluation], [byId, taskEvaluation]),
  /** Runs again what is not scored; a task from its start. */
  resume: byUnit([byId, evaluation], [byId, taskEvaluation]),
  /**
   * Every event after `afterSeq`, in order; ends after `ended`. A reader that falls behind gets
   * LAGGED and can resume.
   */
  watch: byUnit(
    [afterSeq, eventIterator(evaluationEvent)],
    [afterSeq, eventIterator(taskEvent)],
    eventIterator(z.union([evaluationEvent, taskEvent])),
  ),
  runs: byUnit(
    [runList.extend(page), pageOf(runRow)],
    [taskRunList.extend(page), pageOf(taskRunRow)],
  ),
  run: byUnit([runList.extend({ runId: z.string() }), runDetail], [runAddress, taskRunDetail]),
  /** The frozen tools; null before they are listed. */
  snapshot: procedure.input(byIdOfUnit).output(toolSnapshot.nullable()),
  /**
   * Servers whose tools changed since they were last seen before the evaluation, or while it ran.
   * These mark its runs.
   */
  toolChanges: procedure.input(byIdOfUnit).output(z.array(toolChange)),
  remove: procedure.input(byIdOfUnit).output(undoToken),
};

const ofCases = {
  /**
   * Like `plan`, with input tokens counted by the models' endpoints that can: one request per list
   * of servers, which no model answers.
   */
  countPlan: procedure.input(evaluationRequest).output(evaluationPlan),
  /** Reads a tools file for a what-if. Nothing is written. */
  readTools: procedure
    .input(
      z.strictObject({
        fileName: z.string().max(1000),
        text: z.string().max(maxToolsFileLength),
      }),
    )
    .output(z.object({ tools: z.array(inlineTool), rejected: z.array(rejectedTool) })),
  /**
   * Runs the case of one run again with the same model on the same frozen tools, as a new
   * evaluation.
   */
  rerunCase: procedure.input(runAddress).output(evaluation),
  summary: procedure
    .input(z.strictObject({ id: z.string(), modelSettingsId: z.string().nullable().default(null) }))
    .output(evaluationSummary),
  /** Index of a run in the list; null if the filter excludes it. */
  runPlace: procedure
    .input(runList.extend({ runId: z.string() }))
    .output(z.object({ index: z.number().int().nullable() })),
  /**
   * What an evaluation runs, and its ID and number: by its ID, its number (14, #14), or as tasks:3,
   * the number that one of tasks had while they were numbered apart.
   */
  unitOf: procedure
    .input(byId)
    .output(z.object({ unit: z.enum(evaluationUnits), id: z.string(), number: z.number().int() })),
  /**
   * What each model was sent of the frozen tools, and what of them was left out or changed. Empty
   * until they are frozen.
   */
  sentTools: procedure.input(byId).output(z.array(sentToolsOfModel)),
  rescore: procedure
    .input(
      z.strictObject({
        id: z.string(),
        highConfidence: z.number().min(0).max(1).optional(),
        /** Cases whose suite or own setting names a mode keep it. */
        argumentsMode: argumentsMode.optional(),
        /**
         * `suite`: uses the current expectations of the suite for cases whose query is unchanged.
         */
        expectations: z.enum(['frozen', 'suite']).optional(),
        /** Uses the expectations of this file instead. */
        suite: suiteFile.optional(),
      }),
    )
    .output(evaluationSummary),
  deleteRawTraffic: procedure.input(byId).output(z.object({ runs: z.number().int() })),
};

/** The tool of a state check, after the calls that prepare its task. */
const reading = z.strictObject({ setup: z.array(setupCall).max(1000), read: setupCall });

/** They may execute tools, as far as their mode allows. */
const ofTasks = {
  /**
   * What `readState` would execute: the setup and the reading tool, in mode read-only if all of them
   * are marked so, else in full.
   */
  planReading: procedure.input(reading).output(executionPlan),
  /**
   * What a state check would look at before a model has done anything, on servers of its own as in a
   * run. Nothing is stored. INVALID without an agreement to a plan in mode full.
   */
  readState: procedure
    .input(reading.extend({ agreedServers: z.array(z.string()).default([]) }))
    .output(z.object({ value: jsonValue, isError: z.boolean() })),
  /** What `whatIf` would run and execute, without doing it, also before anything is changed. */
  planWhatIf: procedure
    .input(taskWhatIfRequest.extend({ changes: z.array(taskWhatIfChange) }))
    .output(taskPlan),
  /** What a part of an evaluation hands on to `merge`; null for a whole one. */
  shard: procedure.input(byId).output(taskShardContent.nullable()),
  /** The numbers and every run without its trajectory. */
  report: procedure.input(byId).output(taskReport),
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
  /**
   * Makes the calls of a run that succeeded the solution of its task, after trying them without a
   * model. INVALID if they don't pass its checks again. Of a suite that is a file, nothing is kept.
   */
  keepSolution: procedure
    .input(runAddress)
    .output(z.object({ task: z.string(), isKept: z.boolean(), solution: z.array(setupCall) })),
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
};

export const evaluationsContract = { ...both, ...ofCases, ...ofTasks };
export type BothUnits = keyof typeof both;

/** The topic as callers and as services of one unit see it. */
export interface UnitTopics {
  called: {
    case: Called<typeof both, 'case'> & typeof ofCases;
    task: Called<typeof both, 'task'> & typeof ofTasks;
  };
  answered: {
    case: Answered<typeof both, 'case'> & typeof ofCases;
    task: Answered<typeof both, 'task'> & typeof ofTasks;
  };
}
