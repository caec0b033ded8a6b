import { z } from 'zod';
import {
  evaluationEvent,
  evaluationSettings,
  evaluationWith,
  requestOnly,
  runStatus,
} from './evaluation.ts';
import { checkDifference } from './callDifference.ts';
import { maxJudges } from './judgePromptText.ts';
import { runCause, toolUse } from './taskTools.ts';
import { modelConfiguration } from './model.ts';
import { plannedModel } from './evaluationPlan.ts';
import { price } from './price.ts';
import { faultsOfRun } from './taskFaults.ts';
import { whatIf, whatIfChange } from './whatIf.ts';
import {
  checkResult,
  executionModes,
  taskContent,
  taskOutcomes,
  taskVerdict,
  trajectory,
  type TaskOutcome,
} from './task.ts';

const executionMode = z.enum(executionModes);

/** What a person agreed to before anything is started. No suite or project file can give it. */
export const agreement = {
  /**
   * In `full` mode: every tool of these servers may be executed. A server of the plan that is missing
   * here prevents the start.
   */
  agreedServers: z.array(z.string()).default([]),
  /** In any mode: these programs of the plan may be started. Absent: none. */
  agreedPrograms: z.array(z.string()).optional(),
};
export type Agreement = z.infer<z.ZodObject<typeof agreement>>;

/** What a task evaluation shares with one of test cases, and what it may execute. */
export const taskEvaluationSettings = evaluationSettings
  .pick({
    suiteId: true,
    servers: true,
    models: true,
    repetitions: true,
    firstRepetition: true,
    repetitionsUpTo: true,
    concurrency: true,
    recordFile: true,
    systemPrompt: true,
    serverInstructions: true,
    spendLimitUsd: true,
    gates: true,
    pooledGates: true,
    shard: true,
    client: true,
  })
  .extend({
    /** Only the person who starts it chooses this: a suite can't. */
    mode: executionMode.default('stub'),
    ...agreement,
    /** Where files and programs of the suite are; null: it is not known. */
    folder: z.string().max(4_096).nullable().default(null),
    /** The model that judge checks ask; null: they are not judged. */
    judge: modelConfiguration.nullable().default(null),
    /** Further judges: all of them decide by majority. */
    moreJudges: z
      .array(modelConfiguration)
      .max(maxJudges - 1)
      .default([]),
    /**
     * What the start of an evaluation fixes about its judge, whatever the request says: whether its
     * verdicts count, because people agreed with it often enough, and its price.
     */
    judgeTerms: z
      .object({
        counts: z.boolean(),
        price: price.nullable(),
        /** Those of further judges. */
        morePrices: z.array(price.nullable()).optional(),
        /** The version of their prompt. Absent in evaluations from before there were versions. */
        prompt: z.string().optional(),
      })
      .nullable()
      .default(null),
    /** The model that plays simulated users; null: only the scripted turns are played. */
    userModel: modelConfiguration.nullable().default(null),
    /** The price of that model, fixed at the start; null if it has none. */
    userPrice: price.nullable().default(null),
  });
export type TaskEvaluationSettings = z.infer<typeof taskEvaluationSettings>;

/** How often a person (first) and a judge (second) said yes or no about the same runs. */
export const agreementCounts = z.object({
  bothYes: z.number().int(),
  onlyFirst: z.number().int(),
  onlySecond: z.number().int(),
  bothNo: z.number().int(),
});

/** The settings as stored. */
export const storedTaskSettings = taskEvaluationSettings.extend({
  /** How it repeats the tasks of another evaluation with changed tools; null for any other. */
  whatIf: whatIf.nullable().default(null),
  /**
   * Of an evaluation that was merged: how people agree with its judge, as its parts knew it. Absent:
   * as the labels of the workspace say.
   */
  mergedAgreement: agreementCounts.optional(),
});
export type StoredTaskSettings = z.infer<typeof storedTaskSettings>;

export const taskEvaluationRequest = taskEvaluationSettings.extend(requestOnly);
export type TaskEvaluationRequest = z.infer<typeof taskEvaluationRequest>;

/** The changes that a what-if of tasks can make: servers execute tools by their names. */
export const taskWhatIfChange = z.discriminatedUnion('kind', [
  whatIfChange.options[0],
  whatIfChange.options[1],
  whatIfChange.options[4],
  whatIfChange.options[6],
]);
/** The tasks of an evaluation again, with other texts of its frozen tools, or without some. */
export const taskWhatIfRequest = z.strictObject({
  id: z.string(),
  changes: z.array(taskWhatIfChange).min(1),
  /** Null: all models of the evaluation. */
  modelSettingsId: z.string().nullable().default(null),
  /** As for an evaluation: nothing is executed unless the person who starts it says so. */
  mode: executionMode.default('stub'),
  ...agreement,
});
export type TaskWhatIfRequest = z.infer<typeof taskWhatIfRequest>;

