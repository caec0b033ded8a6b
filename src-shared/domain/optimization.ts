import { z } from 'zod';
import { evaluationUnits, type EvaluationUnit } from './gate.ts';
import { modelConfiguration } from './model.ts';
import { agreement, executionPlan } from './taskEvaluation.ts';
import { textEdit } from './textEdit.ts';

export const objectives = ['accuracy', 'tokens', 'both'] as const;
const objective = z.enum(objectives);
export type Objective = z.infer<typeof objective>;

/** How far the pass rate may fall when only tokens count, as a share (docs/rules.md §4, Optimizer). */
export const tokensMargin = 0.02;

/** Limits; null = none. Whichever is reached first ends the search. */
const optimizationBudget = z.strictObject({
  calls: z.number().int().positive().nullable().default(null),
  tokens: z.number().int().positive().nullable().default(null),
  usd: z.number().positive().nullable().default(null),
  minutes: z.number().positive().nullable().default(null),
});
export type OptimizationBudget = z.infer<typeof optimizationBudget>;

/** What was used, in the same units; money is null if a price is unknown. */
export const optimizationSpend = z.object({
  calls: z.number().int(),
  tokens: z.number().int(),
  usd: z.number().nullable(),
  minutes: z.number(),
  /** Requests without an answer: not in `calls`, and their cost is in no sum. */
  unanswered: z.number().int().nonnegative(),
});
export type OptimizationSpend = z.infer<typeof optimizationSpend>;

const stepResults = [
  'best', // the best catalog so far
  'kept', // in the pool: better than its parent
  'no_gain', // tried without gain
  'refused', // broke a rule, and was never tried
] as const;
const stepResult = z.enum(stepResults);

/** One candidate: where it comes from, how it did, and why it was kept or not. */
export const optimizationStep = z.object({
  /** From 1. */
  step: z.number().int(),
  kind: z.enum(['edit', 'merge']),
  /** The steps that it builds on; 0 is the catalog as it is. */
  parents: z.array(z.number().int()),
  /** Every change against the catalog as it is. */
  edits: z.array(textEdit),
  /** Tools that this step changed in its parent. */
  toolIds: z.array(z.string()),
  /** What the proposer says about it. */
  reason: z.string(),
  result: stepResult,
  /** Why it was refused or did not gain; null if it was kept. */
  why: z.string().nullable(),
  /** Cases passed of those tried first; null for merges and refused candidates. */
  screening: z
    .object({ passed: z.number(), before: z.number(), cases: z.number().int() })
    .nullable(),
  /** Pass rate on the search half; null if it was not tried there. */
  passRate: z.number().nullable(),
  /** Tokens of all tools; null if it was refused. */
  tokens: z.number().int().nullable(),
});
export type OptimizationStep = z.infer<typeof optimizationStep>;

const stopReasons = ['steps', 'no_gain', 'exhausted', 'budget', 'all_passed'] as const;
const stopReason = z.enum(stopReasons);
export type StopReason = z.infer<typeof stopReason>;

/** Who writes the candidates: rules, offline, or a model; or edits that are given and only proved. */
const proposer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rules') }),
  z.strictObject({ kind: z.literal('model'), model: modelConfiguration }),
  z.strictObject({ kind: z.literal('given'), edits: z.array(textEdit).min(1).max(1000) }),
]);

export const optimizationSettings = z.strictObject({
  objective: objective.default('accuracy'),
  /** The tools that may be edited; null = all. */
  toolIds: z.array(z.string()).min(1).max(10_000).nullable().default(null),
  proposer: proposer.default({ kind: 'rules' }),
  budget: optimizationBudget.default({ calls: null, tokens: null, usd: null, minutes: null }),
  seed: z.number().int().min(0).max(2_147_483_647).default(42),
  /** The most candidates. */
  maxSteps: z.number().int().min(1).max(1000).default(60),
  /** Ends after so many candidates in a row without a gain. */
  patience: z.number().int().min(1).max(1000).default(20),
  /** The most tokens that one tool may gain. */
  maxAddedTokens: z.number().int().min(0).max(10_000).default(60),
  /**
   * For an evaluation of tasks: what a person agreed to. Null: an evaluation of test cases.
   */
  tasks: z.strictObject(agreement).nullable().default(null),
});
export type OptimizationSettings = z.infer<typeof optimizationSettings>;

