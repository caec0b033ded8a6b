import { askedAgain } from './askedAgain.ts';
import { sentToolsOfModel } from './sentTools.ts';
import { z } from 'zod';
import { estimate, rateEnds } from './metrics.ts';
import { taskGroup } from './taskGroup.ts';
import { taskEvaluation, taskRunRow } from './taskEvaluation.ts';
import { faultKind } from './taskFaults.ts';
import { runCause } from './taskTools.ts';
import { previousChange } from './verdict.ts';

/** A total over scored runs: per run, and per run that succeeded. Null without such a run. */
const spent = z.object({
  total: z.number().nullable(),
  perTask: z.number().nullable(),
  perSuccess: z.number().nullable(),
});

/** The numbers of task runs: see `summarizeTasks` for their formulas. */
const taskSummary = z.object({
  scored: z.number().int(),
  notScored: z.number().int(),
  succeeded: z.number().int(),
  successRate: estimate,
  partialCredit: estimate,
  passAtK: z.array(
    z.object({
      k: z.number().int(),
      atLeastOne: z.number(),
      atLeastOneInterval: rateEnds,
      all: z.number(),
      allInterval: rateEnds,
      tasks: z.number(),
    }),
  ),
  steps: spent,
  calls: spent,
  tokens: spent,
  cacheRead: spent,
  cacheWrite: spent,
  cost: spent,
  timeMs: spent,
  callEfficiency: estimate,
  recovery: estimate,
  repeatedCalls: z.number().int(),
  unusedCalls: z.number().int(),
  unwantedEffects: z.number().int(),
  /** Over all techniques. */
  attackSuccess: estimate,
  /** Runs with an injected instruction that the model never replied to; in no rate of attacks. */
  notExposed: z.number().int(),
  attacks: z.array(
    z.object({
      technique: z.string(),
      /** Runs in which the model followed the injected instruction. */
      attackSuccess: estimate,
      taskSuccess: estimate,
      notExposed: z.number().int(),
    }),
  ),
  /** By kind of fault on purpose, in the order of their names. */
  faults: z.array(
    z.object({
      fault: faultKind,
      /** Success of the scored runs that met it. */
      recovery: estimate,
      /** Scored runs of tasks with the fault that never called its tool; in no rate. */
      notReached: z.number().int(),
    }),
  ),
  /** Scored runs whose expected tools are known, and those of them with a wrong step. */
  firstWrong: z.object({ known: z.number().int(), wrong: z.number().int() }),
  /** Pairs of tools at first wrong steps, the most frequent first; null stands for no tool. */
  confusions: z.array(
    z.object({
      expected: z.string().nullable(),
      called: z.string().nullable(),
      runs: z.number().int(),
    }),
  ),
  /** Those with the most failures first. */
  tools: z.array(
    z.object({
      /** `server:tool`, or the name alone of a tool that was not offered. */
      tool: z.string(),
      /** Runs whose checks require it. */
      needed: z.number().int(),
      called: z.number().int(),
      /** Runs that call it ÷ runs whose checks require it. */
      calledWhereNeeded: estimate,
      /** Runs whose first wrong step calls it. */
      wrong: z.number().int(),
      /** Runs whose first wrong step should call it. */
      missed: z.number().int(),
      calls: z.number().int(),
      /** Calls whose result is an error, or that got no answer. */
      errors: z.number().int(),
      /** Calls that were sent to its server. */
      sent: z.number().int(),
      /** Calls that were sent and got no answer: each may have taken effect. */
      unanswered: z.number().int(),
      /** Those of them during which the server or its connection ended. */
      crashes: z.number().int(),
      /** Time per call that was sent, in ms, with the wait for answers that never came; null without one. */
      timePerCallMs: z.number().nullable(),
      /** Succeeded ÷ scored, over runs that call it. */
      success: estimate,
    }),
  ),
});
export type TaskSummary = z.infer<typeof taskSummary>;

/** Why runs did not succeed: one cause, and how many runs have it. */
const taskCause = z.object({
  outcome: taskRunRow.shape.outcome.unwrap(),
  /** In words. */
  cause: z.string(),
  /** What the model did; null for runs that are not scored. */
  did: runCause.nullable(),
  runs: z.number().int(),
  runIds: z.array(z.string()),
});
export type TaskCause = z.infer<typeof taskCause>;

