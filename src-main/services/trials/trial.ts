import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded, type EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import type { ClientId } from '../../../src-shared/domain/clientFacts.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import type { OptimizationSpend } from '../../../src-shared/domain/optimization.ts';
import type { FailingRequest, ParameterRecord } from '../../../src-shared/domain/candidate.ts';
import type { Agreement, ExecutionPlan } from '../../../src-shared/domain/taskEvaluation.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../src-shared/domain/whatIf.ts';
import type { CaseScore, SearchCase } from '../../optimize/effects.ts';
import type { EvaluationRow, TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { FrozenTools } from '../evaluations/tools/offeredTools.ts';
import { evaluationName, type ProofSide } from '../results/side.ts';
import { chosenModel } from '../results/storedSides.ts';
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
  /** What a person agreed to. Cases execute nothing. */
  agreed: Agreement;
  /** Replaces the spend limit of the evaluation, where it is given. */
  spendLimitUsd?: number | null | undefined;
}

export interface Repeated {
  name: string;
  state: EvaluationState;
  reason: string | null;
  completedAt: string | null;
  positions: ReadonlySet<number>;
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
  /** Throws CONFLICT while the evaluation runs, or where it has no stored tools. */
  readonly tools: readonly SnapshotTool[];
  /** The instructions of a server as the model is sent them; '' if it isn't. */
  instructions(server: string): string;
  /** The use of one request to the model on average. */
  readonly perCall: OptimizationSpend;
  /** Requests of one run on average. */
  readonly callsPerRun: number;
  /** What each run of a repetition may execute; null for test cases. */
  readonly execution: ExecutionPlan | null;
  half(half: Half): HalfItem[];
  /** How items came out in the evaluation. */
  scores(items: readonly HalfItem[]): CaseScore[];
  /** Tools that an item was expected to call, or did call, where it went wrong. */
  failedAt(item: HalfItem, score: CaseScore): ReadonlySet<string>;
  /** The first run of an item that failed. */
  failedRun(position: number): Pick<FailingRequest, 'runId' | 'outcome'> | null;
  /** How the parameters of a tool were filled, where they are judged by name. */
  parameters(toolId: string): ParameterRecord[];
  /** What all repetitions of items used; their cost is null where it isn't known. */
  used(items: readonly CaseScore[]): { usd: number | null; ms: number };
  /** The evaluation as a side of a proof. */
  readonly side: ProofSide;
  /** Throws INVALID if a repetition executes tools or programs that nobody agreed to. */
  requireConsent(agreed: Agreement): void;
  /**
   * Starts items with other tools. `planned` is called in the commit of the plan, with the id of
   * the evaluation that is returned.
   */
  repeat(request: TrialRepeat, planned?: (evaluationId: string) => void): Promise<string>;
  /** A repetition, with the positions of its items in this evaluation; null if it was deleted. */
  repeated(evaluationId: string): Repeated | null;
  /** How the items of a repetition came out. */
  repeatedScores(evaluationId: string, items: readonly HalfItem[]): CaseScore[];
  /** A repetition as a side of a proof; null if it was deleted. */
  repeatedSide(evaluationId: string): ProofSide | null;
  /** What a repetition has used so far, without its time. */
  spentOn(evaluationId: string): OptimizationSpend;
  /** Resolves at the end of a repetition. `used` is called whenever it has used something. */
  watch(evaluationId: string, signal: AbortSignal, used: () => void): Promise<void>;
  cancel(evaluationId: string): Promise<void>;
  resume(evaluationId: string): Promise<void>;
}

/** An item with an outcome by majority of its scored runs. */
export interface Decided {
  item: HalfItem;
  score: CaseScore;
  failed: boolean;
}

export function decidedHalf(trial: Pick<Trial, 'half' | 'scores'>, half: Half): Decided[] {
  const items = trial.half(half);
  const scores = trial.scores(items);
  return items.flatMap((item, at) => {
    const score = scores[at];
    return score === undefined || score.share === null || score.share === 0.5
      ? []
      : [{ item, score, failed: score.share < 0.5 }];
  });
}

/** What every trial says of its evaluation, of cases or of tasks. */
export function trialBase(
  store: Store,
  unit: EvaluationUnit,
  row: EvaluationRow | TaskEvaluationRow,
  modelSettingsId: string | null,
) {
  return {
    unit,
    evaluationId: row.id,
    number: row.number,
    name: evaluationName(unit, row.number),
    suiteId: row.suiteId,
    suiteName: row.suiteName,
    reason: row.reason,
    repetitions: row.settings.repetitions,
    model: chosenModel(store, unit, row, modelSettingsId),
    instructions: sentInstructions(store, row),
    repeated: (id: string): Repeated | null => {
      const found = store.evaluations.get(unit, id);
      return found && toRepeated(evaluationName(unit, found.number), found);
    },
  };
}

/** A repetition of an evaluation, as its store has it. */
const toRepeated = (
  name: string,
  {
    settings,
    ...row
  }: Omit<Repeated, 'name' | 'positions'> & {
    settings: { whatIf: { positions: readonly number[] | null } | null };
  },
): Repeated => ({
  name,
  state: row.state,
  reason: row.reason,
  completedAt: row.completedAt,
  positions: new Set(settings.whatIf?.positions),
});

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

/** What the model is told of a server besides its tools, where an evaluation sends it. */
export function sentInstructions(
  store: Store,
  {
    snapshotId,
    settings,
  }: {
    snapshotId: string | null;
    settings: { serverInstructions: boolean; client?: ClientId | undefined };
  },
): (server: string) => string {
  const tools = once(() => {
    const isSent = snapshotId !== null && settings.serverInstructions;
    const snapshot = isSent ? store.toolSnapshots.get(snapshotId) : null;
    return snapshot && new FrozenTools(snapshot, () => null, settings.client);
  });
  return (server) => tools()?.instructions([server]) ?? '';
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

/** Made when it is first asked for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
