/**
 * Our own pool of worker threads. Pools from npm know a task and its wall-clock time. Here a batch
 * of items shares a thread, every item has a limit of CPU time, and one that exceeds it (the
 * pattern `^(a+)+$` takes 11.6 s for 28 characters) is named while all others get their result.
 */
import type { ResourceLimits } from 'node:worker_threads';
import type { BatchMessage, ItemOutcome, WorkerMessage } from './itemLoop.ts';
import {
  threads,
  WatchedWorker,
  type Loss,
  type WatchedWorkerEvents,
  type WatchOptions,
} from './watchedWorker.ts';

export type { ItemOutcome } from './itemLoop.ts';

export interface WorkerPoolOptions {
  /** The module that calls `serveItems`. */
  entry: URL;
  /** Number of threads, started when needed. Default 1. */
  size?: number;
  /** Computing time for one item in ms. Default 200. */
  cpuLimitMs?: number;
  /**
   * Wall-clock limit for one item in ms, for one that waits without computing. Default 25 × the
   * computing time: on a loaded machine an item gets a tenth of a processor and less.
   */
  wallLimitMs?: number;
  /** How long a worker may take to start, or from item to item, in ms. Default 30,000. */
  stallLimitMs?: number;
  resourceLimits?: ResourceLimits;
  /** How many shared values a worker keeps. Default 8. */
  sharedValues?: number;
}

export interface RunOptions {
  signal?: AbortSignal;
  /**
   * A value for all items, sent once to each worker that needs it. The same key always means the
   * same value.
   */
  shared?: { key: string; value: unknown };
  /**
   * Ends the batch at the first item that is lost; the others are `skipped`. For callers who can
   * learn from a loss before they try the rest.
   */
  endAtLoss?: boolean;
}

interface Job {
  items: readonly unknown[];
  outcomes: (ItemOutcome<unknown> | undefined)[];
  shared: RunOptions['shared'];
  endAtLoss: boolean;
  losses: number;
  settled: boolean;
  resolve: (outcomes: ItemOutcome<unknown>[]) => void;
  reject: (error: unknown) => void;
}

interface Slot {
  worker: WatchedWorker;
  ready: boolean;
  job: Job | null;
  batch: number;
  /** Keys of the shared values that the worker holds, least recently used first. */
  keys: string[];
  /** Keys of an earlier pool, which mean nothing in this one. */
  stale: string[];
}

/** Idle threads of closed pools, see `threads.keep`. */
const kept = new Set<Slot & { kind: string }>();

/** An error as it is, anything else wrapped in one. */
export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * A batch whose worker is lost this often between items is rejected; so is every batch if no worker
 * starts this often in a row.
 */
const maxLosses = 3;

/**
 * Processes items in worker threads, each item within its own time limit. An item that exceeds it
 * gets the outcome `over_time`, one that ends its thread `crashed`. The thread is replaced, and the
 * other items of the batch are repeated. An abort rejects the batch at once and drops its result.
 * `close` ends all threads. Batches run in the order in which they came.
 */
