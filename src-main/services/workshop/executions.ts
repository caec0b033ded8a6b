import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { onAbort, unlessAborted } from '../../runtime/deadline.ts';
import { errorStack, errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ExecutionStatus, ToolExecution } from '../../../src-shared/domain/toolExecution.ts';
import type { ManagedTool, ToolContent } from '../../../src-shared/domain/workshop.ts';
import type { ExecutionEnd } from '../../store/workshop/toolExecutions.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../../store/database/table.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Input } from '../contractTypes.ts';
import { failed, type ExecutionResult } from './executors/executor.ts';
import { runTool, type ToolRunner } from './runTool.ts';
import type { ToolSecrets } from './toolSecrets.ts';

type Start = Input<'workshop', 'start'>;
type DraftStart = Input<'workshop', 'startDraft'>;

/** What a call runs with. The values of the secrets are in memory only. */
interface PreparedTool {
  content: ToolContent;
  secrets: ReadonlyMap<string, string>;
}

interface Running {
  controller: AbortController;
  /** Rejects only if the result could not be stored. */
  done: Promise<ToolExecution>;
}

export interface ExecutionsParts {
  store: Store;
  clock: Clock;
  runner: ToolRunner;
  secrets: ToolSecrets;
  log?: Log | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;
const pruneInterval = 200;
const pruneBatch = 5000;

/** Starts, tracks, cancels and records executions. Each one gets exactly one final status. */
export class Executions {
  readonly #parts: ExecutionsParts;
  readonly #semaphore: Semaphore;
  readonly #running = new Map<string, Running>();
  #startsSincePrune = 0;
  #lastYield: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(parts: ExecutionsParts) {
    this.#parts = parts;
    this.#semaphore = new Semaphore(() => parts.store.workshop.settings().concurrency);
  }

  /**
   * Called when the program starts: ends executions that a killed process left open, and deletes
   * old ones.
   */
  recover(): void {
    const { store } = this.#parts;
    const interrupted = (message: string): ExecutionEnd => ({
      outputData: null,
      errorCode: 'interrupted',
      errorMessage: message,
      stderrTail: '',
      outputExcerpt: null,
      durationMs: null,
    });
    for (const { id, status } of store.toolExecutions.open()) {
      if (status === 'PENDING')
        store.toolExecutions.end(
          id,
          'CANCELLED',
          interrupted('The program ended before its turn came.'),
        );
      else
        store.toolExecutions.end(
          id,
          'FAILED',
          interrupted('The program ended while it ran: what it did is not known.'),
        );
    }
    this.#prune();
  }

  async start(input: Start, signal: AbortSignal): Promise<ToolExecution> {
    this.#requireOpen();
    const tool = this.#findTool(input);
    const version = input.version ?? tool.version;
    return this.#begin(tool, this.#contentOf(tool, version), { ...input, version }, signal);
  }

  /** Runs valid content that is not saved. A disabled tool doesn't run, nor does a draft of it. */
  async startDraft(input: DraftStart, signal: AbortSignal): Promise<ToolExecution> {
    this.#requireOpen();
    const { toolId } = input;
    const tool = toolId === null ? null : this.#findTool({ tool: toolId, activeOnly: false });
    return this.#begin(tool, input.content, { ...input, version: null }, signal);
  }

