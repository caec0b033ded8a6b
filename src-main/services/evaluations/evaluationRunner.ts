import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EvaluationEvent, EvaluationState, FailureKind, NewEvaluationEvent, RunOutcome } from '../../../src-shared/domain/evaluation.ts';
import type { Observation } from '../../../src-shared/domain/observation.ts';
import type { Price } from '../../../src-shared/domain/price.ts';
import type { Score } from '../../../src-shared/domain/score.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ChatModel, ChatReply } from '../../adapters/llm/chatModel.ts';
import { ChatFailure } from '../../adapters/llm/chatModel.ts';
import type { EvaluationRow } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { WaitingRun } from '../../store/testRuns.ts';
import type { Clock, NextId } from '../clock.ts';
import { applyAgreement } from './applyAgreement.ts';
import { toolSeed } from './evaluationOrder.ts';
import { Gate } from './gate.ts';
import { GroupCommit } from './groupCommit.ts';
import type { OfferedTools } from './offeredTools.ts';
import { exclusionObstacle, FrozenTools } from './offeredTools.ts';
import { serversOf } from './planEvaluation.ts';
import { packRequest } from './rawRequest.ts';
import type { Scorer } from './scorer.ts';
import { costOfObservation, SpendMeter } from './spendMeter.ts';
import { spendOf } from './spend.ts';
import { evaluationScope } from '../../store/scopes.ts';

/** Answers that wait for their score; beyond it models are not asked, so that memory stays flat. */
const maximumUnscored = 200;
const pageSize = 200;
/** So long the event loop may be held before everyone else has a turn. */
const longestBreathMs = 15;

export interface RunnerParts {
  store: Store;
  scorer: Scorer;
  clock: Clock;
  nextId: NextId;
  publish: (event: EvaluationEvent) => void;
  /** Gives the frozen tools: from the store, or by asking the servers that have not answered yet. */
  freezeTools: (evaluation: EvaluationRow, signal: AbortSignal) => Promise<ToolSnapshot>;
}

interface Finished {
  run: WaitingRun;
  reply: ChatReply | null;
  servers: readonly string[];
  order: number | null;
  offered: OfferedTools | null;
  score: Score | null;
  failure: FailureKind | null;
  message: string | null;
  executionTimeMs: number | null;
}

/** Takes one evaluation from its committed plan to its end. It is made for one go; a resume makes a new one. */
export class EvaluationRunner {
  readonly #parts: RunnerParts;
  readonly #evaluation: EvaluationRow;
  readonly #models: ReadonlyMap<string, ChatModel>;
  readonly #abort = new AbortController();
  readonly #group: GroupCommit<Finished>;
  readonly #unscored = new Gate(maximumUnscored);
  /** Set once the evaluation can't go on: a full disk, a key that was refused. */
  #stopped: { failure: FailureKind; reason: string; disk: boolean } | null = null;
  /** Models that can't go on, with the reason: their runs wait for a resume, those of the others go on. */
  readonly #halted = new Map<string, string>();
  readonly #halts = new Map<string, AbortController>();
  readonly #spend: SpendMeter;
  readonly #prices: ReadonlyMap<string, Price | null>;
  #cancelled = false;
  #pause: Promise<void> | null = null;
  #breathedAt = 0;

