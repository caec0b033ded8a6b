import { errorText } from '../../../src-shared/domain/errorText.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/store.ts';
import { unlessAborted } from '../../runtime/deadline.ts';
import { commitInChunks } from './commitInChunks.ts';
import { programEnded } from './endRuns.ts';
import { EventStream } from './eventStream.ts';
import { Resumes } from './resumes.ts';
import type { EvaluationHead, RunTables } from './runTables.ts';

export interface ActiveParts {
  store: Store;
  clock: Clock;
  /** The process that runs evaluations: process id and start time. */
  owner: string;
  /** A log for the person at the machine. */
  log?: Log | null;
}

/** Runs one evaluation from its committed plan to its end. */
export interface Runner {
  /** Never throws: every error is stored, or on a full disk kept for `retryCommit`. */
  run(): Promise<void>;
  cancel(): void;
  /** Touchstone is shutting down. */
  interrupt(): void;
  /** Writes the results that a full disk held back. Throws while it is still full. */
  retryCommit(): void;
  /** What no further run could survive; `disk` where the end could not be stored. */
  readonly stoppedBy: { reason: string; disk: boolean } | null;
}

/**
 * The evaluations of one unit that run in this process, and the stream of their events: started,
 * resumed, watched, canceled, and recovered after a process that is gone.
 */
export class ActiveRuns<Event extends { seq: number; type: string }> {
  readonly stream: EventStream<Event>;
  readonly #parts: ActiveParts;
  readonly #tables: RunTables<Event>;
  readonly #resumes: Resumes;
  readonly #runners = new Map<string, { runner: Runner; done: Promise<void> }>();
  /** Evaluations that stopped on a full disk, with results not yet written. */
  readonly #blocked = new Map<string, Runner>();
  readonly #onEnd = new Set<(id: string) => void>();
  #closed = false;

  constructor(parts: ActiveParts, tables: RunTables<Event>) {
    this.#parts = parts;
    this.#tables = tables;
    this.stream = new EventStream(tables.events, (id) => this.has(id));
    this.#resumes = new Resumes(tables.evaluations, parts.store.transaction, parts.owner);
  }

  /** True while runs of any evaluation are under way, or are about to be. */
  get isBusy(): boolean {
    return this.#runners.size > 0 || this.#resumes.size > 0;
  }

  /** True while its runs are under way, or are about to be. */
  has(id: string): boolean {
    return this.#runners.has(id) || this.#resumes.has(id);
  }

  /** Calls `ended` when an evaluation has ended, before anybody else hears of it. */
  onEnd(ended: (id: string) => void): void {
    this.#onEnd.add(ended);
  }

  /** Why an evaluation stopped on a full disk, which can't be stored there. */
  blockedReason(id: string): string | null {
    return this.#blocked.get(id)?.stoppedBy?.reason ?? null;
  }