const optimizationStates = [
  'running',
  'paused',
  'interrupted', // its program ended
  'cancelled',
  'failed',
  'nothing_found', // no candidate was better on the search half, so no proof was used up
  'accepted',
  'rejected',
  'cannot_tell',
] as const;
const optimizationState = z.enum(optimizationStates);
export type OptimizationState = z.infer<typeof optimizationState>;

/** How one tool did on the proof half: cases that expect it. */
const toolResult = z.object({
  toolId: z.string(),
  cases: z.number().int(),
  before: z.number(),
  after: z.number(),
});

export const optimizationResult = z.object({
  /** The step that was proved. */
  step: z.number().int(),
  edits: z.array(textEdit),
  test: z.enum(['superiority', 'non_inferiority']),
  cases: z.number().int(),
  notScored: z.number().int(),
  passedBefore: z.number(),
  passedAfter: z.number(),
  won: z.number().int(),
  lost: z.number().int(),
  pValue: z.number(),
  level: z.number(),
  reasons: z.array(z.string()),
  tokensBefore: z.number().int(),
  tokensAfter: z.number().int(),
  tools: z.array(toolResult),
});
export type OptimizationResult = z.infer<typeof optimizationResult>;

export const optimizationSummary = z.object({
  id: z.string(),
  suiteName: z.string(),
  baseEvaluationId: z.string(),
  baseNumber: z.number().int(),
  modelSettingsId: z.string(),
  modelName: z.string(),
  settings: optimizationSettings,
  state: optimizationState,
  /** Why the search ended (`StopReason`), or why it failed. */
  stopped: z.string().nullable(),
  proofEvaluationId: z.string().nullable(),
  proofRank: z.number().int().nullable(),
  result: optimizationResult.nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type OptimizationSummary = z.infer<typeof optimizationSummary>;

export const optimization = optimizationSummary.extend({
  steps: z.array(optimizationStep),
  spent: optimizationSpend,
});
export type Optimization = z.infer<typeof optimization>;

/** What an optimization can do, shown before anything runs. */
export const optimizationPlan = z.object({
  unit: z.enum(evaluationUnits),
  /** What each run may execute, in the mode of its evaluation; null for test cases. */
  execution: executionPlan.nullable(),
  suiteName: z.string(),
  modelName: z.string(),
  /** All tools that the model is offered, in their order. */
  toolIds: z.array(z.string()),
  tokens: z.number().int(),
  searchCases: z.number().int(),
  searchPassed: z.number(),
  proofCases: z.number().int(),
  /** Candidates already proved on the cases of this suite; each one raises the bar for the next. */
  proved: z.number().int(),
  level: z.number(),
  flipsNeeded: z.number().int(),
  /** Cases of the proof half that fail now: the most that can be fixed. */
  canFlip: z.number().int(),
  /** The fewest cases of the proof half that can prove fewer tokens, if none of them differs. */
  casesForTokens: z.number().int(),
  /** What can't be proven, whatever the search finds; empty if it can. */
  warnings: z.array(z.string()),
  /** The most that it can use, within the budget. Money is null if a price is unknown. */
  estimate: optimizationSpend,
  typical: optimizationSpend,
});
export type OptimizationPlan = z.infer<typeof optimizationPlan>;

/** True where a resume goes on. */
export const canResume = (state: OptimizationState): boolean =>
  state === 'paused' || state === 'interrupted' || state === 'failed';

export const unitOf = ({ tasks }: Pick<OptimizationSettings, 'tasks'>): EvaluationUnit =>
  tasks === null ? 'case' : 'task';
