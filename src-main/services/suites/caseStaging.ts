import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { redactValue } from '../../adapters/secrets/redactValue.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import type { Store } from '../../store/store.ts';
import type { StagedCaseRow } from '../../store/suites/stagedCases.ts';
import type { NewTestCase } from '../../store/suites/testCases.ts';
import type { WrittenElsewhere } from '../../store/database/database.ts';
import type { WorkerResult } from '../results/read/readRequest.ts';
import type { StagingJob } from './stagingWorker.ts';
import { takeOver, type TakeOver } from './takeOver.ts';

/** More rows, or more text in them, are written by a thread of their own. */
const maxRowsInPlace = 2_000;
const maxTextInPlace = 2 * 1024 * 1024;
/** Gigabytes take minutes. */
const limitMs = 30 * 60 * 1000;

const workerEntry = new URL(
  import.meta.url.endsWith('.ts') ? './stagingWorker.ts' : './stagingWorker.js',
  import.meta.url,
);

/** The thread that writes large imports, through its own connection. */
export class StagingThread {
  #pool: WorkerPool<StagingJob, unknown> | null = null;

  async ask<Answer>(job: StagingJob, signal?: AbortSignal): Promise<Answer> {
    this.#pool ??= new WorkerPool<StagingJob, unknown>({ entry: workerEntry, cpuLimitMs: limitMs });
    const [outcome] = await this.#pool.run([job], signal === undefined ? {} : { signal });
    if (outcome?.outcome === 'done') return outcome.value as Answer;
    throw new Error(outcome?.reason ?? 'The thread that writes the cases gave no answer.');
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    this.#pool = null;
  }
}

/**
 * The cases of one import on their way into the workspace. A few are written here. Many would hold
 * the event loop for seconds, so another thread stages and writes them, also in one transaction.
 */
export class CaseStaging implements AsyncDisposable {
  readonly #store: Store;
  readonly #thread: StagingThread;
  readonly #batch: string;
  #rows: StagedCaseRow[] = [];
  #text = 0;
  #count = 0;
  #isElsewhere = false;

  constructor(store: Store, thread: StagingThread) {
    this.#store = store;
    this.#thread = thread;
    this.#batch = store.stagedCases.newBatch();
  }

  async add(cases: readonly NewTestCase[], signal: AbortSignal): Promise<void> {
    const rows = this.#store.stagedCases.rowsOf(this.#batch, this.#count, cases);
    this.#count += rows.length;
    for (const row of rows) {
      this.#rows.push(row);
      this.#text += row.query.length + row.expectedCalls.length + (row.messages?.length ?? 0);
    }
    const many = this.#rows.length > maxRowsInPlace || this.#text > maxTextInPlace;
    if (!many && !this.#isElsewhere) return;
    // In a temporary database nothing else happens meanwhile.
    if (this.#store.elsewhere !== null) await this.#send(signal);
  }

  /** All of them become part of the workspace, with what else changes, or nothing does. */
  async takeOver(change: TakeOver): Promise<Suite> {
    const { elsewhere, stagedCases } = this.#store;
    if (!this.#isElsewhere || elsewhere === null) {
      using staged = stagedCases.open(this.#batch);
      staged.add(this.#rows);
      return takeOver(this.#store, staged, change);
    }
    await this.#send();
    const result = await elsewhere.write(() =>
      this.#thread
        .ask<{ result: WorkerResult; summed: WrittenElsewhere<null>['summed'] }>({
          ...this.#job,
          change: redactValue(change, elsewhere.redact),
          at: elsewhere.now(),
        })
        .then(({ result: value, summed }) => ({ value, summed })),
    );
    if ('refused' in result) throw new ServiceError(result.refused.code, result.refused.data);
    return result.value as Suite;
  }

  get #job() {
    return { file: this.#store.elsewhere?.file ?? '', batch: this.#batch };
  }

  async #send(signal?: AbortSignal): Promise<void> {
    this.#isElsewhere = true;
    const rows = this.#rows;
    this.#rows = [];
    this.#text = 0;
    if (rows.length > 0) await this.#thread.ask({ ...this.#job, rows }, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A thread that is gone has nothing staged any more.
    if (this.#isElsewhere)
      await this.#thread.ask({ ...this.#job, drop: true }).catch(() => undefined);
  }
}
