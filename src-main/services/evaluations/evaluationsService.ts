import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Evaluation, EvaluationEvent, EvaluationRequest, EvaluationSettings, EvaluationSummary } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../src-shared/domain/model.ts';
import type { ChatModel, OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { EvaluationRow } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../clock.ts';
import { bounded } from '../servers/boundedTool.ts';
import { noPrices, type Prices } from '../models/prices.ts';
import type { Services } from '../services.ts';
import { commitInTurns } from './commitInTurns.ts';
import type { EvaluationReader } from './evaluationReader.ts';
import { EvaluationRunner } from './evaluationRunner.ts';
import { readAddedTools } from './readAddedTools.ts';
import { readSources, type EvaluationSources } from './evaluationSources.ts';
import { EventStream } from './eventStream.ts';
import { freezeTools } from './freezeTools.ts';
import { newExpectations } from './newExpectations.ts';
import { planEvaluation } from './planEvaluation.ts';
import { rescoreEvaluation } from './rescoreEvaluation.ts';
import { caseOrder } from './evaluationOrder.ts';
import { planModels, type PlannedWires } from './planModels.ts';
import { readRun, type WireDescriptions } from './runDetails.ts';
import type { Scorer } from './scorer.ts';
import { summaryArithmetic } from './summariseEvaluation.ts';
import { readWhatIf, type WhatIfRequest } from './whatIfSources.ts';

type LaunchSources = Omit<EvaluationSources, 'known'>;

const deletedEvaluation = z.object({ id: z.string() });

export interface EvaluationsParts extends WireDescriptions {
  store: Store;
  connect: ConnectMcp;
  openChatModel: OpenChatModel;
  /** Absent: nothing is known of models before they are asked. */
  wires?: PlannedWires;
  /** Absent: every model is unpriced. */
  prices?: Prices;
  scorer: Scorer;
  reader: EvaluationReader;
  clock: Clock;
  nextId: NextId;
  /** Who runs evaluations here: process id and start time. */
  owner: string;
}

/** What can be tried again: everything that is not the tool list's own fault. */
const retried = new Set(['server', 'provider', 'model', 'interrupted', 'cancelled', 'internal']);

export class EvaluationsService {
  readonly #parts: EvaluationsParts;
  readonly #stream: EventStream;
  readonly #runners = new Map<string, { runner: EvaluationRunner; done: Promise<void> }>();
  /** Evaluations that stopped on a full disk, with what could not be written yet. */
  readonly #held = new Map<string, EvaluationRunner>();
  /** Summaries that are being made: who asks for the same one waits for it. */
  readonly #summaries = new Map<string, Promise<EvaluationSummary>>();
  /** Evaluations whose next attempts are being planned. */
  readonly #resuming = new Set<string>();
  #closed = false;

  constructor(parts: EvaluationsParts) {
    this.#parts = parts;
    this.#stream = new EventStream(parts.store.events, (id) => this.#runners.has(id));
  }

  /** Evaluations of an owner that is gone: what ran is marked, what waited stays waiting, and the rest can be resumed. */
  recover(): void {
    const { store, clock } = this.#parts;
    store.evaluations.purgeDeleted();
    for (const { id } of store.evaluations.unfinished()) {
      const at = clock.now();
      const reason = 'The program ended while this evaluation was running.';
      store.transaction(() => {
        store.testRuns.failRunning(id, 'interrupted', reason, at);
        store.evaluations.setState(id, { state: 'interrupted', reason, owner: null, startedAt: null, completedAt: at });
        store.events.append(id, at, { type: 'ended', state: 'interrupted', reason });
      });
    }
  }

  /** Stops what runs and waits until it is written down. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#runners.values()];
    for (const { runner } of running) runner.cancel();
    await Promise.all(running.map(({ done }) => done));
  }

  list: Services['evaluations']['list'] = async ({ suiteId, limit }) =>
    this.#parts.store.evaluations.list(suiteId ?? null, limit).map((row) => this.#toEvaluation(row));

  get: Services['evaluations']['get'] = async ({ id }) => this.#toEvaluation(this.#row(id));

  plan: Services['evaluations']['plan'] = async (request) => {
    const { sources, plan } = this.#plan(request);
    const { models, problems } = planModels({ store: this.#parts.store, wires: this.#parts.wires, prices: this.#parts.prices ?? noPrices }, sources, request.inline);
    const costs = models.map(({ costUsd }) => costUsd);
    const costUsd = costs.some((cost) => cost === null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
    return { ...plan, problems: [...plan.problems, ...problems], models, costUsd };
  };

  start: Services['evaluations']['start'] = async (request) => {
    if (request.whatIf) throw new ServiceError('INVALID', { thing: 'The evaluation', cause: 'A what-if is not started by hand.', nextStep: 'Start it from the evaluation that it repeats.', field: 'whatIf' });
    const { sources, plan } = this.#plan(request);
    const fault = plan.problems.find(({ severity }) => severity === 'error');
    if (fault) throw new ServiceError('INVALID', { thing: sources.suiteName, cause: fault.message, nextStep: '' });
    const { inline } = request;
    return this.#launch(sources, plan.runs, () => (inline?.tools ? this.#freezeInline(inline.tools) : null));
  };

  whatIf: Services['evaluations']['whatIf'] = async ({ id, modelSettingsId, changes, repetitions }) => {
    const base = this.#row(id);
    return this.#repeat(base, { changes, modelSettingsId, positions: null, repetitions: repetitions ?? base.settings.repetitions });
  };

  readTools: Services['evaluations']['readTools'] = async ({ fileName, text }) => readAddedTools(text, fileName);

  rerunCase: Services['evaluations']['rerunCase'] = async ({ id, runId }) => {
    const base = this.#row(id);
    const run = this.#parts.store.runQueries.row(runId);
    if (!run || this.#parts.store.runQueries.raw(runId)?.evaluation_id !== base.id) {
      throw new ServiceError('NOT_FOUND', { thing: `Run ${runId}`, cause: `Evaluation #${base.number} has none of this id.`, nextStep: 'Open it from the list of cases.' });
    }
    return this.#repeat(base, { changes: [], modelSettingsId: run.modelSettingsId, positions: [run.position], repetitions: 1 });
  };

  /** Repeats some of the frozen cases on changed tools, as an evaluation of its own. */
  repeatCases(id: string, request: WhatIfRequest): Promise<Evaluation> {
    return this.#repeat(this.#row(id), request);
  }

  async #repeat(base: EvaluationRow, request: WhatIfRequest): Promise<Evaluation> {
    const { store } = this.#parts;
    const { settings, cases, set } = readWhatIf(store, base, request);
    const sources: LaunchSources = { settings, suiteId: base.suiteId, suiteName: base.suiteName, suite: { ...base.suite, inlineTools: true }, cases };
    return this.#launch(sources, cases.length * settings.models.length * settings.repetitions, () => store.toolSnapshots.freeze(set).id);
  }

  /** Commits the plan, then runs it. `freeze` gives the snapshot where the tools are known already. */
  async #launch(sources: LaunchSources, runs: number, freeze: () => string | null): Promise<Evaluation> {
    const { store, clock, nextId, owner } = this.#parts;
    this.#refuseUnpriced(sources.settings);
    const models = await this.#openModels(sources.settings);

    const id = nextId();
    const at = clock.now();
    const opened = new Map<string, ChatModel>();
    const prices = this.#parts.prices ?? noPrices;
    const steps = function* () {
      const modelSettingsIds = models.map(({ configuration, model }) => {
        const stored = store.modelSettings.insert({ ...configuration, wireApi: model.wireApi, systemPrompt: sources.suite.system, sent: model.sent });
        opened.set(stored.id, model);
        return stored.id;
      });
      store.evaluations.insert({ id, suiteId: sources.suiteId, suiteName: sources.suiteName, settings: sources.settings, suite: sources.suite, modelSettingsIds, plannedRuns: runs, owner, createdAt: at });
      models.forEach(({ configuration }, index) => store.evaluations.setPrice(id, modelSettingsIds[index] ?? '', prices.of(configuration)));
      for (const [position, one] of sources.cases.entries()) {
        store.frozenCases.freeze(id, position, one);
        yield;
      }
      // Repetition by repetition, model by model within a case: whatever is done when someone stops can be compared.
      for (let repetition = 1; repetition <= sources.settings.repetitions; repetition += 1) {
        for (const position of caseOrder(sources.cases.length, sources.settings, repetition)) {
          const testCaseId = sources.cases[position]?.testCaseId ?? '';
          for (const modelSettingsId of new Set(modelSettingsIds)) {
            store.testRuns.insert({ id: nextId(), evaluationId: id, testCaseId, modelSettingsId, position, repetition, attempt: 1, createdAt: at });
          }
          yield;
        }
      }
    };
    const event = await this.#closingModels(models, () =>
      commitInTurns(this.#parts, steps(), () => {
        const snapshotId = freeze();
        if (snapshotId !== null) store.evaluations.setSnapshot(id, snapshotId);
        // Only now there is such an evaluation: whatever ends the program before leaves one that the next start takes away.
        store.evaluations.setDeleted(id, null);
        return store.events.append(id, at, { type: 'planned', runs });
      }, () => this.#goOn()),
    );
    this.#stream.publish(id, event);
    this.#run(this.#row(id), opened);
    return this.#toEvaluation(this.#row(id));
  }

  cancel: Services['evaluations']['cancel'] = async ({ id }) => this.#cancel(this.#row(id));

  async #cancel(row: EvaluationRow): Promise<Evaluation> {
    const { id } = row;
    const active = this.#runners.get(id);
    if (!active) {
      if (hasEnded(row.state)) return this.#toEvaluation(row);
      throw new ServiceError('CONFLICT', { thing: `Evaluation #${row.number}`, cause: 'It is not running in this window.', nextStep: 'Reload the page.' });
    }
    active.runner.cancel();
    await active.done;
    return this.#toEvaluation(this.#row(id));
  }

  resume: Services['evaluations']['resume'] = async ({ id }) => {
    const { store, clock, nextId, owner } = this.#parts;
    const row = this.#row(id);
    if (this.#runners.has(id) || this.#resuming.has(id)) return this.#toEvaluation(row);
    this.#held.get(id)?.retryCommit();
    this.#held.delete(id);
    const models = await this.#openModels(row.settings);
    const opened = new Map(models.map(({ model }, index) => [row.modelSettingsIds[index] ?? '', model]));
    const at = clock.now();
    const steps = function* () {
      store.testRuns.failRunning(id, 'interrupted', 'The run did not come to its end.', at);
      for (const run of store.testRuns.failed(id)) {
        if (!retried.has(run.failure ?? 'internal')) continue;
        store.testRuns.supersede(run.id);
        store.testRuns.insert({ id: nextId(), evaluationId: id, testCaseId: run.testCaseId, modelSettingsId: run.modelSettingsId, position: run.position, repetition: run.repetition, attempt: run.attempt + 1, createdAt: at });
        yield;
      }
    };
    this.#resuming.add(id);
    try {
      // Where the program ends between two turns, some runs wait and others are failed: both are what a resume takes up.
      const event = await this.#closingModels(models, () =>
        commitInTurns(this.#parts, steps(), () => {
          store.evaluations.setState(id, { state: 'running', reason: null, owner, startedAt: at, completedAt: null });
          return store.events.append(id, at, { type: 'resumed', runs: store.testRuns.countOpen(id) });
        }, () => this.#goOn()),
      );
      this.#stream.publish(id, event);
      this.#run(this.#row(id), opened);
    } finally {
      this.#resuming.delete(id);
    }
    return this.#toEvaluation(this.#row(id));
  };

  watch: Services['evaluations']['watch'] = ({ id, afterSeq }, { signal }) => {
    this.#row(id);
    return this.#stream.watch(id, afterSeq, signal);
  };

  summary: Services['evaluations']['summary'] = async ({ id, modelSettingsId }) => this.#summary(this.#row(id), modelSettingsId);

  /** Kept once an evaluation has ended. Whatever changes a number leaves an event: the same last event is the same summary. */
  #summary(row: EvaluationRow, modelSettingsId: string | null): Promise<EvaluationSummary> {
    const { store, reader } = this.#parts;
    const key = { evaluationId: row.id, modelSettingsId, seq: store.events.lastSeq(row.id), arithmetic: summaryArithmetic };
    const kept = hasEnded(row.state) ? store.summaries.get(key) : null;
    if (kept) return Promise.resolve(kept);
    const name = JSON.stringify(key);
    const asked = this.#summaries.get(name);
    if (asked) return asked;
    const made = reader
      .read(row, { what: 'summary', evaluationId: row.id, modelSettingsId })
      .then(({ seq, summary }) => {
        if (hasEnded(row.state) && seq === key.seq && store.writable && !this.#closed) store.summaries.put(key, summary);
        return summary;
      })
      .finally(() => this.#summaries.delete(name));
    this.#summaries.set(name, made);
    return made;
  }

  runs: Services['evaluations']['runs'] = async ({ id, ...page }) => {
    const row = this.#row(id);
    return this.#parts.reader.read(row, { what: 'page', evaluationId: row.id, ...page });
  };

  run: Services['evaluations']['run'] = async (request) => readRun(this.#parts, this.#row(request.id), request);

  runPlace: Services['evaluations']['runPlace'] = async ({ id, ...request }) => {
    const row = this.#row(id);
    const { index } = await this.#parts.reader.read(row, { what: 'neighbours', evaluationId: row.id, ...request });
    return { index };
  };

  snapshot: Services['evaluations']['snapshot'] = async ({ id }) => {
    const { snapshotId } = this.#row(id);
    const snapshot = snapshotId === null ? null : this.#parts.store.toolSnapshots.get(snapshotId);
    return snapshot && { ...snapshot, tools: snapshot.tools.map(bounded) };
  };

  rescore: Services['evaluations']['rescore'] = async ({ id, highConfidence, expectations, suite }) => {
    const row = this.#row(id);
    if (this.#runners.has(id) || this.#resuming.has(id)) {
      throw new ServiceError('CONFLICT', { thing: `Evaluation #${row.number}`, cause: 'It is still running.', nextStep: 'Wait for its end, or cancel it first.' });
    }
    const given = suite ?? (expectations === 'suite' ? 'workspace' : null);
    const event = await rescoreEvaluation(this.#parts, row, {
      highConfidence: highConfidence ?? row.settings.highConfidence,
      expectations: given === null ? new Map() : newExpectations(this.#parts.store, row, given),
    });
    this.#stream.publish(id, event);
    return this.#summary(this.#row(id), null);
  };

  deleteRawTraffic: Services['evaluations']['deleteRawTraffic'] = async ({ id }) => {
    this.#row(id);
    return { runs: this.#parts.store.testRuns.deleteRawTraffic(id) };
  };

  remove: Services['evaluations']['remove'] = async ({ id }) => {
    const { store, clock } = this.#parts;
    const row = this.#row(id);
    if (this.#runners.has(id)) await this.#cancel(row);
    const what = `Evaluation #${row.number} of ${row.suiteName}`;
    return store.transaction(() => {
      store.evaluations.setDeleted(id, clock.now());
      return { token: store.trash.put({ kind: 'evaluation', title: what, content: { id } }), what };
    });
  };

  /** Undoes `remove`; call inside the transaction that takes the token. */
  restore = (content: unknown): void => {
    this.#parts.store.evaluations.setDeleted(deletedEvaluation.parse(content).id, null);
  };

  #plan(request: EvaluationRequest): { sources: ReturnType<typeof readSources>; plan: ReturnType<typeof planEvaluation> } {
    const sources = readSources(this.#parts.store, request);
    const plan = planEvaluation(sources.cases, sources.settings, sources.suite.servers, sources.known);
    return { sources, plan };
  }

  /** A limit that can't be reckoned with is none. */
  #refuseUnpriced({ spendLimitUsd, models }: EvaluationSettings): void {
    const unpriced = spendLimitUsd === null ? undefined : models.find((model) => !(this.#parts.prices ?? noPrices).of(model));
    if (!unpriced) return;
    throw new ServiceError('INVALID', { thing: `Spend limit of $${spendLimitUsd ?? 0}`, cause: `${modelLabel(unpriced)} has no price, so it can't be kept.`, nextStep: 'Set its price under Settings, or leave the limit out.', field: 'spendLimitUsd' });
  }

  /** Between two turns: the database is about to be closed. */
  #goOn(): void {
    if (this.#closed) throw new ServiceError('TROUBLE', { thing: 'The evaluation', cause: 'The program is ending.', nextStep: 'Start it again after the next start.' });
  }

  /** Models that no evaluation takes over are closed. */
  async #closingModels<Result>(models: readonly { model: ChatModel }[], work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      await Promise.allSettled(models.map(({ model }) => model.close()));
      throw error;
    }
  }

  async #openModels(settings: EvaluationSettings) {
    const opened = [];
    try {
      for (const configuration of settings.models) {
        opened.push({ configuration, model: await this.#parts.openChatModel(configuration, { recordFile: settings.recordFile, maxTurns: settings.maxTurns }) });
      }
      return opened;
    } catch (error) {
      await Promise.allSettled(opened.map(({ model }) => model.close()));
      throw error;
    }
  }

  #freezeInline(tools: NonNullable<NonNullable<EvaluationRequest['inline']>['tools']>): string {
    const names = [...new Set(tools.map(({ tool }) => tool.server))];
    return this.#parts.store.toolSnapshots.freeze({
      servers: names.map((server) => ({ server, serverId: null, status: 'listed', error: null, instructions: null, protocolVersion: null, serverInfo: null, rejected: [] })),
      tools: tools.map((tool) => ({ serverId: null, tool })),
    }).id;
  }

  #run(row: EvaluationRow, models: ReadonlyMap<string, ChatModel>): void {
    const { store, clock, owner } = this.#parts;
    const publish = (event: EvaluationEvent) => this.#stream.publish(row.id, event);
    store.evaluations.setState(row.id, { state: 'running', reason: null, owner, startedAt: clock.now(), completedAt: null });
    const runner = new EvaluationRunner(
      { ...this.#parts, publish, freezeTools: (evaluation, signal) => freezeTools({ ...this.#parts, publish }, evaluation, signal) },
      row,
      models,
    );
    const done = runner.run().then(() => {
      if (runner.stoppedBy?.disk) this.#held.set(row.id, runner);
      this.#runners.delete(row.id);
      this.#stream.settle(row.id);
    });
    this.#runners.set(row.id, { runner, done });
  }

  #row(id: string): EvaluationRow {
    const row = this.#parts.store.evaluations.get(id) ?? (/^#?\d+$/.test(id) ? this.#parts.store.evaluations.getByNumber(Number(id.replace('#', ''))) : null);
    if (row) return row;
    throw new ServiceError('NOT_FOUND', { thing: `Evaluation ${id}`, cause: 'There is none of this id.', nextStep: 'Look in the list of evaluations.' });
  }

  #toEvaluation(row: EvaluationRow): Evaluation {
    const { store } = this.#parts;
    const held = this.#held.get(row.id)?.stoppedBy ?? null;
    const { suite: _suite, plannedRuns: _planned, owner: _owner, scorer: _scorer, modelSettingsIds, ...shown } = row;
    return {
      ...shown,
      // A full disk can't be told to write down that it is full.
      ...(held ? { state: 'interrupted' as const, reason: held.reason } : {}),
      models: modelSettingsIds.map((settingsId) => store.modelSettings.get(settingsId)).filter((model) => model !== null),
      counts: store.evaluations.counts(row.id),
    };
  }
}
