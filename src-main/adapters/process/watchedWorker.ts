import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import {
  PROGRESS_BYTES,
  progressSlots,
  type BatchMessage,
  type WorkerMessage,
} from './itemLoop.ts';

export interface WatchOptions {
  entry: URL;
  /**
   * Computing time of the worker's own thread that one item may use, and its wall-clock limit.
   */
  cpuLimitMs: number;
  wallLimitMs: number;
  /** How long the worker may take to start, or to get from one item to the next. */
  stallLimitMs: number;
  resourceLimits: ResourceLimits;
}

/** Why a worker was lost, and at which item; the index is null if it was between items. */
export interface Loss {
  kind: 'over_time' | 'crashed' | 'stalled';
  index: number | null;
  stage: number;
  detail: number;
  reason: string;
}

export interface WatchedWorkerEvents {
  onMessage: (message: WorkerMessage) => void;
  /** Called at most once, when the thread has ended or is being ended. */
  onLoss: (loss: Loss) => void;
}

/**
 * How threads start and end. Tests open services hundreds of times in one process: they start
 * threads from bundles, and keep idle ones for the next pool.
 */
export const threads = { keep: false, locate: (entry: URL): URL => entry };

/**
 * One worker thread and its watchdog, which ends the thread when an item exceeds its time, whatever
 * the item is doing.
 */
export class WatchedWorker {
  #options: WatchOptions;
  #events: WatchedWorkerEvents;
  readonly #worker: Worker;
  readonly #progress: Int32Array;
  #timer: NodeJS.Timeout | null = null;
  #sequence = 0;
  #since = 0;
  #cpuAtStart: number | null = null;
  #isMeasuring = false;
  #isEnded = false;

  constructor(options: WatchOptions, events: WatchedWorkerEvents) {
    this.#options = options;
    this.#events = events;
    // The folder of this version of Node is in the one that was given.
    const compiled = getCompileCacheDir();
    const progress = new SharedArrayBuffer(PROGRESS_BYTES);
    this.#progress = new Int32Array(progress);
    this.#worker = new Worker(threads.locate(options.entry), {
      workerData: { progress },
      resourceLimits: options.resourceLimits,
      execArgv: [],
      // No variable of the process but the folder of compiled code, which halves the start.
      env: { ...(compiled !== undefined && { NODE_COMPILE_CACHE: dirname(compiled) }) },
    });
    this.#worker.on('message', (message: WorkerMessage) => {
      if (!this.#isEnded) this.#events.onMessage(message);
    });
    this.#worker.on('messageerror', (error) => this.#lose('crashed', error.message));
    this.#worker.on('error', (error) => this.#lose('crashed', errorText(error)));
    this.#worker.on('exit', (code) => this.#lose('crashed', `The worker ended with code ${code}.`));
    this.#watch();
  }

  send(message: BatchMessage): void {
    // What the last item reported is not of this one.
    for (const slot of [progressSlots.stage, progressSlots.detail])
      Atomics.store(this.#progress, slot, 0);
    this.#worker.postMessage(message);
    this.#worker.ref();
    this.#watch();
  }

  /** What the item in work last reported. */
  get reported(): { stage: number; detail: number } {
    return { stage: this.#load('stage'), detail: this.#load('detail') };
  }

  /** Marks the worker as idle: no timer runs, and the thread does not keep the process alive. */
  setIdle(): void {
    this.#stopWatching();
    this.#worker.unref();
  }

  /** Hands an idle thread to another pool, with its limits. */
  handTo(options: WatchOptions, events: WatchedWorkerEvents): void {
    this.#options = options;
    this.#events = events;
  }

  async terminate(): Promise<void> {
    this.#isEnded = true;
    this.#stopWatching();
    await this.#worker.terminate();
  }

  #watch(): void {
    if (this.#timer !== null) return;
    this.#sequence = this.#load('sequence');
    this.#since = performance.now();
    this.#cpuAtStart = null;
    this.#timer = setInterval(() => this.#poll(), Math.max(5, this.#options.cpuLimitMs / 8));
  }

  #stopWatching(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #load(slot: keyof typeof progressSlots): number {
    return Atomics.load(this.#progress, progressSlots[slot]);
  }

  #poll(): void {
    const sequence = this.#load('sequence');
    if (sequence !== this.#sequence) {
      this.#sequence = sequence;
      this.#since = performance.now();
      this.#cpuAtStart = null;
    }
    const working = sequence % 2 !== 0;
    const waited = performance.now() - this.#since;
    if (working) {
      if (waited >= this.#options.wallLimitMs)
        this.#lose('over_time', `It took longer than ${this.#options.wallLimitMs} ms.`);
      else void this.#checkCpuTime(sequence);
    } else if (waited >= this.#options.stallLimitMs)
      this.#lose('stalled', `The worker did not respond for ${this.#options.stallLimitMs} ms.`);
  }

  /** Measures computing time, because wall-clock time says little on a loaded machine. */
  async #checkCpuTime(sequence: number): Promise<void> {
    if (this.#isMeasuring || typeof this.#worker.cpuUsage !== 'function') return;
    this.#isMeasuring = true;
    try {
      const { user, system } = await this.#worker.cpuUsage();
      const usedMs = (user + system) / 1000; // reported in microseconds
      if (this.#load('sequence') !== sequence || this.#sequence !== sequence) return;
      this.#cpuAtStart ??= usedMs;
      if (usedMs - this.#cpuAtStart >= this.#options.cpuLimitMs) {
        this.#lose('over_time', `It used more than ${this.#options.cpuLimitMs} ms of CPU time.`);
      }
    } catch {
      // The thread has just ended; its exit event follows.
    } finally {
      this.#isMeasuring = false;
    }
  }

  #lose(kind: Loss['kind'], reason: string): void {
    if (this.#isEnded) return;
    const working = this.#load('sequence') % 2 !== 0;
    const index = working ? this.#load('index') : null;
    const loss: Loss = {
      kind,
      index,
      stage: this.#load('stage'),
      detail: this.#load('detail'),
      reason,
    };
    void this.terminate();
    this.#events.onLoss(loss);
  }
}
