import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded, type EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import type { OptimizationSpend } from '../../../src-shared/domain/optimization.ts';
import type { ExecutionPlan } from '../../../src-shared/domain/taskEvaluation.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../src-shared/domain/whatIf.ts';
import type { CaseScore, SearchCase } from '../../optimize/effects.ts';
import type { Store } from '../../store/store.ts';
import type { ProofItem } from './countProof.ts';
import type { ProofKeys } from './proofKeys.ts';

export type Half = 'search' | 'proof';

/** A case or a task of one half with what failures are explained by. */
export interface HalfItem extends SearchCase {
  /** Expected argument values as one text. */
  values: string;
}

export interface TrialTarget {
  evaluationId: string;
  /** Null if the evaluation has one model only. */
  modelSettingsId: string | null;
}

export interface TrialRepeat {
  changes: WhatIfChange[];
  items: readonly HalfItem[];
  /** Servers of which a person agreed that every tool may be executed. Cases execute nothing. */
  agreedServers: readonly string[];
  /** Replaces the spend limit of the evaluation, where it is given. */
  spendLimitUsd?: number | null | undefined;
}

/**
 * An ended evaluation of cases or tasks with one of its models, whose items can be repeated with
 * other texts of its tools. What searches, estimates and proves sees no difference between the two.
 */
export interface Trial {
  unit: EvaluationUnit;
  evaluationId: string;
  number: number;
  /** What people call the evaluation. */
  name: string;
  /** All evaluations of a suite share its proof half, which is known by these keys. */
  proofKeys: ProofKeys;
  suiteId: string | null;
  suiteName: string;
  /** Why the evaluation ended as it did, if that needs a reason. */
  reason: string | null;
  repetitions: number;
  model: ModelSettings;
  tools: readonly SnapshotTool[];
  /** The use of one request to the model on average. */
  perCall: OptimizationSpend;
  /** Requests of one run on average. */
  callsPerRun: number;
  /** What each run of a repetition may execute; null for test cases. */
  execution: ExecutionPlan | null;
  half(half: Half): HalfItem[];
  /** How items came out in the evaluation. */
  scores(items: readonly HalfItem[]): CaseScore[];
  /** The evaluation as a side of a proof. */
  side(items: readonly HalfItem[]): ProofItem[];
  /** Throws INVALID if a repetition executes tools of servers that nobody agreed to. */
  requireConsent(agreedServers: readonly string[]): void;
  /**
   * Starts items with other tools. `planned` is called in the commit of the plan, with the id of
   * the evaluation that is returned.
   */
  repeat(request: TrialRepeat, planned?: (evaluationId: string) => void): Promise<string>;
  /** A repetition; null if it was deleted. */
  repeated(
    evaluationId: string,
  ): { state: EvaluationState; name: string; reason: string | null } | null;
  /** How the items of a repetition came out. */
  repeatedScores(evaluationId: string, items: readonly HalfItem[]): CaseScore[];
  /** A repetition as a side of a proof. */
  repeatedSide(evaluationId: string, items: readonly HalfItem[]): ProofItem[];
  /** What a repetition has used so far, without its time. */
  spentOn(evaluationId: string): OptimizationSpend;
  /** Resolves at the end of a repetition. `used` is called whenever it has used something. */
  watch(evaluationId: string, signal: AbortSignal, used: () => void): Promise<void>;
  cancel(evaluationId: string): Promise<void>;
  resume(evaluationId: string): Promise<void>;
}

/** The items that count in a proof: those with an outcome by majority of their scored runs. */
export function decidedItems(trial: Pick<Trial, 'side'>, items: readonly HalfItem[]): HalfItem[] {
  const sides = trial.side(items);
  return items.filter((_, at) => {
    const { right = 0, scored = 0 } = sides[at] ?? {};
    return scored > 0 && 2 * right !== scored;
  });
}

/** The frozen tools. Throws CONFLICT while an evaluation runs, or where it has none. */
export function requireEnded(
  store: Store,
  { state, snapshotId }: { state: EvaluationState; snapshotId: string | null },
  name: string,
): readonly SnapshotTool[] {
  const snapshot = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
  if (hasEnded(state) && snapshot) return snapshot.tools;
  throw new ServiceError('CONFLICT', {
    thing: name,
    cause: snapshot ? 'It is still running.' : 'It has no stored tools to change.',
    nextStep: snapshot ? 'Wait until it ends.' : 'Resume it first.',
  });
}

/**
 * The use of an average request of an evaluation. Its time is that of the evaluation, shared by all
 * requests, because they run at the same time.
 */
export function averageCall(
  { startedAt, completedAt }: { startedAt: string | null; completedAt: string | null },
  {
    calls,
    tokens,
    usd,
    unmeasured,
  }: Pick<OptimizationSpend, 'calls' | 'tokens' | 'usd'> & { unmeasured: number },
  plannedCalls: number,
): OptimizationSpend {
  const wall =
    startedAt === null || completedAt === null
      ? 0
      : Date.parse(completedAt) - Date.parse(startedAt);
  return {
    calls: 1,
    tokens: tokens / Math.max(1, calls - unmeasured),
    usd: usd === null ? null : usd / Math.max(1, calls),
    minutes: wall / 60_000 / Math.max(1, plannedCalls),
    unanswered: 0,
  };
}