  constructor(parts: RunnerParts, evaluation: EvaluationRow, models: ReadonlyMap<string, ChatModel>) {
    this.#parts = parts;
    this.#evaluation = evaluation;
    this.#models = models;
    this.#prices = parts.store.evaluations.prices(evaluation.id);
    this.#spend = new SpendMeter(evaluation.settings.spendLimitUsd, spendOf(parts.store, evaluationScope(evaluation.id, null, 'all')).costUsd ?? 0);
    this.#group = new GroupCommit<Finished>({
      commit: (started, finished) => this.#commit(started, finished),
      idOf: ({ run }) => run.id,
      onTrouble: (error) => this.#stop('internal', describe(error), true),
    });
  }

  get stoppedBy(): { reason: string; disk: boolean } | null {
    return this.#stopped;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#abort.abort();
  }

  /** Never throws: whatever happens is written down, or (a full disk) kept for `retryCommit`. */
  async run(): Promise<void> {
    try {
      const snapshot = await this.#parts.freezeTools(this.#evaluation, this.#abort.signal);
      await this.#runAll(new FrozenTools(snapshot));
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#stop('internal', describe(error), isDiskTrouble(error));
    }
    await this.#unscored.idle();
    try {
      this.#group.flush();
      if (!this.#isOver()) await applyAgreement(this.#parts.store, this.#evaluation.id, this.#evaluation.settings.highConfidence, this.#abort.signal);
      this.#end();
    } catch (error) {
      this.#stop('internal', describe(error), true);
    } finally {
      await Promise.allSettled([...this.#models.values()].map((model) => model.close()));
    }
  }

  /** Writes what a full disk held back. Throws where it is still full. */
  retryCommit(): void {
    this.#group.flush();
  }

  async #runAll(tools: FrozenTools): Promise<void> {
    const waiting = this.#waiting();
    const slots = Array.from({ length: this.#evaluation.settings.concurrency }, async () => {
      for (let next = waiting.next(); !next.done && !this.#isOver(); next = waiting.next()) {
        if (this.#halted.has(next.value.modelSettingsId)) continue;
        await this.#unscored.enter();
        await this.#breathe();
        if (this.#isOver()) { this.#unscored.leave(); return; }
        if (this.#halted.has(next.value.modelSettingsId)) { this.#unscored.leave(); continue; }
        await this.#ask(next.value, tools);
      }
    });
    await Promise.all(slots);
  }

  /** A selector without a model never waits: without a pause it would keep every other call of the window waiting. */
  async #breathe(): Promise<void> {
    if (!this.#pause && this.#parts.clock.monotonic() - this.#breathedAt > longestBreathMs) {
      this.#pause = new Promise((resolve) => {
        setImmediate(() => {
          this.#pause = null;
          this.#breathedAt = this.#parts.clock.monotonic();
          resolve();
        });
      });
    }
    await this.#pause;
  }

  #isOver(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Pages through the plan, so that a large evaluation is never held in memory as a whole. */
  *#waiting(): Generator<WaitingRun, undefined> {
    let cursor = 0;
    for (;;) {
      const page = this.#parts.store.testRuns.waiting(this.#evaluation.id, cursor, pageSize);
      for (const run of page) {
        cursor = run.rowid;
        yield run;
      }
      if (page.length < pageSize) return;
    }
  }

  async #ask(run: WaitingRun, tools: FrozenTools): Promise<void> {
    const { settings, suite } = this.#evaluation;
    const servers = serversOf(run.content, settings, suite.servers);
    const order = toolSeed(settings, run.repetition);
    const blank = { run, servers, order, offered: null, reply: null, score: null, executionTimeMs: null };
    const offered = tools.offerFor(run.content.query, servers, settings, order);
    const model = this.#models.get(run.modelSettingsId);
    if (!model) throw new Error(`No model is open for settings ${run.modelSettingsId}.`);
    // What tools that are not there cost is what a what-if and a top-k evaluation are run for.
    const measuresMissing = settings.whatIf !== null || settings.topK !== null;
    const obstacle = tools.obstacle(run.content, servers, { measuresMissing }) ?? (measuresMissing ? null : exclusionObstacle(run.content, offered, model.excludedTools?.(offered.tools) ?? []));
    if (obstacle) {
      this.#group.finish({ ...blank, failure: obstacle.failure, message: obstacle.message });
      this.#unscored.leave(); return;
    }
    if (!this.#spend.begin()) {
      this.#unscored.leave();
      this.#stop('cancelled', `The spend limit of $${settings.spendLimitUsd ?? 0} leaves no room for a further run ($${this.#spend.spentUsd.toFixed(4)} were spent). Raise it in a new evaluation.`, false);
      return;
    }
    this.#group.start(run.id);
    const halt = this.#haltOf(run.modelSettingsId);
    const signal = AbortSignal.any([this.#abort.signal, halt.signal]);
    let costUsd: number | null = null;
    try {
      const said = settings.serverInstructions ? tools.instructions(servers) : null;
      const system = said === null ? suite.system : [suite.system, said].filter((text) => text !== null && text !== '').join('\n\n');
      const turns = settings.maxTurns > 1 ? { turns: { maximum: settings.maxTurns, stubs: run.content.stubResults } } : {};
      const request = { query: run.content.query, system, messages: suite.messages, tools: offered.tools, repetition: run.repetition, ...turns };
      const reply = await unlessAborted(model.choose(request, signal), signal);
      costUsd = costOfObservation(reply.observation, this.#prices.get(run.modelSettingsId) ?? null);
      // Scoring does not hold the slot: while it goes on in its worker, the next query is on its way.
      void this.#judge({ ...blank, reply, offered, failure: null, message: null, executionTimeMs: Math.max(1, Math.ceil(reply.elapsedMs)) });
    } catch (error) {
      this.#unscored.leave();
      if (signal.aborted) return;
      if (!(error instanceof ChatFailure)) {
        this.#group.finish({ ...blank, failure: 'internal', message: describe(error) });
        return;
      }
      this.#group.finish({ ...blank, failure: error.kind, message: error.message });
      if (error.fatal) this.#halt(run.modelSettingsId, error.message);
    } finally {
      this.#spend.end(costUsd);
    }
  }

  #haltOf(modelSettingsId: string): AbortController {
    const halt = this.#halts.get(modelSettingsId) ?? new AbortController();
    this.#halts.set(modelSettingsId, halt);
    return halt;
  }

  /** A refused key or spent quota is the end of one model's runs, not of the others'. */
  #halt(modelSettingsId: string, reason: string): void {
    if (this.#halted.has(modelSettingsId)) return;
    this.#halted.set(modelSettingsId, reason);
    this.#haltOf(modelSettingsId).abort();
    if (this.#halted.size >= new Set(this.#evaluation.modelSettingsIds).size) this.#stop('provider', [...this.#halted.values()].join(' '), false);
  }

  async #judge(answered: Finished & { reply: ChatReply; offered: OfferedTools }): Promise<void> {
    try {
      const { observation } = answered.reply;
      const unusable = unusableReply(observation, answered.run.content.expectedCalls.length > 0);
      if (unusable) {
        this.#group.finish({ ...answered, failure: 'model', message: unusable });
        return;
      }
      const score = await this.#parts.scorer.score(answered.offered, {
        content: answered.run.content,
        observation,
        highConfidence: this.#evaluation.settings.highConfidence,
      });
      this.#group.finish({ ...answered, score });
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#group.finish({ ...answered, failure: 'internal', message: describe(error) });
    } finally {
      this.#unscored.leave();
    }
  }

  #commit(started: string[], finished: Finished[]): void {
    const { store, clock, nextId, scorer, publish } = this.#parts;
    const at = clock.now();
    const event = store.transaction(() => {
      for (const id of started) store.testRuns.markRunning(id);
      for (const item of finished) {
        const call = item.reply?.observation.calls[0];
        const selected = call ? item.offered?.tools.find(({ server, name }) => server === call.server && name === call.tool) : undefined;
        store.testRuns.finish({
          id: item.run.id,
          status: item.score ? 'completed' : 'failed',
          failure: item.failure,
          errorMessage: item.message,
          request: item.reply ? packRequest(item.reply.request, item.servers, this.#evaluation.settings.topK === null || !item.offered ? null : [...item.offered.ids], item.order) : null,
          response: item.reply ? JSON.stringify(item.reply.response) : null,
          selectedToolId: selected?.snapshotToolId ?? null,
          extractedParameters: call?.arguments ? JSON.stringify(call.arguments) : null,
          observation: item.reply?.observation ?? null,
          classification: item.score?.classification ?? null,
          executionTimeMs: item.executionTimeMs,
          completedAt: at,
        });
        if (item.score) store.results.put(nextId(), item.run.id, item.score, scorer.fingerprint, at);
      }
      return finished.length > 0 ? store.events.append(this.#evaluation.id, at, { type: 'runs', outcomes: finished.map(outcome) }) : null;
    });
    if (event) publish(event);
  }

  #stop(failure: FailureKind, reason: string, disk: boolean): void {
    this.#stopped ??= { failure, reason, disk };
    this.#abort.abort();
  }

  #end(): void {
    const { store, clock, publish } = this.#parts;
    const at = clock.now();
    const events = store.transaction(() => {
      store.testRuns.failRunning(this.#evaluation.id, this.#cancelled ? 'cancelled' : 'interrupted', 'The evaluation stopped while this run was under way.', at);
      const { failed, open } = store.evaluations.counts(this.#evaluation.id);
      const state: EvaluationState = this.#cancelled ? 'cancelled' : failed + open > 0 || this.#stopped ? 'incomplete' : 'completed';
      const halted = [...this.#halted.values()].join(' ');
      const unscored = failed > 0 && !this.#cancelled ? `${failed} of the runs could not be scored.` : null;
      const reason = this.#stopped?.reason ?? (halted !== '' ? halted : unscored);
      store.evaluations.setState(this.#evaluation.id, { state, reason, owner: null, startedAt: null, completedAt: at });
      const ended: NewEvaluationEvent = { type: 'ended', state, reason };
      return [store.events.append(this.#evaluation.id, at, ended)];
    });
    events.forEach(publish);
  }
}

function outcome(item: Finished): RunOutcome {
  const { run, score } = item;
  return {
    runId: run.id,
    testCaseId: run.testCaseId,
    modelSettingsId: run.modelSettingsId,
    position: run.position,
    repetition: run.repetition,
    attempt: run.attempt,
    status: score ? 'completed' : 'failed',
    failure: item.failure,
    errorMessage: item.message,
    classification: score?.classification ?? null,
    passed: score?.passed ?? null,
    units: score?.units ?? [],
    matchedParameters: score?.classification === 'TP' ? score.matchedParameters : 0,
    expectedParameters: score?.classification === 'TP' ? score.expectedParameters : 0,
    executionTimeMs: item.executionTimeMs,
  };
}

/** A reply that is no answer: cut off or of unknown ending without a call, or a refusal where no tool was due anyway. */
function unusableReply(observation: Observation, callExpected: boolean): string | null {
  if (observation.calls.length > 0) return null;
  if (observation.stopReason === 'cut_off') return 'The reply was cut off before it made a call.';
  if (observation.stopReason === 'unknown') return 'The reply ended for a reason that is not known, without a call.';
  if (observation.stopReason === 'refused' && !callExpected) return 'The model refused to answer; where no tool is due, that is neither right nor wrong.';
  return null;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isDiskTrouble(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'TROUBLE';
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(new Error('Stopped.'));
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(new Error('Stopped.'));
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