  async #begin(
    tool: ManagedTool | null,
    content: ToolContent,
    input: Pick<Start, 'arguments' | 'callerId' | 'traceId' | 'secrets'> &
      Pick<ToolExecution, 'version'>,
    signal: AbortSignal,
  ): Promise<ToolExecution> {
    const { store, runner } = this.#parts;
    const problems = await runner.schemaChecker.checkValue(
      content.inputSchema,
      input.arguments,
      'The arguments',
      signal,
    );
    const [problem] = problems;
    if (problem !== undefined) {
      const field = ['arguments', ...problem.path.split('/').slice(1)].join('.');
      throw new ServiceError('INVALID', {
        thing: `The arguments of ${content.name}`,
        // One line per problem, so that a caller can correct all of them at once.
        cause: problems.map(({ message }) => message).join('\n'),
        nextStep: 'Correct the arguments and run the tool again.',
        field,
      });
    }
    const secrets = await this.#parts.secrets.read(tool, content, input.secrets);
    await this.#yieldBeforeWrite();
    this.#requireOpen();
    const execution = store.toolExecutions.insert({
      toolId: tool?.id ?? null,
      toolName: content.name,
      version: input.version,
      inputData: input.arguments,
      callerId: input.callerId ?? null,
      traceId: input.traceId ?? null,
    });
    const controller = new AbortController();
    const done = this.#runToEnd(execution, { content, secrets }, controller.signal).finally(() =>
      this.#running.delete(execution.id),
    );
    // Callers that wait get the error; without callers it must not count as unhandled.
    done.catch((error: unknown) =>
      this.#parts.log?.error(
        `The end of the execution ${execution.id} could not be recorded: ${errorText(error)}`,
      ),
    );
    this.#running.set(execution.id, { controller, done });
    if ((this.#startsSincePrune += 1) >= pruneInterval) this.#prune();
    return execution;
  }

  /** Waits for the final execution. Aborting stops the wait, not the execution. */
  async wait(id: string, signal: AbortSignal): Promise<ToolExecution> {
    const running = this.#running.get(id);
    if (running === undefined) return this.get(id);
    return unlessAborted(running.done, signal);
  }

  /** Starts and waits. Aborting cancels the execution. */
  async execute(input: Start, signal: AbortSignal): Promise<ToolExecution> {
    const { id } = await this.start(input, signal);
    const running = this.#running.get(id);
    const stopListening = onAbort(signal, () => running?.controller.abort());
    try {
      return await (running?.done ?? this.get(id));
    } finally {
      stopListening();
    }
  }

  /** Resolves when the execution has ended. One that has already ended stays unchanged. */
  async cancel(id: string): Promise<ToolExecution> {
    const running = this.#running.get(id);
    if (running === undefined) return this.get(id);
    running.controller.abort();
    return running.done;
  }

  get(id: string): ToolExecution {
    const found = this.#parts.store.toolExecutions.get(id);
    if (found === null) throw notFound('Execution', id);
    return found;
  }

  /** Cancels running executions and waits until they are recorded. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#running.values()];
    for (const { controller } of all) controller.abort();
    await Promise.allSettled(all.map(({ done }) => done));
  }

  async #runToEnd(
    execution: ToolExecution,
    prepared: PreparedTool,
    signal: AbortSignal,
  ): Promise<ToolExecution> {
    const { store, clock } = this.#parts;
    let release: () => void;
    try {
      release = await this.#semaphore.acquire(signal);
    } catch {
      // A slot is refused for one reason: the execution was canceled while it waited.
      return this.#end(execution.id, failed('cancelled', 'Canceled before it started.'), null);
    }
    try {
      await this.#yieldBeforeWrite();
      store.toolExecutions.begin(execution.id);
      const began = clock.monotonic();
      const result = await this.#run(execution, prepared, signal);
      const ended = clock.monotonic();
      await this.#yieldBeforeWrite();
      return this.#end(execution.id, result, Math.max(1, Math.ceil(ended - began)));
    } finally {
      release();
    }
  }

  async #run(
    { inputData }: ToolExecution,
    { content, secrets }: PreparedTool,
    signal: AbortSignal,
  ): Promise<ExecutionResult> {
    try {
      return await runTool(content, { arguments: inputData, secrets }, this.#parts.runner, signal);
    } catch (error) {
      if (signal.aborted) return failed('cancelled', 'Canceled.');
      this.#parts.log?.error(`The tool ${content.name} failed unexpectedly: ${errorStack(error)}`);
      return failed('internal', 'Something went wrong inside Touchstone; the log has the details.');
    }
  }

  #end(
    id: string,
    { status, output, error, stderrTail, excerpt }: ExecutionResult,
    durationMs: number | null,
  ): ToolExecution {
    const end: ExecutionEnd = {
      outputData: output,
      errorCode: error?.code ?? null,
      errorMessage: error?.message ?? null,
      stderrTail,
      outputExcerpt: excerpt,
      durationMs,
    };
    return this.#parts.store.toolExecutions.end(id, status satisfies ExecutionStatus, end);
  }

  #findTool({ tool, activeOnly }: Pick<Start, 'tool' | 'activeOnly'>): ManagedTool {
    const { store } = this.#parts;
    const found = store.tools.getByName(tool) ?? store.tools.get(tool);
    if (found === null || found.deletedAt !== null || (activeOnly && found.status !== 'ACTIVE'))
      throw notFound('Tool', tool);
    if (found.status === 'DISABLED') {
      throw new ServiceError('CONFLICT', {
        thing: `The tool ${found.content.name}`,
        cause: 'It is disabled.',
        nextStep: 'Activate it, then run it.',
        field: 'tool',
      });
    }
    return found;
  }

  #contentOf(tool: ManagedTool, version: number): ToolContent {
    if (version === tool.version) return tool.content;
    const found = this.#parts.store.tools.versions.get(tool.id, version);
    if (found !== null) return found.content;
    throw new ServiceError('NOT_FOUND', {
      thing: `Version ${version} of ${tool.content.name}`,
      cause: `There is none; the latest is ${tool.version}.`,
      nextStep: 'Choose another version.',
      field: 'version',
    });
  }

  #requireOpen(): void {
    if (this.#closed)
      throw new ServiceError('TROUBLE', {
        thing: 'The workshop',
        cause: 'It is closing.',
        nextStep: 'Start the program again.',
      });
  }

  /**
   * A write waits for the disk: a hundred of them in one turn of the event loop would block
   * everything else.
   */
  #yieldBeforeWrite(): Promise<void> {
    this.#lastYield = this.#lastYield.then(yieldToEventLoop);
    return this.#lastYield;
  }

  #prune(): void {
    this.#startsSincePrune = 0;
    const { store, clock } = this.#parts;
    const moment = new Date(
      Date.parse(clock.now()) - store.workshop.settings().retentionDays * dayMs,
    ).toISOString();
    store.toolExecutions.deleteBefore(moment, pruneBatch);
  }
}
