import { externalRetriever } from './retrievalRun.ts';
import { z } from 'zod';
import { evaluationStates } from './evaluationState.ts';
import { jsonValue } from './json.ts';
import { counts, runNumbers } from './metrics.ts';
import { modelConfiguration, modelSettings } from './model.ts';
import {
  actualCall,
  confidence,
  observation,
  observationDetails,
  stopReasons,
  tokenUsage,
} from './observation.ts';
import { price } from './price.ts';
import { classification, confusionUnit, score } from './score.ts';
import { passedWhen } from './comparison.ts';
import { threshold } from './gate.ts';
import { suiteFile } from './suiteFile.ts';
import { caseContent, expectation } from './testCase.ts';
import { inlineTool, rejectedTool, serverListing } from './tool.ts';
import { whatIf } from './whatIf.ts';

export const evaluationState = z.enum(evaluationStates);

export const runStatuses = ['pending', 'running', 'completed', 'failed'] as const;
export const runStatus = z.enum(runStatuses);
export type RunStatus = z.infer<typeof runStatus>;

/** Whose trouble a failed run is. Trouble is never an answer: such a run is in no metric. */
export const failureKinds = [
  'server', // a server could not give its tools
  'tool_not_offered', // the expected tool was rejected, excluded or missing
  'provider', // the model's service failed
  'model', // a reply without a usable ending
  'interrupted', // the program ended while the run was under way
  'cancelled', // the user stopped the evaluation
  'internal', // our own fault
] as const;
export const failureKind = z.enum(failureKinds);
export type FailureKind = z.infer<typeof failureKind>;

export const evaluationSettings = z.strictObject({
  /** Null where the suite came with the call, from a file. */
  suiteId: z.string().nullable(),
  /** Replaces every case's own server list; null keeps them. */
  servers: z.array(z.string()).nullable().default(null),
  models: z.array(modelConfiguration).min(1, 'Choose at least one model.'),
  repetitions: z.number().int().min(1).max(100).default(1),
  concurrency: z.number().int().min(1).max(256).default(8),
  /**
   * Only the best so many tools of a case are shown to the model, in the order of the retriever;
   * null = all. What is cut off counts as missed.
   */
  topK: z.number().int().min(1).max(10_000).nullable().default(null),
  /** Ranks the tools where `topK` is set. */
  retriever: z.string().min(1).default('default'),
  /** Ranks instead of one of the program's own, whose place in `retriever` its name then takes. */
  externalRetriever: externalRetriever.nullable().default(null),
  /** At or above this a confidence counts as high. */
  highConfidence: z.number().min(0).max(1).default(0.7),
  /** When a run counts as right in comparisons. */
  passedWhen: passedWhen.default('selection'),
  /** Thresholds that its result is held against. */
  gates: z.array(threshold).max(50).default([]),
  /** Set where it repeats another evaluation; never given by hand. */
  whatIf: whatIf.nullable().default(null),
  /**
   * Every exchange is appended to this file, so that the evaluation can be replayed without the
   * model.
   */
  recordFile: z.string().min(1).nullable().default(null),
  /** Decides every order that is drawn. */
  seed: z.number().int().min(0).max(4_294_967_295).default(0),
  caseOrder: z.enum(['suite', 'shuffled']).default('suite'),
  /**
   * `shuffled`: another order of the tools in each repetition, the same for all models. Models
   * prefer places in a list.
   */
  toolOrder: z.enum(['listed', 'shuffled']).default('listed'),
  /** Replaces the suite's; null keeps it. */
  systemPrompt: z.string().max(100_000).nullable().default(null),
  /** Puts the servers' own instructions behind the system prompt. */
  serverInstructions: z.boolean().default(false),
  /**
   * More than one: calls are answered by the case's stub results and the model goes on. No tool is
   * ever executed.
   */
  maxTurns: z.number().int().min(1).max(20).default(1),
  /** No run starts that would pass it. Needs a price for every model. */
  spendLimitUsd: z.number().positive().max(1_000_000).nullable().default(null),
});
export type EvaluationSettings = z.infer<typeof evaluationSettings>;

/** Cases and tools that come with the call instead of from the workspace. */
export const inlineSources = z.strictObject({
  suite: suiteFile.optional(),
  tools: z.array(inlineTool).optional(),
});
export type InlineSources = z.infer<typeof inlineSources>;

export const evaluationRequest = evaluationSettings.extend({ inline: inlineSources.optional() });
export type EvaluationRequest = z.infer<typeof evaluationRequest>;

export const evaluation = z.object({
  id: z.string(),
  /** Counts up in the workspace: what people call an evaluation (#14). */
  number: z.number().int(),
  suiteId: z.string().nullable(),
  suiteName: z.string(),
  state: evaluationState,
  /** Why it ended as it did, where that needs words. */
  reason: z.string().nullable(),
  settings: evaluationSettings,
  models: z.array(modelSettings),
  snapshotId: z.string().nullable(),
  counts,
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
});
export type Evaluation = z.infer<typeof evaluation>;

/**
 * What an event tells of one run that ended: enough to fold counts, matrix and progress without
 * asking again.
 */
