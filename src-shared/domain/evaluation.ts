import { externalRetriever } from './retrievalRun.ts';
import { z } from 'zod';
import { clientIds } from './clientFacts.ts';
import { evaluationStates } from './evaluationState.ts';
import { counts, runNumbers } from './metrics.ts';
import { modelConfiguration, modelSettings } from './model.ts';
import {
  actualCall,
  confidence,
  observationDetails,
  stopReasons,
  tokenUsage,
} from './observation.ts';
import { evaluationOrigin } from './evaluationOrigin.ts';
import { failureCause, outcome, outcomeCounts } from './outcomeSchema.ts';
import { classification, confusionUnit, score } from './score.ts';
import { passedWhen } from './comparison.ts';
import { threshold } from './gate.ts';
import { shard } from './shard.ts';
import { suiteFile } from './suiteFile.ts';
import {
  argumentsMode,
  caseContent,
  defaultArgumentsMode,
  expectation,
  priorMessage,
} from './testCase.ts';
import { inlineTool, rejectedTool, serverListing } from './tool.ts';
import { toolSource } from './toolSource.ts';
import { whatIf } from './whatIf.ts';

export const evaluationState = z.enum(evaluationStates);

const runStatuses = ['pending', 'running', 'completed', 'failed'] as const;
export const runStatus = z.enum(runStatuses);
export type RunStatus = z.infer<typeof runStatus>;

/** What caused a failed run. A failed run has no answer and is in no metric. */
const failureKinds = [
  'server', // a server could not give its tools
  'tool_not_offered', // the expected tool was rejected, excluded or missing
  'provider', // the model's service failed
  'agent', // the agent crashed, hung, or could not work
  'model', // a reply without a usable ending
  'interrupted', // the program ended while the run was under way
  'cancelled', // the user stopped the evaluation, or its model could not go on
  'internal', // our own fault
] as const;
export const failureKind = z.enum(failureKinds);
export type FailureKind = z.infer<typeof failureKind>;

export const evaluationSettings = z.strictObject({
  /** Null if the suite came with the request, from a file. */
  suiteId: z.string().nullable(),
  /** Replaces the server list of every case; null keeps them. */
  servers: z.array(z.string()).nullable().default(null),
  models: z.array(modelConfiguration).min(1, 'Choose at least one model.'),
  repetitions: z.number().int().min(1).max(100).default(1),
  /** The number of the first repetition, if it asks again; left out: 1. */
  firstRepetition: z.number().int().min(2).max(100).optional(),
  /** Cases that disagree with a baseline are asked again, so that they have this many repetitions. */
  repetitionsUpTo: z.number().int().min(2).max(100).optional(),
  concurrency: z.number().int().min(1).max(256).default(8),
  /**
   * Number of best-ranked tools that the model sees per case; null = all. An expected tool that is
   * cut off counts as missed.
   */
  topK: z.number().int().min(1).max(10_000).nullable().default(null),
  /** Ranks the tools if `topK` is set. */
  retriever: z.string().min(1).default('default'),
  /** An external retriever that ranks instead; its name is then in `retriever`. */
  externalRetriever: externalRetriever.nullable().default(null),
  /** A confidence at or above this counts as high. */
  highConfidence: z.number().min(0).max(1).default(0.7),
  /** Of cases that set none, and whose suite sets none. */
  argumentsMode: argumentsMode.default(defaultArgumentsMode),
  /** When a run counts as passed in its reports and in proofs of candidates. */
  passedWhen: passedWhen.default('selection_and_parameters'),
  /** Thresholds that its result is checked against. */
  gates: z.array(threshold).max(50).default([]),
  /** They cover all models together instead of each by itself. */
  pooledGates: z.boolean().default(false),
  /** Set if it repeats another evaluation; never given by a user. */
  whatIf: whatIf.nullable().default(null),
  /**
   * Every exchange is appended to this file, so that the evaluation can be replayed without the
   * model.
   */
  recordFile: z.string().min(1).nullable().default(null),
  /** Answers are kept in this folder, and equal requests are answered from it. */
  cacheFolder: z.string().min(1).max(4000).nullable().default(null),
  /** Tools are presented as this client shows them; left out: as a provider takes them. */
  client: z.enum(clientIds).optional(),
  /** Seed of every random order. */
  seed: z.number().int().min(0).max(4_294_967_295).default(0),
  caseOrder: z.enum(['suite', 'shuffled']).default('suite'),
  /**
   * `shuffled`: another tool order in each repetition, the same for all models, because models
   * prefer certain positions in a list.
   */
  toolOrder: z.enum(['listed', 'shuffled']).default('listed'),
  /** Replaces the suite's system prompt; null keeps it. */
  systemPrompt: z.string().max(100_000).nullable().default(null),
  /** Appends the servers' instructions to the system prompt. */
  serverInstructions: z.boolean().default(false),
  /**
   * If more than 1, calls are answered with the case's stub results and the model continues. No
   * tool is ever executed.
   */
  maxTurns: z.number().int().min(1).max(20).default(1),
  /** No run starts that would exceed it. Every model needs a price. */
  spendLimitUsd: z.number().positive().max(1_000_000).nullable().default(null),
  /** Runs only the cases of this part. All are planned, so that the parts can be merged. */
  shard: shard.nullable().default(null),
});
export type EvaluationSettings = z.infer<typeof evaluationSettings>;

