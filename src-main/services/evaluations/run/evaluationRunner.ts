import {
  createYielder,
  maxHoldBetweenRunsMs,
  type YieldIfDue,
} from '../../../runtime/yieldToEventLoop.ts';
import { unlessAborted } from '../../../runtime/deadline.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationEvent, FailureKind } from '../../../../src-shared/domain/evaluation.ts';
import { isInShard } from '../../../../src-shared/domain/shard.ts';
import { costOf, type Price } from '../../../../src-shared/domain/price.ts';
import type { ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import { ChatFailure, type ChatModel, type ChatReply } from '../../../adapters/llm/chatModel.ts';
import { RequestAccount, SendingHalted } from '../../../adapters/llm/request/requestAccount.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { WaitingRun } from '../../../store/runs/testRuns.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import { applyAgreement } from '../score/applyAgreement.ts';
import { abandonedText, endRuns } from '../../runs/endRuns.ts';
import type { Runner } from '../../runs/activeRuns.ts';
import { caseTables, type EarlyEnd } from '../../runs/runTables.ts';
import { writeFinished, type FinishedRun } from './finishedRuns.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';
import { GroupCommit } from '../../runs/groupCommit.ts';
import { HaltedModels } from '../../runs/haltedModels.ts';
import { keepRefused } from '../../runs/keepRefused.ts';
import { RunPreparation } from './runPreparation.ts';
import { FrozenTools, type OfferedTools } from '../tools/offeredTools.ts';
import { rankCases, type OpenExternalRetriever } from '../tools/rankCases.ts';
import type { Scorer } from '../score/scorer.ts';
import { costOfObservation, SpendMeter } from '../../runs/spendMeter.ts';
import { knownSpendUsd } from './spend.ts';
import { unusableReply } from './unusableReply.ts';

/**
 * The most answers that may wait for their score. Beyond it no model is called, so that memory
 * stays flat.
 */
const maxUnscored = 200;
const pageSize = 200;

export interface RunnerParts {
  store: Store;
  scorer: Scorer;
  clock: Clock;
  nextId: NextId;
  publish: (event: EvaluationEvent) => void;
  openExternalRetriever: OpenExternalRetriever;
  /** Returns the frozen tools: stored ones, or those of servers that have not answered yet. */
  freezeTools: (evaluation: EvaluationRow, signal: AbortSignal) => Promise<ToolSnapshot>;
  /** Lists the tools again at the end, to find out whether they changed. */
  relistTools: (snapshot: ToolSnapshot, signal: AbortSignal) => Promise<void>;
}

type AnsweredRun = FinishedRun & { reply: ChatReply; offered: OfferedTools };

/**
 * Runs one evaluation from its committed plan to its end. Each start or resume creates its own
 * runner.
 * Models are called from `concurrency` slots. A slot is free again while the answer is scored in a
 * worker, and results are committed in groups. The runner ends early when it is cancelled or
 * interrupted, which aborts requests, or stopped by an error that no further run could survive or by
 * the spend limit. Then requests under way are awaited, scored and stored: they are paid for.
 */
export class EvaluationRunner implements Runner {
  readonly #parts: RunnerParts;
  readonly #evaluation: EvaluationRow;
  readonly #models: ReadonlyMap<string, ChatModel>;
  readonly #abort = new AbortController();
  readonly #group: GroupCommit<FinishedRun>;
  readonly #unscored = new Semaphore(maxUnscored);
  /** Set once no run can succeed any more: a full disk, or refused keys. */
  #stopped: { failure: FailureKind; reason: string; disk: boolean } | null = null;
  readonly #halted = new HaltedModels();
  readonly #yieldIfDue: YieldIfDue;
  readonly #spend: SpendMeter;
  readonly #prices: ReadonlyMap<string, Price | null>;
  readonly #keepRefused: () => void;
  /** Aborted with the reason when the evaluation ends before its last run. */
  readonly #earlyEnd = new AbortController();

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
    const limitUsd = evaluation.settings.spendLimitUsd;
    // Only a limit needs what was spent before a resume; the sum reads every run.
    this.#spend = new SpendMeter(
      limitUsd,
      limitUsd === null ? undefined : { usd: knownSpendUsd(parts.store, evaluation.id) },
    );
    this.#keepRefused = keepRefused(evaluation.id, models, parts.store.evaluations.setRefused);
    this.#group = new GroupCommit<FinishedRun>({
      commit: (started, finished) => {
        this.#keepRefused();
        writeFinished(parts, evaluation, started, finished);
      },
      idOf: ({ run }) => run.id,
      onError: (error) => this.#stop('internal', errorText(error), true),
    });
  }

  get stoppedBy(): { reason: string; disk: boolean } | null {
    return this.#stopped;
  }

  cancel(): void {
    this.#endEarly('cancelled');
  }

  /** Touchstone is shutting down. */
  interrupt(): void {
    this.#endEarly('interrupted');
  }

  #endEarly(by: EarlyEnd): void {
    this.#earlyEnd.abort(by);
    this.#abort.abort();
  }

  /** Never throws: every error is stored, or on a full disk kept for `retryCommit`. */
  async run(): Promise<void> {
    try {
      const snapshot = await this.#parts.freezeTools(this.#evaluation, this.#abort.signal);
      await this.#runAll(await this.#prepare(snapshot));
      // Tools that no server was asked for can't have changed meanwhile: a what-if starts no server.
      if (!this.#isEnding() && !this.#evaluation.suite.inlineTools)
        await this.#parts.relistTools(snapshot, this.#abort.signal);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#stop('internal', errorText(error), isDiskError(error));
    }
    await this.#unscored.idle();
    try {
      this.#group.flush();
      this.#keepRefused();
      // Also after it stopped by itself. A cancel skips it, and a resume makes up for it.
      if (this.#stopped?.disk !== true)
        await applyAgreement(this.#parts.store, this.#evaluation, this.#earlyEnd.signal);
      const { signal } = this.#earlyEnd;
      const { store } = this.#parts;
      const event = endRuns(this.#parts, caseTables(store), this.#evaluation.id, {
        endedBy: signal.aborted ? (signal.reason as EarlyEnd) : null,
        // By now, runs that were in progress have added to the spend.
        stopReason: this.#spend.refused ?? this.#stopped?.reason ?? null,
        haltReasons: this.#halted.reasons,
        shard: this.#evaluation.settings.shard,
      });
      this.#parts.publish(event);
    } catch (error) {
      this.#stop('internal', errorText(error), true);
    } finally {
      await Promise.allSettled([...this.#models.values()].map((model) => model.close()));
    }
  }

  /** Ranks the tools of every case if an external retriever has to. */
  async #prepare(snapshot: ToolSnapshot): Promise<RunPreparation> {
    const { store, openExternalRetriever } = this.#parts;
    const evaluation = this.#evaluation;
    const tools = new FrozenTools(snapshot, (servers, query) =>
      store.caseRankings.get(evaluation.id, servers, query),
    );
    const { signal } = this.#abort;
    const rankingError = await rankCases(store, openExternalRetriever, evaluation, tools, signal);
    return new RunPreparation(evaluation, tools, rankingError);
  }

  /** Writes the results that a full disk held back. Throws while it is still full. */
  retryCommit(): void {
    this.#group.flush();
  }

  async #runAll(preparation: RunPreparation): Promise<void> {
    const waiting = this.#waitingRuns();
    const slots = Array.from({ length: this.#evaluation.settings.concurrency }, async () => {
      for (let next = waiting.next(); !next.done && !this.#isEnding(); next = waiting.next()) {
        if (!this.#halted.has(next.value.modelSettingsId))
          await this.#processRun(next.value, preparation);
      }
    });
    await Promise.all(slots);
  }

  /**
   * Takes one run from its query to its result. Returns when the model has answered: scoring goes on
   * in its worker while this slot sends the next query, and holds the permit until it is done.
   */
  async #processRun(run: WaitingRun, preparation: RunPreparation): Promise<void> {
    const release = await this.#unscored.acquire();
    let scoring: Promise<void> = Promise.resolve();
    try {
      await this.#yieldIfDue();
      if (this.#isEnding() || this.#halted.has(run.modelSettingsId)) return;
      const answered = await this.#askModel(run, preparation);
      if (answered) scoring = this.#scoreReply(answered);
    } finally {
      void scoring.finally(release);
    }
  }

  /** Whether no further run starts. */
  #isEnding(): boolean {
    return this.#abort.signal.aborted || this.#stopped !== null;
  }

  /**
   * The waiting runs of this part of the evaluation. The plan is read page by page, so that a large
   * one is never in memory as a whole.
   */
  *#waitingRuns(): Generator<WaitingRun, undefined> {
    const { shard } = this.#evaluation.settings;
    let cursor = 0;
    for (;;) {
      const page = this.#parts.store.testRuns.waiting(this.#evaluation.id, cursor, pageSize);
      for (const run of page) {
        cursor = run.rowid;
        if (shard === null || isInShard(run.position, shard)) yield run;
      }
      if (page.length < pageSize) return;
    }
  }

  /** Calls the model for one run. Returns null if there is nothing to be scored. */
  async #askModel(run: WaitingRun, preparation: RunPreparation): Promise<AnsweredRun | null> {
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
      this.#group.finish({ ...unanswered, failure: obstacle.failure, message: obstacle.message });
      return null;
    }
    if (!this.#spend.tryBegin()) {
      this.#stop('cancelled', this.#spend.refusal, false);
      return null;
    }
    this.#group.start(run.id);
    const { signal } = this.#abort;
    const account = new RequestAccount(this.#halted.signalOf(run.modelSettingsId));
    const price = this.#prices.get(run.modelSettingsId) ?? null;
    let costUsd = 0;
    let replied = false;
    try {
      const request = preparation.request(run, prepared);
      const reply = await unlessAborted(model.choose(request, signal, account), signal);
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
      if (failed)
        this.#group.finish({ ...unanswered, unreported: account.unreported(false), ...failed });
      if (error instanceof ChatFailure && error.fatal)
        this.#halt(run.modelSettingsId, error.message);
      return null;
    } finally {
      const lost = account.unreported(replied)?.usage;
      this.#spend.end(costUsd + ((lost && costOf(lost, price)) ?? 0));
      // What runs in progress still need was allowed for, but not beyond the limit.
      if (this.#spend.isReached) this.#halted.haltAll(this.#spend.refusal);
    }
  }

  /**
   * How a run without a reply ended. Null if it can't be stored, because the disk is full:
   * `endRuns` fails those runs.
   */
  #failureOf(error: unknown): { failure: FailureKind; message: string } | null {
    if (this.#earlyEnd.signal.aborted)
      return { failure: this.#earlyEnd.signal.reason as EarlyEnd, message: abandonedText(null) };
    if (error instanceof SendingHalted)
      return { failure: 'cancelled', message: abandonedText(error.message) };
    if (error instanceof ChatFailure) return { failure: error.kind, message: error.message };
    return { failure: 'internal', message: errorText(error) };
  }

  /** A refused key or spent quota ends the runs of one model, not those of the others. */
  #halt(modelSettingsId: string, reason: string): void {
    if (!this.#halted.halt(modelSettingsId, reason)) return;
    if (this.#halted.size >= new Set(this.#evaluation.modelSettingsIds).size)
      this.#stop('provider', this.#halted.reasons, false);
  }

  /** Scores an answer and hands it to the group commit. */
  async #scoreReply(answered: AnsweredRun): Promise<void> {
    try {
      const { observation } = answered.reply;
      const unusable = unusableReply(observation, answered.run.content.expectedCalls.length > 0, {
        tools: answered.offered.tools,
        sent: this.#models.get(answered.run.modelSettingsId)?.sent ?? {},
      });
      if (unusable) {
        this.#group.finish({ ...answered, failure: 'model', message: unusable });
        return;
      }
      const score = await this.#parts.scorer.score(answered.offered, {
        content: answered.run.content,
        observation,
        highConfidence: this.#evaluation.settings.highConfidence,
        argumentsMode: this.#evaluation.settings.argumentsMode,
      });
      this.#group.finish({ ...answered, score });
    } catch (error) {
      if (!this.#abort.signal.aborted)
        this.#group.finish({ ...answered, failure: 'internal', message: errorText(error) });
    }
  }

  #stop(failure: FailureKind, reason: string, disk: boolean): void {
    this.#stopped ??= { failure, reason, disk };
  }
}

function isDiskError(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'TROUBLE';
}