/** How people and the judge of an evaluation agree, over all evaluations of its suite. */
const judgeAgreement = z.object({
  /** The judge's model. */
  judge: z.string(),
  /** True if its verdicts count in this evaluation. */
  counts: z.boolean(),
  kappa: z.number().nullable(),
  n: z.number().int(),
  /** Labeled checks by what the person and the judge said. */
  bothYes: z.number().int(),
  onlyPerson: z.number().int(),
  onlyJudge: z.number().int(),
  bothNo: z.number().int(),
  /** Judge checks of this evaluation that the judge was asked about. */
  asked: z.number().int(),
  /** Those of them that have no usable verdict. */
  unusable: z.number().int(),
  /** US dollars that the judge cost in this evaluation; null if unknown. */
  cost: z.number().nullable(),
  /** The 95% interval of `kappa`. */
  interval: rateEnds,
  /** The words that it was asked with; their text is null if they are others today. */
  prompt: z.object({ version: z.string(), text: z.string().nullable() }),
  /** Each judge by itself: checks by its verdict. */
  judges: z.array(
    z.object({
      ...{ judge: z.string(), yes: z.number().int(), no: z.number().int() },
      unusable: z.number().int(),
    }),
  ),
  /** How several judges agree with each other: see `judgesAgreement`. Null: there is one. */
  between: z
    .object({
      /** Checks on which as many said yes as no; they are unusable too. */
      ties: z.number().int(),
      n: z.number().int(),
      observed: z.number().nullable(),
      kappa: z.number().nullable(),
      interval: rateEnds,
    })
    .nullable(),
});
export type JudgeAgreement = z.infer<typeof judgeAgreement>;

const simulatedUsers = z.object({
  /** The model that played them. */
  model: z.string(),
  runs: z.number().int(),
  /** Their replies. */
  turns: z.number().int(),
  tokens: z.number().int().nullable(),
  cost: z.number().nullable(),
});
export type SimulatedUsers = z.infer<typeof simulatedUsers>;

/** What every request of an evaluation cost: of all attempts, scored or not, judge and user included. */
const taskSpend = z.object({
  /** US dollars; null if a price or a count is missing: unknown is never 0. */
  usd: z.number().nullable(),
  /** Requests that gave no count of tokens, so that they may have been billed too. */
  unanswered: z.number().int(),
});
export type TaskSpend = z.infer<typeof taskSpend>;

const reportedTool = z.object({
  toolId: z.string(),
  hash: z.string(),
  /** Of its description and parameters alone. */
  textHash: z.string(),
});
export type ReportedTool = z.infer<typeof reportedTool>;

export const taskReport = z.object({
  evaluation: taskEvaluation,
  /** All models together. */
  summary: taskSummary,
  /** Each model by itself. */
  models: z.array(
    z.object({
      ...{ id: z.string(), label: z.string(), summary: taskSummary },
      /** Its runs by task, tag, server and difficulty: see `groupTasks`. */
      groups: z.array(taskGroup),
    }),
  ),
  /** The most frequent first. */
  causes: z.array(taskCause),
  /** Tools whose calls were sent to a server, with their number, over every attempt of a run. */
  executed: z.array(
    z.object({
      tool: z.string(),
      calls: z.number().int(),
      /** Calls without an answer: they may have taken effect. */
      unanswered: z.number().int(),
      destructive: z.boolean(),
    }),
  ),
  /** The tasks as they were frozen; `hash` changes with everything but name and tags. */
  tasks: z.array(
    z.object({
      key: z.string(),
      request: z.string(),
      hash: z.string(),
      /** A `calls` check says which calls are expected. */
      expectsCalls: z.boolean(),
    }),
  ),
  /** The frozen tools by content: a tool with another hash was changed. */
  tools: z.array(reportedTool),
  /** What each model was sent of them; empty if they were never frozen. */
  sentTools: z.array(sentToolsOfModel),
  /** Null: no judge was asked. */
  judge: judgeAgreement.nullable(),
  /** Simulated users of all runs; null: none was asked. */
  user: simulatedUsers.nullable(),
  spend: taskSpend,
  /** Null: no check asks it again. */
  askedAgain: askedAgain.nullable(),
  /** By model: what else may explain a difference from another result. */
  conditions: z.record(
    z.string(),
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  ),
  /** By model: the change since its previous result; a model without one is left out. */
  previous: z.record(z.string(), previousChange),
  runs: z.array(taskRunRow),
});
export type TaskReport = z.infer<typeof taskReport>;