/** Cases and tools in the request instead of the workspace. */
export const inlineSources = z.strictObject({
  suite: suiteFile.optional(),
  tools: z.array(inlineTool).optional(),
});
export type InlineSources = z.infer<typeof inlineSources>;

/** What a request has besides the settings that are kept. */
export const requestOnly = {
  inline: inlineSources.optional(),
  /**
   * The id of an evaluation of the same unit: runs begin when it has ended. At once if it has ended,
   * or isn't run by this program.
   */
  after: z.string().min(1).optional(),
};
export const evaluationRequest = evaluationSettings.extend(requestOnly);
export type EvaluationRequest = z.infer<typeof evaluationRequest>;

/** An evaluation of either unit, by its settings and the counts of how its runs ended. */
export const evaluationWith = <Settings extends z.ZodType, Outcomes extends z.ZodType>(
  settings: Settings,
  outcomes: Outcomes,
) =>
  z.object({
    id: z.string(),
    /** Sequential number in the workspace, by which people refer to an evaluation (#14). */
    number: z.number().int(),
    suiteId: z.string().nullable(),
    suiteName: z.string(),
    state: evaluationState,
    /** Why it ended in this state, if that needs explanation. */
    reason: z.string().nullable(),
    settings,
    models: z.array(modelSettings),
    snapshotId: z.string().nullable(),
    toolsFrom: toolSource,
    /** What became of its runs; last attempts only. */
    outcomes,
    /** Those of each model in the order of `models`, if there are several. */
    byModel: z.array(outcomes).optional(),
    /** Set if it is derived; null if a person started it for its own sake. */
    origin: evaluationOrigin.nullable(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    completedAt: z.string().nullable(),
  });

export const evaluation = evaluationWith(evaluationSettings, outcomeCounts).extend({ counts });
export type Evaluation = z.infer<typeof evaluation>;

/**
 * What an event says about an ended run: enough to update counts, matrix and progress without
 * another request.
 */
const runOutcome = z.object({
  runId: z.string(),
  testCaseId: z.string(),
  modelSettingsId: z.string(),
  position: z.number().int(),
  repetition: z.number().int(),
  attempt: z.number().int(),
  status: z.enum(['completed', 'failed']),
  failure: failureKind.nullable(),
  errorMessage: z.string().nullable(),
  classification: classification.nullable(),
  passed: z.boolean().nullable(),
  units: z.array(confusionUnit),
  matchedParameters: z.number().int(),
  expectedParameters: z.number().int(),
  executionTimeMs: z.number().int().nullable(),
});
export type RunOutcome = z.infer<typeof runOutcome>;

const eventHead = { seq: z.number().int(), at: z.string() };
export const evaluationEvent = z.discriminatedUnion('type', [
  z.object({ ...eventHead, type: z.literal('planned'), runs: z.number().int() }),
  z.object({
    ...eventHead,
    type: z.literal('ingested'),
    snapshotId: z.string(),
    tools: z.number().int(),
    servers: z.array(serverListing),
    rejected: z.array(rejectedTool),
  }),
  z.object({ ...eventHead, type: z.literal('runs'), outcomes: z.array(runOutcome) }),
  z.object({ ...eventHead, type: z.literal('resumed'), runs: z.number().int() }),
  z.object({
    ...eventHead,
    type: z.literal('rescored'),
    scorer: z.string(),
    runs: z.number().int(),
  }),
  z.object({
    ...eventHead,
    type: z.literal('ended'),
    state: evaluationState,
    reason: z.string().nullable(),
  }),
]);
export type EvaluationEvent = z.infer<typeof evaluationEvent>;

export const runRow = z.object({
  runId: z.string(),
  testCaseId: z.string(),
  /** The case's id in the suite file, or its own id if that was not stored. */
  caseKey: z.string(),
  caseName: z.string(),
  query: z.string(),
  tags: z.array(z.string()),
  modelSettingsId: z.string(),
  position: z.number().int(),
  repetition: z.number().int(),
  attempt: z.number().int(),
  status: runStatus,
  failure: failureKind.nullable(),
  errorMessage: z.string().nullable(),
  classification: classification.nullable(),
  passed: z.boolean().nullable(),
  outcome,
  /**
   * Labels of expected and selected tools, in order, for display: `(no tool)` for none, and an
   * empty list if the run was not scored.
   */
  expected: z.array(z.string()),
  selected: z.array(z.string()),
  /** The matrix cells that it is counted in; empty if it was not scored. */
  units: z.array(confusionUnit),
  parameterCorrectness: z.number().nullable(),
  confidence: confidence.nullable(),
  executionTimeMs: z.number().int().nullable(),
});
export type RunRow = z.infer<typeof runRow>;

export const runFilter = z.strictObject({
  modelSettingsId: z.string().optional(),
  classification: z.array(classification).optional(),
  outcome: z.array(outcome).optional(),
  /** Only runs that failed by this cause. */
  cause: failureCause.optional(),
  status: z.array(runStatus).optional(),
  passed: z.boolean().optional(),
  tag: z.string().optional(),
  /** Text to find in case name and query. */
  search: z.string().max(500).optional(),
  /**
   * Only runs that are counted in this cell of the matrix. A row of alternatives as its own column
   * stands for all of its tools.
   */
  cell: z.strictObject({ expected: z.string(), selected: z.string() }).optional(),
});
export type RunFilter = z.infer<typeof runFilter>;

const neighbor = z.object({ runId: z.string(), query: z.string() });

/** The place of a run in a list. Index and neighbors are null if the list doesn't hold it. */
const runPlace = z.object({
  index: z.number().int().nullable(),
  total: z.number().int(),
  previous: neighbor.nullable(),
  next: neighbor.nullable(),
});
export type RunPlace = z.infer<typeof runPlace>;

/** All details of one run, including the raw request and response. */
export const runDetail = z.object({
  row: runRow,
  case: caseContent,
  /** The system prompt as sent, with the servers' instructions if they were appended. */
  system: z.string().nullable(),
  /** The messages before the query. */
  messages: z.array(priorMessage),
  model: modelSettings,
  calls: z.array(actualCall),
  text: z.string().nullable(),
  /** The model's reasoning, if it gave any. */
  reasoning: z.string().nullable(),
  stopReason: z.enum(stopReasons).nullable(),
  details: observationDetails.nullable(),
  /** The name of each offered tool in the request, in the order offered. */
  names: z.array(z.object({ wire: z.string(), tool: z.string() })),
  costUsd: z.number().nullable(),
  score: score.nullable(),
  scorer: z.string().nullable(),
  usage: tokenUsage.nullable(),
  /** Ids of the tools that the model saw. */
  offered: z.array(z.string()),
  /** Changes for the provider: excluded tools with the reason, and relaxed schemas. */
  adaptations: z.object({
    excluded: z.array(z.object({ tool: z.string(), reason: z.string() })),
    relaxations: z.array(z.string()),
  }),
  rawRequest: z.string().nullable(),
  rawResponse: z.string().nullable(),
  /** Earlier scores; expectation, threshold and mode are set if a re-scoring changed them. */
  history: z.array(
    z.object({
      score,
      scorer: z.string(),
      replacedAt: z.string(),
      expectation: expectation.nullable(),
      highConfidence: z.number().nullable(),
      argumentsMode: argumentsMode.nullable(),
    }),
  ),
  /** Its place in the list that it was opened from. */
  place: runPlace,
  createdAt: z.string(),
  completedAt: z.string().nullable(),
});
export type RunDetail = z.infer<typeof runDetail>;

export const evaluationSummary = z.object({
  evaluationId: z.string(),
  /** Null = all models of the evaluation together. */
  modelSettingsId: z.string().nullable(),
  ...runNumbers.shape,
  durationMs: z.number().nullable(),
});
export type EvaluationSummary = z.infer<typeof evaluationSummary>;
