import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import type { ChatModel } from '../../../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../../../adapters/mcp/mcpConnection.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { TokenCounts } from '../../tokens/tokenCounts.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import type { Log } from '../../../runtime/log.ts';
import { programEnded } from './endEvaluation.ts';
import { EvaluationRunner } from './evaluationRunner.ts';
import { EventStream } from './eventStream.ts';
import { freezeTools, neededServers } from '../tools/freezeTools.ts';
import { relistTools } from '../tools/relistTools.ts';
import { Resumes } from './resumes.ts';
import { tellEnd } from './tellEnd.ts';
import type { OpenExternalRetriever } from '../tools/rankCases.ts';
import type { Scorer } from '../score/scorer.ts';

export interface ActiveParts {
  store: Store;
  tokens: TokenCounts;
  connect: ConnectMcp;
  scorer: Scorer;
  openExternalRetriever: OpenExternalRetriever;
  clock: Clock;
  nextId: NextId;
  /** The process that runs evaluations: process id and start time. */
  owner: string;
  /** A log for the person at the machine. */
  log?: Log | null;
}

/** The evaluations that run in this process, and the stream of their events. */
export class ActiveEvaluations {
  readonly stream: EventStream<EvaluationEvent>;
  readonly resumes: Resumes;
  readonly #parts: ActiveParts;
  readonly #runners = new Map<string, { runner: EvaluationRunner; done: Promise<void> }>();
  /** Evaluations that stopped on a full disk, with results not yet written. */
  readonly #blocked = new Map<string, EvaluationRunner>();
  readonly #onEnd = new Set<(id: string) => void>();

  constructor(parts: ActiveParts) {
    this.#parts = parts;
    const { store, owner } = parts;
    this.stream = new EventStream(store.events, (id) => this.has(id));
    this.resumes = new Resumes(store.evaluations, store.transaction, owner);
  }

  /** True while its runs are under way, or are about to be. */
  has(id: string): boolean {
    return this.runs(id) || this.resumes.has(id);
  }

  runs(id: string): boolean {
    return this.#runners.has(id);
  }

  /** Calls `ended` when an evaluation has ended, before anybody else hears of it. */
  onEnd(ended: (id: string) => void): void {
    this.#onEnd.add(ended);
  }

  isBlocked(id: string): boolean {
    return this.#blocked.has(id);
  }

  /** Why an evaluation stopped on a full disk, which can't be stored there. */
  blockedReason(id: string): string | null {
    return this.#blocked.get(id)?.stoppedBy?.reason ?? null;
  }

  /** Writes the results that a full disk held back. Throws while it is still full. */
  retryBlocked(id: string): void {
    this.#blocked.get(id)?.retryCommit();
    this.#blocked.delete(id);
  }

  /**
   * Runs an evaluation from its committed plan to its end. Takes over the models and closes them.
   */
  run(row: EvaluationRow, models: ReadonlyMap<string, ChatModel>): void {
    const { store, clock, owner } = this.#parts;
    const publish = (event: EvaluationEvent) => {
      if (event.type === 'ended') tellEnd(this.#onEnd, row.id, this.#parts.log);
      this.stream.publish(row.id, event);
    };
    store.evaluations.setState(row.id, {
      state: 'running',
      reason: null,
      owner,
      startedAt: clock.now(),
      completedAt: null,
    });
    const runner = new EvaluationRunner(
      {
        ...this.#parts,
        publish,
        freezeTools: ({ id, snapshotId, suite, ...evaluation }, signal) =>
          freezeTools(
            this.#parts,
            {
              snapshotId,
              inlineTools: suite.inlineTools,
              neededServers: () => neededServers(store, { id, suite, ...evaluation }),
              keep: (snapshot, event) => {
                store.evaluations.setSnapshot(id, snapshot.id);
                const logged = store.events.append(id, clock.now(), event);
                return () => {
                  publish(logged);
                };
              },
            },
            signal,
          ),
        relistTools: (snapshot, signal) => relistTools(this.#parts, snapshot, signal),
      },
      row,
      models,
    );
    const done = runner.run().then(() => {
      if (runner.stoppedBy?.disk) this.#blocked.set(row.id, runner);
      this.#runners.delete(row.id);
      this.stream.wakeReaders(row.id);
      this.#logEnd(row.id);
    });
    this.#runners.set(row.id, { runner, done });
  }

  /** Logs how an evaluation ended; never throws, because nobody would handle it. */
  #logEnd(id: string): void {
    const { log, store } = this.#parts;
    try {
      const ended = store.evaluations.get(id);
      if (ended !== null)
        log?.info(
          `Evaluation #${ended.number} of ${ended.suiteName}: ` +
            `${ended.state}${ended.reason === null ? '' : `, ${ended.reason}`}.`,
        );
    } catch (error) {
      log?.error(`How evaluation ${id} ended can't be read: ${errorText(error)}`);
    }
  }

  /**
   * Cancels an evaluation and waits until that is stored. Returns false when it does not run here.
   */
  async cancel(id: string): Promise<boolean> {
    await this.resumes.settled(id);
    const active = this.#runners.get(id);
    if (!active) return false;
    active.runner.cancel();
    await active.done;
    return true;
  }

  /** Interrupts all running evaluations and waits until that is stored. */
  async close(): Promise<void> {
    const running = [...this.#runners.values()];
    for (const { runner } of running) runner.interrupt();
    await Promise.all(running.map(({ done }) => done));
  }

  /**
   * Marks evaluations whose process is gone as interrupted. Runs that were under way fail; waiting
   * runs keep waiting, and a resume continues with them.
   */
  recover(): void {
    const { store, clock } = this.#parts;
    store.evaluations.purgeDeleted();
    for (const { id } of store.evaluations.unfinished()) {
      const at = clock.now();
      const reason = programEnded;
      store.transaction(() => {
        store.testRuns.failRunning(id, 'interrupted', reason, at);
        store.evaluations.setState(id, {
          state: 'interrupted',
          reason,
          owner: null,
          startedAt: null,
          completedAt: at,
        });
        store.events.append(id, at, { type: 'ended', state: 'interrupted', reason });
      });
    }
  }
}