export class WorkerPool<Item, Result> {
  readonly #watch: WatchOptions;
  readonly #size: number;
  readonly #sharedValues: number;
  readonly #slots = new Set<Slot>();
  readonly #ending = new Set<Promise<void>>();
  readonly #queue: Job[] = [];
  #batches = 0;
  #failedStarts = 0;
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    const cpuLimitMs = options.cpuLimitMs ?? 200;
    this.#watch = {
      entry: options.entry,
      cpuLimitMs,
      wallLimitMs: options.wallLimitMs ?? 25 * cpuLimitMs,
      stallLimitMs: options.stallLimitMs ?? 30_000,
      resourceLimits: options.resourceLimits ?? {},
    };
    this.#size = options.size ?? 1;
    this.#sharedValues = options.sharedValues ?? 8;
  }

  /**
   * Returns the outcomes in the order of the items. Rejects with the signal's reason, when the pool
   * is closed, or when no worker stays alive.
   */
  async run(items: readonly Item[], options: RunOptions = {}): Promise<ItemOutcome<Result>[]> {
    if (this.#closed) throw new Error('The worker pool is closed.');
    const { signal } = options;
    signal?.throwIfAborted();
    if (items.length === 0) return [];
    return new Promise<ItemOutcome<Result>[]>((resolve, reject) => {
      const job: Job = {
        items,
        outcomes: new Array<undefined>(items.length).fill(undefined),
        shared: options.shared,
        endAtLoss: options.endAtLoss ?? false,
        losses: 0,
        settled: false,
        resolve: (outcomes) => settle(() => resolve(outcomes as ItemOutcome<Result>[])),
        reject: (error) => settle(() => reject(toError(error))),
      };
      const abort = (): void => {
        const place = this.#queue.indexOf(job);
        if (place >= 0) this.#queue.splice(place, 1);
        job.reject(signal?.reason);
      };
      const settle = (end: () => void): void => {
        if (job.settled) return;
        job.settled = true;
        signal?.removeEventListener('abort', abort);
        end();
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#queue.push(job);
      this.#dispatch();
    });
  }

  /** What the item in work last reported, of one thread; null if none works. */
  get reported(): { stage: number; detail: number } | null {
    const busy = [...this.#slots].find(({ job, ready }) => ready && job !== null);
    return busy?.worker.reported ?? null;
  }

  /** Ends all threads and rejects every batch that is not finished. */
  async close(): Promise<void> {
    this.#closed = true;
    const slots = [...this.#slots];
    this.#slots.clear();
    this.#rejectAll(new Error('The worker pool is closed.'), slots);
    await Promise.all([
      ...slots.map((slot) => (this.#keep(slot) ? undefined : slot.worker.terminate())),
      ...this.#ending,
    ]);
  }

  get #kind(): string {
    return JSON.stringify([this.#watch.entry, this.#watch.resourceLimits]);
  }

  #keep(slot: Slot): boolean {
    if (!threads.keep || !slot.ready || slot.job !== null) return false;
    const idle = { ...slot, kind: this.#kind };
    slot.worker.handTo(this.#watch, {
      onMessage: () => undefined,
      onLoss: () => void kept.delete(idle),
    });
    kept.add(idle);
    return true;
  }

  /** Takes over a thread that does the same as those of this pool. */
  #takeOver(): Slot | null {
    for (const idle of kept) {
      if (idle.kind !== this.#kind) continue;
      kept.delete(idle);
      const stale = [...idle.stale, ...idle.keys];
      const slot: Slot = { ...idle, batch: 0, keys: [], stale };
      slot.worker.handTo(
        this.#watch,
        this.#eventsOf(() => slot),
      );
      return slot;
    }
    return null;
  }

  #eventsOf(slot: () => Slot): WatchedWorkerEvents {
    return {
      onMessage: (message) => this.#receive(slot(), message),
      onLoss: (loss) => this.#replace(slot(), loss),
    };
  }

  #rejectAll(error: Error, slots: Iterable<Slot>): void {
    for (const job of this.#queue.splice(0)) job.reject(error);
    for (const slot of slots) slot.job?.reject(error);
  }

  #dispatch(): void {
    for (const slot of this.#slots) {
      if (this.#queue.length === 0) return;
      if (slot.ready && slot.job === null) this.#assign(slot, this.#queue.shift());
    }
    const starting = [...this.#slots].filter((slot) => !slot.ready).length;
    if (this.#queue.length > starting && this.#slots.size < this.#size) this.#start();
  }

  #start(): void {
    const slot: Slot = this.#takeOver() ?? {
      worker: new WatchedWorker(
        this.#watch,
        this.#eventsOf(() => slot),
      ),
      ready: false,
      job: null,
      batch: 0,
      keys: [],
      stale: [],
    };
    this.#slots.add(slot);
    if (slot.ready) this.#dispatch();
  }

  #receive(slot: Slot, message: WorkerMessage): void {
    if (message.type === 'ready') {
      slot.ready = true;
      this.#failedStarts = 0;
      slot.worker.setIdle();
    } else if (slot.job && message.batch === slot.batch) {
      const { job } = slot;
      slot.job = null;
      slot.worker.setIdle();
      for (const { index, outcome } of message.outcomes) job.outcomes[index] = outcome;
      job.resolve(job.outcomes.filter((outcome) => outcome !== undefined));
    }
    this.#dispatch();
  }

  #assign(slot: Slot, job: Job | undefined): void {
    if (!job) return;
    slot.batch = this.#batches += 1;
    const items = job.items.flatMap((item, index) =>
      job.outcomes[index] === undefined ? [{ index, item }] : [],
    );
    const message: BatchMessage = {
      batch: slot.batch,
      items,
      key: job.shared?.key ?? null,
      drop: slot.stale.splice(0),
    };
    if (job.shared) {
      const { key, value } = job.shared;
      const known = slot.keys.includes(key);
      slot.keys = [...slot.keys.filter((other) => other !== key), key];
      if (!known) message.shared = { value };
      message.drop.push(...slot.keys.splice(0, Math.max(0, slot.keys.length - this.#sharedValues)));
    }
    try {
      slot.worker.send(message);
      slot.job = job;
    } catch (error) {
      // The value can't be sent, so the worker did not get the shared value either.
      if (message.shared) slot.keys.pop();
      job.reject(error);
      queueMicrotask(() => this.#dispatch());
    }
  }

  #replace(slot: Slot, loss: Loss): void {
    this.#slots.delete(slot);
    const ending = slot.worker.terminate().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    const { job } = slot;
    if (job && !job.settled) {
      if (loss.index === null) job.losses += 1;
      else {
        const outcome = loss.kind === 'over_time' ? 'over_time' : 'crashed';
        job.outcomes[loss.index] = {
          outcome,
          stage: loss.stage,
          detail: loss.detail,
          reason: loss.reason,
        };
        if (job.endAtLoss)
          for (const index of job.outcomes.keys())
            job.outcomes[index] ??= { outcome: 'skipped', reason: 'Another item was lost.' };
      }
      if (job.losses >= maxLosses)
        job.reject(new Error(`The worker was lost ${maxLosses} times: ${loss.reason}`));
      else if (job.outcomes.every((outcome) => outcome !== undefined)) job.resolve(job.outcomes);
      else this.#queue.unshift(job);
    }
    if (!slot.ready && (this.#failedStarts += 1) >= maxLosses) {
      this.#failedStarts = 0;
      this.#rejectAll(
        new Error(`The worker ${this.#watch.entry.href} does not start: ${loss.reason}`),
        [],
      );
    }
    this.#dispatch();
  }
}
