import type { JsonObject } from '../../../src-shared/domain/json.ts';
import {
  taskResult,
  taskVerdict,
  type ReadingCheck,
  type StateCheck,
  type TaskCheck,
  type TaskResult,
  type TaskStub,
  type TaskVerdict,
  type Trajectory,
} from '../../../src-shared/domain/task.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import { onFirstUse } from '../../../src-shared/domain/onFirstUse.ts';
import { AjvJudge } from '../../scoring/ajvJudge.ts';
import { judgeTask } from '../../scoring/tasks/judgeTask.ts';
import { findMatchingStub } from '../../scoring/tasks/stubs.ts';
import { stages, type Refusals } from '../evaluations/score/scoringItem.ts';
import type { JudgeItem, JudgeQuestion } from './taskJudgeWorker.ts';
import { besideModule } from '../../runtime/besideModule.ts';

/** Each attempt leaves out one more pattern. */
const maxAttempts = 20;
/** For parsing, comparing and hashing a reading of 50 MB, also one of millions of small values. */
const maxReadingCpuMs = 60_000;
const maxReadingMemoryMb = 2_048;

const workerEntry = besideModule(import.meta.url, 'taskJudgeWorker');

/**
 * Judges tasks and finds stubs. What has a pattern is asked in a worker with a time limit, because
 * a pattern may never finish; then it doesn't match, and the reason says so. Everything else is
 * answered in place.
 */
export class TaskJudge implements AsyncDisposable {
  /** Made for the first task: its compiler takes as long to make as opening a workspace. */
  readonly #plain = onFirstUse(() => new AjvJudge());
  readonly #cpuLimitMs: number;
  #pool: WorkerPool<JudgeItem, string> | null = null;
  #readings: WorkerPool<JudgeItem, string> | null = null;

  constructor({ cpuLimitMs = 200 }: { cpuLimitMs?: number } = {}) {
    this.#cpuLimitMs = cpuLimitMs;
  }

  async judge(checks: readonly TaskCheck[], run: Trajectory): Promise<TaskVerdict> {
    if (!hasPattern(checks)) return judgeTask(checks, run, this.#plain());
    return taskVerdict.parse(await this.#ask({ ask: 'verdict', checks, run }));
  }

  /** Why the schema of a tool refuses arguments that a task gives it; null if it doesn't. */
  async refusal(schema: JsonObject, args: JsonObject): Promise<string | null> {
    return (await this.#ask({ ask: 'arguments', schema, args })) as string | null;
  }

  /** The first stub that answers a call with these arguments; null if none does. */
  async findStub(stubs: readonly TaskStub[], args: JsonObject): Promise<TaskStub | null> {
    const at = hasPattern(stubs.map((stub) => stub.arguments))
      ? Number(await this.#ask({ ask: 'stub', stubs, args }))
      : findMatchingStub(stubs, args, this.#plain());
    return stubs[at] ?? null;
  }

  /**
   * What is kept of a reading that is too long to be kept whole. Such readings are parsed one after the
   * other, in a thread with limited memory. Throws if one can't be compared.
   */
  async reduce(check: StateCheck | ReadingCheck, whole: string): Promise<TaskResult> {
    this.#readings ??= new WorkerPool({
      entry: workerEntry,
      cpuLimitMs: maxReadingCpuMs,
      resourceLimits: { maxOldGenerationSizeMb: maxReadingMemoryMb },
    });
    const text = JSON.stringify({ ask: 'reading', check } satisfies JudgeQuestion);
    const [outcome] = await this.#readings.run([{ text, whole, patterns: [], schemas: [] }]);
    if (outcome?.outcome === 'done') return taskResult.parse(parseJson(outcome.value));
    throw new Error(
      `The result of ${check.tool} is too long to compare: ${outcome?.reason ?? 'there is no answer'}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#pool?.close(), this.#readings?.close()]);
  }

  async #ask(question: JudgeQuestion): Promise<unknown> {
    this.#pool ??= new WorkerPool({
      entry: workerEntry,
      cpuLimitMs: this.#cpuLimitMs,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
    });
    // As text: numbers that no double holds can't be sent to a thread as values.
    const text = JSON.stringify(question);
    const patterns: Refusals['patterns'] = [];
    const schemas: Refusals['schemas'] = [];
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const [outcome] = await this.#pool.run([
        { text, patterns: [...patterns], schemas: [...schemas] },
      ]);
      if (outcome?.outcome === 'done') return parseJson(outcome.value);
      if (outcome && 'stage' in outcome && outcome.stage === stages.pattern) {
        patterns.push({
          hash: outcome.detail,
          reason: `the pattern didn't finish within ${this.#cpuLimitMs} ms of CPU time`,
        });
        continue;
      }
      if (outcome && 'stage' in outcome && outcome.stage === stages.schema) {
        schemas.push({
          tool: outcome.detail,
          reason: `the schema didn't finish within ${this.#cpuLimitMs} ms of CPU time`,
        });
        continue;
      }
      throw new Error(`Judging failed: ${outcome?.reason ?? 'there is no answer'}`);
    }
    throw new Error("Judging didn't finish: too many patterns exceed the time limit.");
  }
}

const hasPattern = (value: readonly unknown[]): boolean =>
  /"(?:\$regex|schema)":/u.test(JSON.stringify(value));
