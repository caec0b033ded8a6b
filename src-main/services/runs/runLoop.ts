import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { Shard } from '../../../src-shared/domain/shard.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ChatModel } from '../../adapters/llm/chatModel.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Runner } from './activeRuns.ts';
import { endRuns } from './endRuns.ts';
import { GroupCommit } from './groupCommit.ts';
import type { EarlyEnd, RunTables } from './runTables.ts';
import { SpendMeter, type SpentBefore } from './spendMeter.ts';
import type { RefusedSetting } from '../../../src-shared/domain/refusedSetting.ts';
import { SendingHalted } from '../../adapters/llm/request/requestAccount.ts';

/**
 * Models that get no more requests, with the reason. Requests under way are awaited, because they
 * are paid for. The other runs wait for a resume while other models continue.
 */
class HaltedModels {
  readonly #reasons = new Map<string, string>();
  readonly #controllers = new Map<string, AbortController>();
  readonly #everything = new AbortController();

  has(modelSettingsId: string): boolean {
    return this.#reasons.has(modelSettingsId);
  }

  /** How many models are halted. */
  get size(): number {
    return this.#reasons.size;
  }

  /** All reasons, one after the other. */
  get reasons(): string {
    return [...this.#reasons.values()].join(' ');
  }

  /** Aborted with a SendingHalted when the model, or every one, gets no more requests. */
  signalOf(modelSettingsId: string): AbortSignal {
    return this.#controllerOf(modelSettingsId).signal;
  }

  /** Aborted when no model gets any more requests. */
  get all(): AbortSignal {
    return this.#everything.signal;
  }

  /** Halts a model. Returns false when it was halted before. */
  halt(modelSettingsId: string, reason: string): boolean {
    if (this.#reasons.has(modelSettingsId)) return false;
    this.#reasons.set(modelSettingsId, reason);
    this.#controllerOf(modelSettingsId).abort(new SendingHalted(reason));
    return true;
  }

  /** Sends nothing more to any model, not even what runs in progress still need. */
  haltAll(reason: string): void {
    this.#everything.abort(new SendingHalted(reason));
    for (const controller of this.#controllers.values()) controller.abort(this.all.reason);
  }

  #controllerOf(modelSettingsId: string): AbortController {
    const controller = this.#controllers.get(modelSettingsId) ?? new AbortController();
    this.#controllers.set(modelSettingsId, controller);
    if (this.all.aborted) controller.abort(this.all.reason);
    return controller;
  }
}

const pageSize = 200;

export interface WaitingOne {
  id: string;
  rowid: number;
  position: number;
  modelSettingsId: string;
}

/** What the runs of an evaluation are played with, whatever they are. */
export interface LoopParts<Event extends { seq: number; type: string }> {
  store: Store;
  clock: Clock;
  publish: (event: Event) => void;
  /** Returns the frozen tools: stored ones, or those of servers that have not answered yet. */
  freezeTools: (signal: AbortSignal) => Promise<ToolSnapshot>;
  /** Lists the tools again at the end, to find out whether they changed. */
  relistTools: (snapshot: ToolSnapshot, signal: AbortSignal) => Promise<void>;
}

interface LoopEvaluation {
  id: string;
  modelSettingsIds: readonly string[];
  suite: { inlineTools: boolean };
  settings: { concurrency: number; shard: Shard | null; spendLimitUsd: number | null };
}

/** What the runs of one unit are: all that differs between cases and tasks. */
export interface PlayedUnit<Waiting, Ended> {
  /** The next waiting runs after a row. */
  waiting(cursor: number, limit: number): readonly Waiting[];
  /** Gets ready, and returns what plays one run. */
  begin(snapshot: ToolSnapshot, signal: AbortSignal): Promise<(run: Waiting) => Promise<void>>;
  /** Waits for what runs have left under way. */
  idle?(): Promise<void>;
  /** Follows the last result that is stored, unless the disk is full. */
  beforeEnd?(earlyEnd: AbortSignal): Promise<void>;
  /** Stores started and ended runs in one transaction. */
  commit(started: readonly string[], ended: readonly Ended[]): void;
  /** What was spent in evaluations; it reads every run. */
  spentBefore(evaluationIds: readonly string[]): SpentBefore;
  /** Models beside those under test. */
  others?: readonly (ChatModel | null)[];
}

/**
 * Runs one evaluation from its committed plan to its end. Each start or resume has its own. Runs are
 * taken from the plan by `concurrency` slots, page by page, so that a large plan is never in memory
 * as a whole, and their results are committed in groups. It ends early when it is canceled or
 * interrupted, which aborts requests, or stopped by an error that no further run could survive or by
 * the spend limit: then requests under way are awaited, because they are paid for.
 */
export class RunLoop<
  Waiting extends WaitingOne,
  Ended extends { run: { id: string } },
  Event extends { seq: number; type: string },
> implements Runner {
  readonly #parts: LoopParts<Event> & { tables: RunTables<Event> };
  readonly #evaluation: LoopEvaluation;
  readonly #models: ReadonlyMap<string, ChatModel>;
  readonly #unit: PlayedUnit<Waiting, Ended>;
  readonly #abort = new AbortController();
  readonly #earlyEnd = new AbortController();
  readonly #keepRefused: () => void;
  /** Set once no run can succeed any more: a full disk, or refused keys. */
  #stopped: { reason: string; disk: boolean } | null = null;
  readonly group: GroupCommit<Ended>;
  readonly halted = new HaltedModels();
  readonly spend: SpendMeter;

  constructor(
    parts: LoopParts<Event> & { tables: RunTables<Event> },
    evaluation: LoopEvaluation,
    models: ReadonlyMap<string, ChatModel>,
    unit: PlayedUnit<Waiting, Ended>,
  ) {
    this.#parts = parts;
    this.#evaluation = evaluation;
    this.#models = models;
    this.#unit = unit;
    const { spendLimitUsd } = evaluation.settings;
    this.spend = new SpendMeter(
      spendLimitUsd,
      spendLimitUsd === null
        ? undefined
        : unit.spentBefore(parts.store.evaluations.underOneLimit(evaluation.id)),
    );
    this.#keepRefused = keepRefused(evaluation.id, models, (...refused) =>
      parts.tables.evaluations.setRefused(...refused),
    );
    this.group = new GroupCommit<Ended>({
      commit: (started, ended) => {
        this.#keepRefused();
        unit.commit(started, ended);
      },
      idOf: ({ run }) => run.id,
      onError: (error) => this.stop(errorText(error), true),
    });
  }

  get stoppedBy(): { reason: string; disk: boolean } | null {
    return this.#stopped;
  }

  /** Aborts requests. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Aborted with the reason where the evaluation ends before its last run. */
  get earlyEnd(): AbortSignal {
    return this.#earlyEnd.signal;
  }

  /** Whether no further run starts. */
  get isEnding(): boolean {
    return this.signal.aborted || this.#stopped !== null;
  }

  cancel(): void {
    this.#endEarly('cancelled');
  }

  interrupt(): void {
    this.#endEarly('interrupted');
  }

  #endEarly(by: EarlyEnd): void {
    this.#earlyEnd.abort(by);
    this.#abort.abort();
  }

