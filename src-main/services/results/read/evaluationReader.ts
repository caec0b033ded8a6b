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
import { besideModule } from '../../../runtime/besideModule.ts';

export interface EvaluationReaderParts {
  store: Store;
  /** The database file: a worker opens its own connection. */
  file: string;
  migrationsFolder: string;
  /** Evaluations with more runs are read in a worker. */
  maxInlineRuns?: number;
}

/** Up to this many runs are read in a few milliseconds, less than a worker takes to start. */
const defaultMaxInlineRuns = 500;
/** Far more than the largest evaluation needs; only ends a read that would never end. */
const maxReadMs = 120_000;

const workerEntry = besideModule(import.meta.url, 'readingWorker');

/**
 * Runs the queries that touch every run of an evaluation. Large evaluations are read in a worker,
 * so that the event loop stays free.
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

  /** Executes a request. Throws the ServiceError that the worker reported, if any. */
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

  #isReadInline({ plannedRuns }: Pick<EvaluationRow, 'plannedRuns'>): boolean {
    return plannedRuns <= (this.#parts.maxInlineRuns ?? defaultMaxInlineRuns);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
