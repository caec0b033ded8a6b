import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { WorkerPool } from '../../../adapters/process/workerPool.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import {
  executeRead,
  type ReadResults,
  type ReadJob,
  type ReadRequest,
  type WorkerResult,
} from './readRequest.ts';
import { RunLists } from './runLists.ts';

export interface EvaluationReaderParts {
  store: Store;
  /** The database, which a worker opens for itself. */
  file: string;
  migrationsFolder: string;
  /** Evaluations of more runs are read in a worker. */
  maxInlineRuns?: number;
}

/** So many runs are folded in a few milliseconds; starting a thread takes longer. */
const defaultMaxInlineRuns = 500;
/**
 * Pages of a walk over all runs: a thread opens the database for each, and here each one is soon
 * out of memory again.
 */
const workerPageSize = 2_000;
const inlinePageSize = 250;
/** Far beyond what the largest evaluation needs; it only ends what would never end. */
const maxReadMs = 120_000;

const workerEntry = new URL(
  import.meta.url.endsWith('.ts') ? './readingWorker.ts' : './readingWorker.js',
  import.meta.url,
);

/**
 * Reads what needs a look at every run of an evaluation, large ones in a thread of their own:
 * nobody else waits meanwhile.
 */
export class EvaluationReader {
  readonly #parts: EvaluationReaderParts;
  readonly #lists = new RunLists();
  readonly #pool = new WorkerPool<ReadJob, WorkerResult>({
    entry: workerEntry,
    cpuLimitMs: maxReadMs,
  });

  constructor(parts: EvaluationReaderParts) {
    this.#parts = parts;
  }

  async read<Request extends ReadRequest>(
    evaluation: Pick<EvaluationRow, 'plannedRuns'>,
    request: Request,
  ): Promise<ReadResults[Request['kind']]> {
    const { store, file, migrationsFolder } = this.#parts;
    if (this.#isReadInline(evaluation))
      return executeRead(store, this.#lists, request) as ReadResults[Request['kind']];
    const [outcome] = await this.#pool.run([{ file, migrationsFolder, request }]);
    if (outcome?.outcome !== 'done')
      throw new Error(`Reading (${request.kind}) failed: ${outcome?.reason ?? 'no answer'}`);
    if ('refused' in outcome.value)
      throw new ServiceError(outcome.value.refused.code, outcome.value.refused.data);
    return outcome.value.value as ReadResults[Request['kind']];
  }

  /** How many runs somebody who walks over all of them should ask for at a time. */
  pageSize(evaluation: Pick<EvaluationRow, 'plannedRuns'>): number {
    return this.#isReadInline(evaluation) ? inlinePageSize : workerPageSize;
  }

  #isReadInline({ plannedRuns }: Pick<EvaluationRow, 'plannedRuns'>): boolean {
    return plannedRuns <= (this.#parts.maxInlineRuns ?? defaultMaxInlineRuns);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
