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
   * Computing time of the worker's own thread that one item may use, and its wall-clock backstop.
   */
  cpuLimitMs: number;
  wallLimitMs: number;
  /** How long it may take to start, or to get from one item to the next. */
  stallLimitMs: number;
  resourceLimits: ResourceLimits;
}

/** Why a worker was lost, and at which item; index null = it was not working at one. */
export interface Loss {
  kind: 'over_time' | 'crashed' | 'stalled';
  index: number | null;
  stage: number;
  detail: number;
  reason: string;
}

export interface WatchedWorkerEvents {
  onMessage: (message: WorkerMessage) => void;
  /** At most once; the thread is gone or going. */
  onLoss: (loss: Loss) => void;
}

/**
 * One worker thread and the eye on it: it is ended when an item exceeds its time, whatever the item
 * is doing.
 */
export class WatchedWorker {
  readonly #options: WatchOptions;
  readonly #events: WatchedWorkerEvents;
  readonly #worker: Worker;
  readonly #progress: Int32Array;
  #timer: NodeJS.Timeout | null = null;
  #sequence = 0;
  #since = 0;
  #cpuAtStart: number | null = null;
  #asking = false;
  #over = false;

  constructor(options: WatchOptions, events: WatchedWorkerEvents) {
    this.#options = options;
    this.#events = events;
    const progress = new SharedArrayBuffer(PROGRESS_BYTES);
    this.#progress = new Int32Array(progress);
    this.#worker = new Worker(options.entry, {
      workerData: { progress },
      resourceLimits: options.resourceLimits,
      execArgv: [],
      env: {},
    });
    this.#worker.on('message', (message: WorkerMessage) => {
      if (!this.#over) events.onMessage(message);
    });
    this.#worker.on('messageerror', (error) => this.#lose('crashed', error.message));
    this.#worker.on('error', (error) => this.#lose('crashed', errorText(error)));
    this.#worker.on('exit', (code) => this.#lose('crashed', `The worker ended with code ${code}.`));
    this.#watch();
  }

  send(message: BatchMessage): void {
    this.#worker.postMessage(message);
    this.#worker.ref();
    this.#watch();
  }

  /** Nothing is under way: no timer runs, and the thread does not keep the process alive. */
  rest(): void {
    this.#stopWatching();
    this.#worker.unref();
  }

  async terminate(): Promise<void> {
    this.#over = true;
    this.#stopWatching();
    await this.#worker.terminate();
  }

  #watch(): void {
    if (this.#timer !== null) return;
    this.#sequence = this.#load('sequence');
    this.#since = performance.now();
    this.#cpuAtStart = null;
    this.#timer = setInterval(() => this.#look(), Math.max(5, this.#options.cpuLimitMs / 8));
  }

  #stopWatching(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #load(slot: keyof typeof progressSlots): number {
    return Atomics.load(this.#progress, progressSlots[slot]);
  }

  #look(): void {
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
      else void this.#askForCpu(sequence);
    } else if (waited >= this.#options.stallLimitMs)
      this.#lose('stalled', `The worker did nothing for ${this.#options.stallLimitMs} ms.`);
  }

  /** Wall-clock time says nothing on a loaded machine; the thread's own computing time does. */
  async #askForCpu(sequence: number): Promise<void> {
    if (this.#asking || typeof this.#worker.cpuUsage !== 'function') return;
    this.#asking = true;
    try {
      const { user, system } = await this.#worker.cpuUsage();
      const usedMs = (user + system) / 1000; // reported in microseconds
      if (this.#load('sequence') !== sequence || this.#sequence !== sequence) return;
      this.#cpuAtStart ??= usedMs;
      if (usedMs - this.#cpuAtStart >= this.#options.cpuLimitMs) {
        this.#lose(
          'over_time',
          `It used more than ${this.#options.cpuLimitMs} ms of computing time.`,
        );
      }
    } catch {
      // The thread has just ended; its exit is reported by itself.
    } finally {
      this.#asking = false;
    }
  }

  #lose(kind: Loss['kind'], reason: string): void {
    if (this.#over) return;
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