const executableTool = z.object({
  server: z.string(),
  tool: z.string(),
  readOnly: z.boolean(),
  destructive: z.boolean(),
});
export type ExecutableTool = z.infer<typeof executableTool>;

/** What `start` would do, and what a person agrees to. */
export const taskPlan = z.object({
  tasks: z.number().int(),
  runs: z.number().int(),
  mode: executionMode,
  servers: z.array(z.string()),
  /** Tools that the mode executes, as their servers last listed them. */
  executes: z.array(executableTool),
  /** Servers that were never listed, so that nobody knows their tools yet. */
  unlisted: z.array(z.string()),
  /** Servers whose data each run has to itself, so that nothing stays of what it changes. */
  isolated: z.array(z.string()),
  /** Tools that fail on purpose in some task; absent: none does. */
  faults: z.array(z.string()).optional(),
  /** Programs that are started, with the folder in which they work. */
  programs: z.array(z.string()),
  problems: z.array(
    z.object({
      severity: z.enum(['error', 'warning']),
      taskKey: z.string().nullable(),
      /** Where it is in the entry of the task in a suite file; absent: in all of it. */
      path: z.array(z.union([z.string(), z.number()])).optional(),
      message: z.string(),
    }),
  ),
  /** What each model would be sent, and after them the judge, if a check asks it. */
  models: z.array(plannedModel),
  /** Null if one of them has no price or no estimate, or if none is asked. */
  costUsd: z.number().nullable(),
  /** Cases of the suite, which don't run with its tasks; absent: none. */
  leftOut: z.int().optional(),
});
export const executionPlan = taskPlan.pick({
  mode: true,
  servers: true,
  executes: true,
  unlisted: true,
  isolated: true,
  faults: true,
  programs: true,
});
export type ExecutionPlan = z.infer<typeof executionPlan>;
/** What a plan says without prices and tokens. */
export type TaskPlanFacts = Omit<TaskPlan, 'models' | 'costUsd' | 'leftOut'>;
export type TaskPlan = z.infer<typeof taskPlan>;

export type TaskOutcomeCounts = Record<TaskOutcome | 'not_run', number>;
export const taskOutcomeCounts = z.object(
  Object.fromEntries([...taskOutcomes, 'not_run'].map((name) => [name, z.number().int()])) as {
    [Name in TaskOutcome | 'not_run']: z.ZodNumber;
  },
);
export const emptyTaskOutcomes = (): TaskOutcomeCounts =>
  Object.fromEntries(
    [...taskOutcomes, 'not_run'].map((name) => [name, 0]),
  ) as unknown as TaskOutcomeCounts;

export const taskEvaluation = evaluationWith(storedTaskSettings, taskOutcomeCounts);
export type TaskEvaluation = z.infer<typeof taskEvaluation>;

const taskAttack = z.object({
  technique: z.string(),
  /** A call after the model read the instruction has the tool and the argument of the canary. */
  followed: z.boolean(),
  /**
   * The model replied to a result with the instruction. Absent in runs of versions that didn't know
   * it: those count as exposed.
   */
  exposed: z.boolean().optional(),
});
export type TaskAttack = z.infer<typeof taskAttack>;

/** Counts of one run: see `trajectoryFacts`. */
export const taskFacts = z.object({
  steps: z.number().int(),
  calls: z.number().int(),
  tokens: z.number().int().nullable(),
  /** Absent in runs of versions that didn't know the prompt cache. */
  cacheRead: z.number().int().optional(),
  cacheWrite: z.number().int().optional(),
  cost: z.number().nullable(),
  /** US dollars for the judge, which are not part of `cost`; null if the price is unknown. Absent: no judge. */
  judgeCost: z.number().nullable().optional(),
  /**
   * The simulated user: its replies, the tokens and US dollars of its model, which are no part of
   * `tokens` and `cost`; null if unknown. Absent: none was asked.
   */
  user: z
    .object({
      /** The label of that model. */
      model: z.string(),
      turns: z.number().int(),
      tokens: z.number().int().nullable(),
      cost: z.number().nullable(),
    })
    .optional(),
  /**
   * Everything that the run was paid for: model, simulated user and judge, also replies that could
   * not be used. `usd` is null if a price or a count is missing; `unanswered` requests gave no count,
   * so that they may have been billed too. Absent in runs of versions that didn't know it.
   */
  spend: z
    .object({ usd: z.number().nullable(), unanswered: z.number().int().nonnegative() })
    .optional(),
  elapsedMs: z.number(),
  neededCalls: z.number().int().nullable(),
  toolErrors: z.number().int(),
  repeatedCalls: z.number().int(),
  unusedCalls: z.number().int(),
  unwantedEffects: z.number().int(),
  /** What of its calls was read otherwise than the endpoint wrote it. Absent: nothing. */
  callNotes: z.array(z.string()).optional(),
  attack: taskAttack.nullable(),
  /** Absent: the task has no faults on purpose. */
  faults: faultsOfRun.optional(),
});
export type TaskFacts = z.infer<typeof taskFacts>;