  /**
   * Commits the rows of a new evaluation, one case, task or run per step. It becomes visible with
   * the last one: if the program ends earlier, the next start deletes what was written. `freeze`
   * returns the snapshot where the tools are known, and what it writes is committed with the plan.
   */
  async plan(
    { id, at, runs }: { id: string; at: string; runs: number },
    rows: Iterator<unknown>,
    freeze: (id: string) => string | null,
  ): Promise<void> {
    const { evaluations, events } = this.#tables;
    const event = await this.#commit(rows, () => {
      const snapshotId = freeze(id);
      if (snapshotId !== null) evaluations.setSnapshot(id, snapshotId);
      evaluations.setDeleted(id, null);
      return events.append(id, at, { type: 'planned', runs });
    });
    this.stream.publish(id, event);
  }

  /**
   * Commits further attempts, one per step. If the program ends between two chunks, some runs wait
   * and others are failed: a resume handles both.
   */
  async planAgain(id: string, at: string, rows: Iterator<unknown>): Promise<void> {
    const event = await this.#commit(rows, () =>
      this.#tables.events.append(id, at, { type: 'resumed', runs: this.#tables.countOpen(id) }),
    );
    this.stream.publish(id, event);
  }

  #commit(rows: Iterator<unknown>, last: () => Event): Promise<Event> {
    // No write may begin once the database is about to be closed.
    return commitInChunks(this.#parts, rows, last, () => {
      if (this.#closed)
        throw new ServiceError('TROUBLE', {
          thing: 'The evaluation',
          cause: 'Touchstone is shutting down.',
          nextStep: 'Start it again after a restart.',
        });
    });
  }

  /** Runs an evaluation from its committed plan to its end; one that waits has not started yet. */
  run(
    id: string,
    open: (publish: (event: Event) => void) => Runner,
    { waits }: { waits: boolean },
  ): void {
    this.#setRunning(id, waits);
    const runner = open((event) => {
      if (event.type === 'ended') this.#tellEnd(id);
      this.stream.publish(id, event);
    });
    const done = runner.run().then(() => {
      if (runner.stoppedBy?.disk) this.#blocked.set(id, runner);
      this.#runners.delete(id);
      this.stream.wakeReaders(id);
      this.#logEnd(id);
    });
    this.#runners.set(id, { runner, done });
  }

  /** Waits until another evaluation has ended, which is when this one starts. */
  async beginAfter(other: string, id: string, signal: AbortSignal): Promise<void> {
    await unlessAborted(this.#runners.get(other)?.done ?? Promise.resolve(), signal);
    this.#setRunning(id, false);
  }

  #setRunning(id: string, waits: boolean): void {
    const { clock, owner } = this.#parts;
    this.#tables.evaluations.setState(id, {
      ...{ state: 'running', reason: null, owner },
      ...{ startedAt: waits ? null : clock.now(), completedAt: null },
    });
  }

  /**
   * Continues an ended evaluation by `start`, which plans the next attempts and runs them; does
   * nothing where it runs already. Throws while a full disk still holds results back.
   */
  async resume(row: EvaluationHead, start: () => Promise<void>): Promise<void> {
    const { id } = row;
    if (this.#runners.has(id)) return;
    const blocked = this.#blocked.get(id);
    blocked?.retryCommit();
    this.#blocked.delete(id);
    try {
      await this.#resumes.start(row, blocked !== undefined, start);
    } finally {
      // Who watched a resume that failed has nothing to wait for.
      this.stream.wakeReaders(id);
    }
  }

  /**
   * Cancels an evaluation and waits until that is stored; leaves one that has ended as it is. Throws
   * CONFLICT where another process runs it.
   */
  async cancel({ id, number }: EvaluationHead): Promise<void> {
    await this.#resumes.settled(id);
    const active = this.#runners.get(id);
    if (active) {
      active.runner.cancel();
      await active.done;
      return;
    }
    const now = this.#tables.evaluations.get(id);
    if (now === null || hasEnded(now.state) || this.#blocked.has(id)) return;
    throw new ServiceError('CONFLICT', {
      thing: `${this.#tables.name} #${number}`,
      cause: 'It is not running in this window.',
      nextStep: 'Reload the page.',
    });
  }

  /** Interrupts all running evaluations and waits until that is stored. */
  async close(): Promise<void> {
    this.#closed = true;
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
    const { evaluations, events } = this.#tables;
    for (const { id } of evaluations.unfinished()) {
      const at = clock.now();
      const end = { state: 'interrupted', reason: programEnded } as const;
      store.transaction(() => {
        this.#tables.failRunning(id, 'interrupted', programEnded, at);
        evaluations.setState(id, { ...end, owner: null, startedAt: null, completedAt: at });
        events.append(id, at, { type: 'ended', ...end });
      });
    }
  }

  /**
   * Tells listeners that an evaluation has ended. One that throws must not keep the others, or the
   * end itself, from being seen: what it could not keep is made up for at the next start.
   */
  #tellEnd(id: string): void {
    for (const listener of this.#onEnd)
      try {
        listener(id);
      } catch (error) {
        this.#parts.log?.error(
          `What follows from the end of evaluation ${id} failed: ${errorText(error)}`,
        );
      }
  }

  /** Logs how an evaluation ended; never throws, because nobody would handle it. */
  #logEnd(id: string): void {
    const { log } = this.#parts;
    try {
      const ended = this.#tables.evaluations.get(id);
      if (ended !== null)
        log?.info(
          `${this.#tables.name} #${ended.number} of ${ended.suiteName}: ` +
            `${ended.state}${ended.reason === null ? '' : `, ${ended.reason}`}.`,
        );
    } catch (error) {
      log?.error(`How evaluation ${id} ended can't be read: ${errorText(error)}`);
    }
  }
}