  retryCommit(): void {
    this.group.flush();
  }

  /** Starts no further run, and sends nothing more for those in progress. */
  stop(reason: string, disk = false): void {
    if (this.#stopped === null || disk) this.#stopped = { reason, disk };
    this.halted.haltAll(reason);
  }

  /** A refused key or spent quota ends the runs of one model, not those of the others. */
  halt(modelSettingsId: string, reason: string): void {
    if (!this.halted.halt(modelSettingsId, reason)) return;
    if (this.halted.size >= new Set(this.#evaluation.modelSettingsIds).size)
      this.stop(this.halted.reasons);
  }

  /** Whether a run may begin under the spend limit; without that, no further one starts. */
  mayBegin(): boolean {
    if (this.spend.tryBegin()) return true;
    // Runs in progress go on: what they still need was allowed for.
    this.#stopped ??= { reason: this.spend.refusal, disk: false };
    return false;
  }

  async run(): Promise<void> {
    const { signal } = this;
    const { freezeTools, relistTools } = this.#parts;
    try {
      const snapshot = await freezeTools(signal);
      const play = await this.#unit.begin(snapshot, signal);
      const waiting = this.#waitingRuns();
      const slots = Array.from({ length: this.#evaluation.settings.concurrency }, async () => {
        for (let next = waiting.next(); !next.done && !this.isEnding; next = waiting.next())
          if (!this.halted.has(next.value.modelSettingsId)) await play(next.value);
      });
      await Promise.all(slots);
      // Tools that no server was asked for can't have changed meanwhile: a what-if starts no server.
      if (!this.isEnding && !this.#evaluation.suite.inlineTools)
        await relistTools(snapshot, signal);
    } catch (error) {
      if (!signal.aborted)
        this.stop(errorText(error), error instanceof ServiceError && error.code === 'TROUBLE');
    }
    await this.#unit.idle?.();
    try {
      this.group.flush();
      this.#keepRefused();
      if (this.#stopped?.disk !== true) await this.#unit.beforeEnd?.(this.earlyEnd);
      const { store, clock, tables, publish } = this.#parts;
      const event = endRuns({ store, clock }, tables, this.#evaluation.id, {
        endedBy: this.earlyEnd.aborted ? (this.earlyEnd.reason as EarlyEnd) : null,
        // By now, runs that were in progress have added to the spend.
        stopReason: this.spend.refused ?? this.#stopped?.reason ?? null,
        haltReasons: this.halted.reasons,
        shard: this.#evaluation.settings.shard,
      });
      publish(event);
    } catch (error) {
      this.stop(errorText(error), true);
    } finally {
      const all = [...this.#models.values(), ...(this.#unit.others ?? [])];
      await Promise.allSettled(all.map(async (model) => model?.close()));
    }
  }

  *#waitingRuns(): Generator<Waiting, undefined> {
    let cursor = 0;
    for (;;) {
      const page = this.#unit.waiting(cursor, pageSize);
      for (const run of page) {
        cursor = run.rowid;
        yield run;
      }
      if (page.length < pageSize) return;
    }
  }
}

/**
 * Returns a function that stores what endpoints refused since it was called last. It is called with
 * each group of results, so that a resume goes on with what was learned.
 */
function keepRefused(
  id: string,
  models: ReadonlyMap<string, ChatModel>,
  set: (id: string, modelSettingsId: string, refused: readonly RefusedSetting[]) => void,
): () => void {
  const kept = new Map<string, number>();
  return () => {
    for (const [modelSettingsId, { refused = [] }] of models) {
      if (refused.length === (kept.get(modelSettingsId) ?? 0)) continue;
      set(id, modelSettingsId, refused);
      kept.set(modelSettingsId, refused.length);
    }
  };
}