export const runOutcome = z.object({
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
/** An event before it has its place in the order. */
export type NewEvaluationEvent = EvaluationEvent extends infer E
  ? E extends EvaluationEvent
    ? Omit<E, 'seq' | 'at'>
    : never
  : never;

/** A row of the cases table. */
export const runRow = z.object({
  runId: z.string(),
  testCaseId: z.string(),
  /** The id that the suite file gives the case; its own id where that was not kept. */
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
  /** Labels of expected and selected tools, in order, for the eye. */
  expected: z.array(z.string()),
  selected: z.array(z.string()),
  /** The cells of the matrix that it counts in; none where it was not scored. */
  units: z.array(confusionUnit),
  parameterCorrectness: z.number().nullable(),
  confidence: confidence.nullable(),
  executionTimeMs: z.number().int().nullable(),
});
export type RunRow = z.infer<typeof runRow>;

export const runFilter = z.strictObject({
  modelSettingsId: z.string().optional(),
  classification: z.array(classification).optional(),
  status: z.array(runStatus).optional(),
  passed: z.boolean().optional(),
  tag: z.string().optional(),
  /** Free text over case name and query. */
  search: z.string().max(500).optional(),
  /** Exactly the runs that put a unit into this cell of the matrix. */
  cell: z.strictObject({ expected: z.string(), selected: z.string() }).optional(),
});
export type RunFilter = z.infer<typeof runFilter>;

/** One run opened down to the raw exchange. */
export const runDetail = z.object({
  row: runRow,
  case: caseContent,
  model: modelSettings,
  calls: z.array(actualCall),
  text: z.string().nullable(),
  /** The model's own reasoning, where it gave one. */
  reasoning: z.string().nullable(),
  stopReason: z.enum(stopReasons).nullable(),
  details: observationDetails.nullable(),
  /** What each offered tool was called on the wire, in the order offered. */
  names: z.array(z.object({ wire: z.string(), tool: z.string() })),
  costUsd: z.number().nullable(),
  score: score.nullable(),
  scorer: z.string().nullable(),
  usage: tokenUsage.nullable(),
  /** Tool ids that the model saw. */
  offered: z.array(z.string()),
  /**
   * What was changed of them for the provider: left out with the reason, and schemas that were
   * loosened.
   */
  adaptations: z.object({
    excluded: z.array(z.object({ tool: z.string(), reason: z.string() })),
    relaxations: z.array(z.string()),
  }),
  rawRequest: z.string().nullable(),
  rawResponse: z.string().nullable(),
  /** Replaced scores; expectation and threshold stand there where a re-scoring changed them. */
  history: z.array(
    z.object({
      score,
      scorer: z.string(),
      replacedAt: z.string(),
      expectation: expectation.nullable(),
      highConfidence: z.number().nullable(),
    }),
  ),
  /** Neighbours in the order of the list that it was opened from. */
  previousRunId: z.string().nullable(),
  nextRunId: z.string().nullable(),
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

/** Something to know before a run: an unknown server, an unknown tool, nothing to run. */
export const planProblem = z.object({
  severity: z.enum(['error', 'warning']),
  caseKey: z.string().nullable(),
  message: z.string(),
});
export type PlanProblem = z.infer<typeof planProblem>;

/** What one model would be sent, as far as the tools are known before the start. */
export const plannedModel = z.object({
  /** Place in the request's list of models. */
  index: z.number().int(),
  label: z.string(),
  /** Tools that its provider can't be offered, each once. */
  excluded: z.array(z.object({ tool: z.string(), reason: z.string() })),
  /** The largest number of tools in one request; null where servers were not listed yet. */
  tools: z.number().int().nullable(),
  /**
   * Tokens of what would be sent in all runs; null where servers were not listed yet, or nothing is
   * sent.
   */
  inputTokens: z.number().int().nullable(),
  /** Assumed, for all runs; null where nothing is sent. */
  outputTokens: z.number().int().nullable(),
  /**
   * How the input was found out: estimated in cl100k_base, or counted by the provider's endpoint
   * where that was asked for; null where it is not known.
   */
  tokenSource: z.enum(['counted', 'estimated']).nullable(),
  /** Its wire format has a call that counts. */
  countable: z.boolean(),
  /** Why it could not be counted, where that was asked for. */
  countNote: z.string().nullable(),
  price: price.nullable(),
  /** Null = unpriced, or unknown tokens. */
  costUsd: z.number().nullable(),
});
export type PlannedModel = z.infer<typeof plannedModel>;

export const evaluationPlan = z.object({
  cases: z.number().int(),
  runs: z.number().int(),
  servers: z.array(z.string()),
  problems: z.array(planProblem),
  models: z.array(plannedModel),
  /** Null where one of the models has no price or no estimate. */
  costUsd: z.number().nullable(),
});
export type EvaluationPlan = z.infer<typeof evaluationPlan>;

/**
 * A line of a recording: what was asked and answered, and what it was understood as, so that a
 * replay gives the same result without the model.
 */
export const recordedExchange = z.object({
  key: z.string(),
  /** The model's own name, whoever serves it. */
  model: z.string(),
  wireApi: z.string(),
  sent: modelSettings.shape.sent,
  request: z.record(z.string(), jsonValue),
  response: jsonValue,
  observation,
  /** How long the model took, so that a replay tells the latency that was measured. */
  elapsedMs: z.number().nonnegative(),
});
export type RecordedExchange = z.infer<typeof recordedExchange>;