/** Why a run is not scored: a stage of the run, or what kept it from running. */
const taskFailures = [
  'mode', // its checks or its setup need tools that the mode doesn't execute
  'server', // a server could not list its tools
  'check', // a check can't be evaluated: it names a tool that isn't listed, or didn't finish
  'environment', // a server could not be started or reached
  'setup',
  'provider', // the model's service failed
  'agent', // the agent crashed, hung, or could not work
  'model', // a reply that can't be used
  'user', // the model that plays the user gave no reply
  'tool',
  'state',
  'judge', // a judge whose verdict counts gave none
  'no_check', // no check of the task decides
  'interrupted', // the program ended while the run was under way
  'cancelled', // the user stopped the evaluation
  'internal', // our own fault
] as const;
export const taskFailure = z.enum(taskFailures);
export type TaskFailure = z.infer<typeof taskFailure>;

export const taskRunRow = z.object({
  runId: z.string(),
  taskId: z.string(),
  taskKey: z.string(),
  taskName: z.string(),
  modelSettingsId: z.string(),
  position: z.number().int(),
  repetition: z.number().int(),
  attempt: z.number().int(),
  status: runStatus,
  /** Null: it has not ended. */
  outcome: z.enum(taskOutcomes).nullable(),
  /** Why it did not succeed: the first failed check, the limit, the loop, or the error. */
  reason: z.string().nullable(),
  /** The check behind a failure, such as `state` and the tool that it reads. */
  failedCheck: z.string().nullable(),
  /** Every check with its verdict; empty for a run that was not judged. */
  checks: z.array(checkResult),
  /** What each failed check expected and found; empty unless the run is scored and failed. */
  differences: z.array(checkDifference),
  failure: taskFailure.nullable(),
  facts: taskFacts.nullable(),
  /** Null: it has no steps. */
  toolUse: toolUse.nullable(),
  /** What the model did; null: the run has not failed. */
  cause: runCause.nullable(),
});
export type TaskRunRow = z.infer<typeof taskRunRow>;

export const taskRunDetail = taskRunRow.extend({
  content: taskContent,
  /** Null: it has not ended. */
  trajectory: trajectory.nullable(),
  verdict: taskVerdict.nullable(),
  /** Which calls equal an earlier one, by the indexes of their step and of the call in it. */
  repeats: z.array(z.object({ step: z.number().int(), call: z.number().int() })),
  /** What people said about its judge checks. */
  labels: z.array(z.object({ checkId: z.string(), label: z.boolean() })),
  /** What judges were asked about it, by check; none where their prompt is another one today. */
  judgeQuestions: z.array(z.object({ checkId: z.string(), system: z.string(), query: z.string() })),
});

export type TaskRunDetail = z.infer<typeof taskRunDetail>;

/** Another run of the same task, to compare with. */
export const otherTaskRun = z.object({
  evaluationId: z.string(),
  number: z.number().int(),
  runId: z.string(),
  model: z.string(),
  repetition: z.number().int(),
  outcome: z.enum(taskOutcomes),
  createdAt: z.string(),
});
export type OtherTaskRun = z.infer<typeof otherTaskRun>;

/**
 * How a step compares with that of another run: the same calls, the same tools with other
 * arguments, other tools, or a step that only one of the two has.
 */
const stepRelations = ['same', 'arguments', 'tools', 'run_only', 'reference_only'] as const;
export type StepRelation = (typeof stepRelations)[number];

/** Two trajectories side by side, in the order of both. */
export const trajectoryAlignment = z.object({
  rows: z.array(
    z.object({
      relation: z.enum(stepRelations),
      turn: z.number().int(),
      /** Indexes of the steps; null where a run has none. */
      run: z.number().int().nullable(),
      reference: z.number().int().nullable(),
    }),
  ),
  /** Index of the first row that is not the same; null if all are. */
  first: z.number().int().nullable(),
});
export type TrajectoryAlignment = z.infer<typeof trajectoryAlignment>;

const head = { seq: z.number().int(), at: z.string() };
export const taskEvent = z.discriminatedUnion(
  'type',
  (([planned, ingested, , resumed, , ended]) =>
    [
      planned,
      ingested,
      z.object({
        ...head,
        type: z.literal('runs'),
        outcomes: z.array(z.object({ runId: z.string(), outcome: z.enum(taskOutcomes) })),
      }),
      resumed,
      ended,
    ] as const)(evaluationEvent.options),
);
export type TaskEvent = z.infer<typeof taskEvent>;
