import {
  createYielder,
  maxHoldBetweenRunsMs,
  type YieldIfDue,
} from '../../../runtime/yieldToEventLoop.ts';
import { unlessAborted } from '../../../runtime/deadline.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { EvaluationEvent, FailureKind } from '../../../../src-shared/domain/evaluation.ts';
import { costOf, type Price } from '../../../../src-shared/domain/price.ts';
import type { ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import { ChatFailure, type ChatModel, type ChatReply } from '../../../adapters/llm/chatModel.ts';
import { RequestAccount, SendingHalted } from '../../../adapters/llm/request/requestAccount.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { WaitingRun } from '../../../store/runs/runs.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import { applyAgreement } from '../score/applyAgreement.ts';
import { abandonedText } from '../../runs/endRuns.ts';
import { RunLoop, type LoopParts, type PlayedUnit } from '../../runs/runLoop.ts';
import { caseTables, type EarlyEnd } from '../../runs/runTables.ts';
import { writeFinished, type FinishedRun } from './finishedRuns.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';
import { RunPreparation } from './runPreparation.ts';
import { FrozenTools, type OfferedTools } from '../tools/offeredTools.ts';
import { withoutClientArguments } from '../tools/presentedTools.ts';
import { rankCases, type OpenExternalRetriever } from '../tools/rankCases.ts';
import type { Scorer } from '../score/scorer.ts';
import { costOfObservation, type SpentBefore } from '../../runs/spendMeter.ts';
import { knownSpend } from './spend.ts';
import { unusableReply } from './unusableReply.ts';

/**
 * The most answers that may wait for their score. Beyond it no model is called, so that memory
 * stays flat.
 */
const maxUnscored = 200;

export interface RunnerParts extends LoopParts<EvaluationEvent> {
  scorer: Scorer;
  clock: Clock;
  nextId: NextId;
  openExternalRetriever: OpenExternalRetriever;
}

type AnsweredRun = FinishedRun & { reply: ChatReply; offered: OfferedTools };

/**
 * The runs of an evaluation of cases. A slot is free again while the answer is scored in a worker;
 * requests under way are awaited, scored and stored, because they are paid for.
 */
export class EvaluationRunner implements PlayedUnit<WaitingRun<'case'>, FinishedRun> {
  readonly #parts: RunnerParts;
  readonly #evaluation: EvaluationRow;
  readonly #models: ReadonlyMap<string, ChatModel>;
  readonly #unscored = new Semaphore(maxUnscored);
  readonly #yieldIfDue: YieldIfDue;
  readonly #prices: ReadonlyMap<string, Price | null>;
  readonly loop: RunLoop<WaitingRun<'case'>, FinishedRun, EvaluationEvent>;

  constructor(
    parts: RunnerParts,
    evaluation: EvaluationRow,
    models: ReadonlyMap<string, ChatModel>,
  ) {
    this.#parts = parts;
    this.#evaluation = evaluation;
    this.#models = models;
    this.#yieldIfDue = createYielder(maxHoldBetweenRunsMs, () => parts.clock.monotonic());
    this.#prices = parts.store.evaluations.prices(evaluation.id);
    const tables = caseTables(parts.store);
    this.loop = new RunLoop({ ...parts, tables }, evaluation, models, this);
  }

  waiting(cursor: number, limit: number): WaitingRun<'case'>[] {
    return this.#parts.store.runs.waiting('case', this.#evaluation.id, cursor, limit);
  }

  async begin(
    snapshot: ToolSnapshot,
    signal: AbortSignal,
  ): Promise<(run: WaitingRun<'case'>) => Promise<void>> {
    const preparation = await this.#prepare(snapshot, signal);
    return (run) => this.#processRun(run, preparation);
  }

  idle(): Promise<void> {
    return this.#unscored.idle();
  }

  /** Also after it stopped by itself. A cancel skips it, and a resume makes up for it. */
  async beforeEnd(earlyEnd: AbortSignal): Promise<void> {
    await applyAgreement(this.#parts.store, this.#evaluation, earlyEnd);
  }

  commit(started: readonly string[], ended: readonly FinishedRun[]): void {
    writeFinished(this.#parts, this.#evaluation, started, ended);
  }

  spentBefore(evaluationIds: readonly string[]): SpentBefore {
    return knownSpend(this.#parts.store, evaluationIds);
  }

  /** Ranks the tools of every case if an external retriever has to. */
  async #prepare(snapshot: ToolSnapshot, signal: AbortSignal): Promise<RunPreparation> {
    const { store, openExternalRetriever } = this.#parts;
    const evaluation = this.#evaluation;
    const tools = new FrozenTools(
      snapshot,
      (servers, query) => store.caseRankings.get(evaluation.id, servers, query),
      evaluation.settings.client,
    );
    const rankingError = await rankCases(store, openExternalRetriever, evaluation, tools, signal);
    return new RunPreparation(evaluation, tools, rankingError);
  }

  /**
   * Takes one run from its query to its result. Returns when the model has answered: scoring goes on
   * in its worker while this slot sends the next query, and holds the permit until it is done.
   */
  async #processRun(run: WaitingRun<'case'>, preparation: RunPreparation): Promise<void> {
    const release = await this.#unscored.acquire();
    let scoring: Promise<void> = Promise.resolve();
    try {
      await this.#yieldIfDue();
      if (this.loop.isEnding || this.loop.halted.has(run.modelSettingsId)) return;
      const answered = await this.#askModel(run, preparation);
      if (answered) scoring = this.#scoreReply(answered);
    } finally {
      void scoring.finally(release);
    }
  }

  /** Calls the model for one run. Returns null if there is nothing to be scored. */
  async #askModel(
    run: WaitingRun<'case'>,
    preparation: RunPreparation,
  ): Promise<AnsweredRun | null> {
    const model = this.#models.get(run.modelSettingsId);
    if (!model) throw new Error(`No model is open for settings ${run.modelSettingsId}.`);
    const prepared = preparation.prepare(run, model);
    const { servers, orderSeed, offered, obstacle } = prepared;
    const unanswered = {
      run,
      servers,
      orderSeed,
      offered: null,
      offeredList: preparation.offeredList(run, prepared, model),
      reply: null,
      unreported: null,
      score: null,
      executionTimeMs: null,
    };
    if (obstacle) {
      this.loop.group.finish({
        ...unanswered,
        failure: obstacle.failure,
        message: obstacle.message,
      });
      return null;
    }
    if (!this.loop.mayBegin()) return null;
    const { group, halted, spend, signal } = this.loop;
    group.start(run.id);
    const account = new RequestAccount(halted.signalOf(run.modelSettingsId));
    const price = this.#prices.get(run.modelSettingsId) ?? null;
    let costUsd = 0;
    let replied = false;
    try {
      const request = preparation.request(run, prepared);
      const answer = await unlessAborted(model.choose(request, signal, account), signal);
      const reply =
        this.#evaluation.settings.client === undefined
          ? answer
          : { ...answer, observation: withoutClientArguments(answer.observation, offered) };
      costUsd = costOfObservation(reply.observation, price) ?? 0;
      replied = true;
      const executionTimeMs = Math.max(1, Math.ceil(reply.elapsedMs));
      return {
        ...unanswered,
        reply,
        unreported: account.unreported(true),
        offered,
        failure: null,
        message: null,
        executionTimeMs,
      };
    } catch (error) {
      const failed = this.#failureOf(error);
      if (failed) group.finish({ ...unanswered, unreported: account.unreported(false), ...failed });
      if (error instanceof ChatFailure && error.fatal)
        this.loop.halt(run.modelSettingsId, error.message);
      return null;
    } finally {
      const lost = account.unreported(replied)?.usage;
      spend.end(costUsd + ((lost && costOf(lost, price)) ?? 0));
      // What runs in progress still need was allowed for, but not beyond the limit.
      if (spend.isReached) halted.haltAll(spend.refusal);
    }
  }

  /**
   * How a run without a reply ended. Null if it can't be stored, because the disk is full:
   * `endRuns` fails those runs.
   */
  #failureOf(error: unknown): { failure: FailureKind; message: string } | null {
    const { earlyEnd } = this.loop;
    if (earlyEnd.aborted)
      return { failure: earlyEnd.reason as EarlyEnd, message: abandonedText(null) };
    if (error instanceof SendingHalted)
      return { failure: 'cancelled', message: abandonedText(error.message) };
    if (error instanceof ChatFailure) return { failure: error.kind, message: error.message };
    return { failure: 'internal', message: errorText(error) };
  }

  /** Scores an answer and hands it to the group commit. */
  async #scoreReply(answered: AnsweredRun): Promise<void> {
    try {
      const { observation } = answered.reply;
      const unusable = unusableReply(observation, answered.run.content.expectedCalls.length > 0, {
        tools: answered.offered.shown,
        sent: this.#models.get(answered.run.modelSettingsId)?.sent ?? {},
      });
      if (unusable) {
        this.loop.group.finish({ ...answered, failure: 'model', message: unusable });
        return;
      }
      const score = await this.#parts.scorer.score(answered.offered, {
        content: answered.run.content,
        observation,
        highConfidence: this.#evaluation.settings.highConfidence,
        argumentsMode: this.#evaluation.settings.argumentsMode,
      });
      this.loop.group.finish({ ...answered, score });
    } catch (error) {
      if (!this.loop.signal.aborted)
        this.loop.group.finish({ ...answered, failure: 'internal', message: errorText(error) });
    }
  }
}
