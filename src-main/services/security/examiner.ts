import type { Finding, PeerTool, RuleDetector } from '../../../src-shared/domain/security.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import type { Subject } from '../../analysis/detectors/subject.ts';
import type { DetectorItem } from './detectorWorker.ts';
import { besideModule } from '../../runtime/besideModule.ts';

export interface ExaminationResult {
  findings: Finding[];
  /** Why the subject could not be examined; null if it was. */
  problem: string | null;
}

const workerEntry = besideModule(import.meta.url, 'detectorWorker');
const batchSize = 200;
/** A tool of one megabyte takes about a tenth of this. */
const cpuLimitMs = 5_000;

/**
 * Runs the detectors in worker threads, so that a hostile text can block neither the program nor
 * the other subjects: each has its own CPU limit. Must be closed.
 */
export class Examiner {
  readonly #pool = new WorkerPool<DetectorItem, Finding[]>({
    entry: workerEntry,
    cpuLimitMs,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  #keys = 0;

  /**
   * Results in the order of the subjects. `peers` are shared by all subjects and sent to each
   * worker once.
   */
  async examine(
    subjects: readonly Subject[],
    detectors: readonly RuleDetector[],
    options: { signal?: AbortSignal; peers?: readonly PeerTool[] } = {},
  ): Promise<ExaminationResult[]> {
    const { signal, peers } = options;
    this.#keys += 1;
    const shared = peers ? { key: `peers ${this.#keys}`, value: peers } : null;
    const examined: ExaminationResult[] = [];
    for (let start = 0; start < subjects.length; start += batchSize) {
      const items = subjects
        .slice(start, start + batchSize)
        .map((subject) => ({ subject, detectors }));
      const outcomes = await this.#pool.run(items, {
        ...(signal ? { signal } : {}),
        ...(shared ? { shared } : {}),
      });
      for (const outcome of outcomes)
        examined.push(
          outcome.outcome === 'done'
            ? { findings: outcome.value, problem: null }
            : { findings: [], problem: outcome.reason },
        );
    }
    return examined;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
