import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  Evaluation,
  EvaluationPlan,
  EvaluationRequest,
} from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { externalRetrieverName } from '../../../src-shared/domain/retrievalRun.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { bounded } from '../servers/boundedTool.ts';
import { noPrices, type Prices } from '../models/prices.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { ActiveEvaluations } from './run/activeEvaluations.ts';
import type { EvaluationReader } from './read/evaluationReader.ts';
import { readAddedTools } from './whatIf/readAddedTools.ts';
import { readSources } from './plan/evaluationSources.ts';
import { EvaluationLauncher, type LaunchSources } from './run/evaluationLauncher.ts';
import { EvaluationSummaries } from './read/evaluationSummaries.ts';
import { newExpectations } from './plan/newExpectations.ts';
import { findToolChanges } from './tools/toolChanges.ts';
import { countPlan } from './plan/countPlan.ts';
import { planEvaluation } from './plan/planEvaluation.ts';
import { plannedGroups } from './plan/plannedGroups.ts';
import type { OpenExternalRetriever } from './tools/rankCases.ts';
import { rescoreEvaluation } from './score/rescoreEvaluation.ts';
import { planModels, type PlannedWires } from './plan/planModels.ts';
import { readRun, type WireDescriptions } from './read/runDetails.ts';
import type { Scorer } from './score/scorer.ts';
import { readWhatIf, type WhatIfRequest } from './whatIf/whatIfSources.ts';

const deletedEvaluation = z.object({ id: z.string() });

export interface EvaluationsParts extends WireDescriptions {
  store: Store;
  connect: ConnectMcp;
  openChatModel: OpenChatModel;
  /** Absent: nothing is known of models before they are asked. */
  wires?: PlannedWires;
  /** Absent: every model is unpriced. */
  prices?: Prices;
  /** Absent: only the program's own retrievers rank. */
  openExternalRetriever?: OpenExternalRetriever;
  scorer: Scorer;
  reader: EvaluationReader;
  clock: Clock;
  nextId: NextId;
  /** Who runs evaluations here: process id and start time. */
  owner: string;
  log?: Log | null;
}

const onlyOwn: OpenExternalRetriever = (spec) =>
  Promise.reject(
    new ServiceError('INVALID', {
      thing: `Retriever ${externalRetrieverName(spec)}`,
      cause: 'Nothing outside the program can be asked here.',
      nextStep: 'Choose one of the program.',
    }),
  );

export class EvaluationsService implements ServiceFor<'evaluations'> {
  readonly #parts: EvaluationsParts;
  readonly #prices: Prices;
  readonly #active: ActiveEvaluations;
  readonly #starts: EvaluationLauncher;
  readonly #summaries: EvaluationSummaries;
  #closed = false;

  constructor(parts: EvaluationsParts) {
    this.#parts = parts;
    this.#prices = parts.prices ?? noPrices;
    this.#active = new ActiveEvaluations({ openExternalRetriever: onlyOwn, ...parts });
    this.#starts = new EvaluationLauncher({ ...parts, prices: this.#prices, active: this.#active });
    this.#summaries = new EvaluationSummaries({ ...parts, mayWrite: () => !this.#closed });
  }

  /** Evaluations of an owner that is gone. */
  recover(): void {
    this.#active.recover();
  }

  /** Stops what runs and waits until it is written down. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#starts.close();
    await this.#active.close();
  }

  async list({
    suiteId,
    limit,
  }: Input<'evaluations', 'list'>): Promise<Output<'evaluations', 'list'>> {
    return this.#parts.store.evaluations
      .list(suiteId ?? null, limit)
      .map((row) => this.#toEvaluation(row));
  }

  async get({ id }: Input<'evaluations', 'get'>): Promise<Output<'evaluations', 'get'>> {
    return this.#toEvaluation(this.#row(id));
  }

  async plan(request: Input<'evaluations', 'plan'>): Promise<Output<'evaluations', 'plan'>> {
    return this.#planWith(request, null);
  }

  countPlan(
    request: Input<'evaluations', 'countPlan'>,
    { signal }: CallOptions,
  ): Promise<Output<'evaluations', 'countPlan'>> {
    return this.#planWith(request, signal);
  }

  /** With a signal, endpoints are asked to count. */
  async #planWith(request: EvaluationRequest, signal: AbortSignal | null): Promise<EvaluationPlan> {
    const { sources, plan } = this.#plan(request);
    const groups = plannedGroups(this.#parts.store, sources, request.inline);
    const counts =
      signal === null
        ? undefined
        : await countPlan(
            { wires: this.#parts.wires, openChatModel: this.#parts.openChatModel },
            sources,
            groups,
            signal,
          );
    const { models, problems } = planModels(
      { wires: this.#parts.wires, prices: this.#prices },
      sources,
      groups,
      counts,
    );
    const costs = models.map(({ costUsd }) => costUsd);
    const costUsd = costs.some((cost) => cost === null)
      ? null
      : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
    return { ...plan, problems: [...plan.problems, ...problems], models, costUsd };
  }

  async start(request: Input<'evaluations', 'start'>): Promise<Output<'evaluations', 'start'>> {
    if (request.whatIf)
      throw new ServiceError('INVALID', {
        thing: 'The evaluation',
        cause: 'A what-if is not started by hand.',
        nextStep: 'Start it from the evaluation that it repeats.',
        field: 'whatIf',
      });
    const { sources, plan } = this.#plan(request);
    const fault = plan.problems.find(({ severity }) => severity === 'error');
    if (fault)
      throw new ServiceError('INVALID', {
        thing: sources.suiteName,
        cause: fault.message,
        nextStep: '',
      });
    const { inline } = request;
    return this.#launch(sources, plan.runs, () =>
      inline?.tools ? this.#freezeInline(inline.tools) : null,
    );
  }

  async whatIf({
    id,
    modelSettingsId,
    changes,
    repetitions,
  }: Input<'evaluations', 'whatIf'>): Promise<Output<'evaluations', 'whatIf'>> {
    const base = this.#row(id);
    return this.#repeat(base, {
      changes,
      modelSettingsId,
      positions: null,
      repetitions: repetitions ?? base.settings.repetitions,
    });
  }

  async readTools({
    fileName,
    text,
  }: Input<'evaluations', 'readTools'>): Promise<Output<'evaluations', 'readTools'>> {
    return readAddedTools(text, fileName);
  }

  async rerunCase({
    id,
    runId,
  }: Input<'evaluations', 'rerunCase'>): Promise<Output<'evaluations', 'rerunCase'>> {
    const base = this.#row(id);
    const run = this.#parts.store.runQueries.row(runId);
    if (!run || this.#parts.store.runQueries.raw(runId)?.evaluation_id !== base.id) {
      throw new ServiceError('NOT_FOUND', {
        thing: `Run ${runId}`,
        cause: `Evaluation #${base.number} has none of this id.`,
        nextStep: 'Open it from the list of cases.',
      });
    }
    return this.#repeat(base, {
      changes: [],
      modelSettingsId: run.modelSettingsId,
      positions: [run.position],
      repetitions: 1,
    });
  }

  /** Repeats some of the frozen cases on changed tools, as an evaluation of its own. */
  repeatCases(id: string, request: WhatIfRequest): Promise<Evaluation> {
    return this.#repeat(this.#row(id), request);
  }

  async #repeat(base: EvaluationRow, request: WhatIfRequest): Promise<Evaluation> {
    const { store } = this.#parts;
    const { settings, cases, set } = readWhatIf(store, base, request);
    const sources = {
      settings,
      suiteId: base.suiteId,
      suiteName: base.suiteName,
      suite: { ...base.suite, inlineTools: true },
      cases,
    };
    return this.#launch(
      sources,
      cases.length * settings.models.length * settings.repetitions,
      () => store.toolSnapshots.freeze(set).id,
    );
  }

  async #launch(
    sources: LaunchSources,
    runs: number,
    freeze: () => string | null,
  ): Promise<Evaluation> {
    return this.#toEvaluation(this.#row(await this.#starts.launch(sources, runs, freeze)));
  }

  async cancel({ id }: Input<'evaluations', 'cancel'>): Promise<Output<'evaluations', 'cancel'>> {
    return this.#cancel(this.#row(id));
  }

  async #cancel(row: EvaluationRow): Promise<Evaluation> {
    const { id } = row;
    if (!(await this.#active.cancel(id))) {
      if (hasEnded(row.state)) return this.#toEvaluation(row);
      throw new ServiceError('CONFLICT', {
        thing: `Evaluation #${row.number}`,
        cause: 'It is not running in this window.',
        nextStep: 'Reload the page.',
      });
    }
    return this.#toEvaluation(this.#row(id));
  }

  async resume({ id }: Input<'evaluations', 'resume'>): Promise<Output<'evaluations', 'resume'>> {
    await this.#starts.resume(this.#row(id));
    return this.#toEvaluation(this.#row(id));
  }

  watch(
    { id, afterSeq }: Input<'evaluations', 'watch'>,
    { signal }: CallOptions,
  ): AsyncIterable<Output<'evaluations', 'watch'>> {
    this.#row(id);
    return this.#active.stream.watch(id, afterSeq, signal);
  }

  async summary({
    id,
    modelSettingsId,
  }: Input<'evaluations', 'summary'>): Promise<Output<'evaluations', 'summary'>> {
    return this.#summaries.of(this.#row(id), modelSettingsId);
  }

  async runs({
    id,
    ...page
  }: Input<'evaluations', 'runs'>): Promise<Output<'evaluations', 'runs'>> {
    const row = this.#row(id);
    return this.#parts.reader.read(row, { kind: 'page', evaluationId: row.id, ...page });
  }

  async run(request: Input<'evaluations', 'run'>): Promise<Output<'evaluations', 'run'>> {
    return readRun(this.#parts, this.#row(request.id), request);
  }

  async runPlace({
    id,
    ...request
  }: Input<'evaluations', 'runPlace'>): Promise<Output<'evaluations', 'runPlace'>> {
    const row = this.#row(id);
    const { index } = await this.#parts.reader.read(row, {
      kind: 'neighbors',
      evaluationId: row.id,
      ...request,
    });
    return { index };
  }

  async snapshot({
    id,
  }: Input<'evaluations', 'snapshot'>): Promise<Output<'evaluations', 'snapshot'>> {
    const { snapshotId } = this.#row(id);
    const snapshot = snapshotId === null ? null : this.#parts.store.toolSnapshots.get(snapshotId);
    return snapshot && { ...snapshot, tools: snapshot.tools.map(bounded) };
  }

  async toolChanges({
    id,
  }: Input<'evaluations', 'toolChanges'>): Promise<Output<'evaluations', 'toolChanges'>> {
    return findToolChanges(this.#parts.store, this.#row(id));
  }

  async rescore({
    id,
    highConfidence,
    expectations,
    suite,
  }: Input<'evaluations', 'rescore'>): Promise<Output<'evaluations', 'rescore'>> {
    const row = this.#row(id);
    if (this.#active.has(id) || this.#starts.isResuming(id)) {
      throw new ServiceError('CONFLICT', {
        thing: `Evaluation #${row.number}`,
        cause: 'It is still running.',
        nextStep: 'Wait for its end, or cancel it first.',
      });
    }
    const given = suite ?? (expectations === 'suite' ? 'workspace' : null);
    const event = await rescoreEvaluation(this.#parts, row, {
      highConfidence: highConfidence ?? row.settings.highConfidence,
      expectations: given === null ? new Map() : newExpectations(this.#parts.store, row, given),
    });
    this.#active.stream.publish(id, event);
    return this.#summaries.of(this.#row(id), null);
  }

  async deleteRawTraffic({
    id,
  }: Input<'evaluations', 'deleteRawTraffic'>): Promise<Output<'evaluations', 'deleteRawTraffic'>> {
    this.#row(id);
    return { runs: this.#parts.store.testRuns.deleteRawTraffic(id) };
  }

  async remove({ id }: Input<'evaluations', 'remove'>): Promise<Output<'evaluations', 'remove'>> {
    const { store, clock } = this.#parts;
    const row = this.#row(id);
    if (this.#active.has(id)) await this.#cancel(row);
    const what = `Evaluation #${row.number} of ${row.suiteName}`;
    return store.transaction(() => {
      store.evaluations.setDeleted(id, clock.now());
      return { token: store.trash.put({ kind: 'evaluation', title: what, content: { id } }), what };
    });
  }

  /** Undoes `remove`; call inside the transaction that takes the token. */
  restore(content: unknown): void {
    this.#parts.store.evaluations.setDeleted(deletedEvaluation.parse(content).id, null);
  }

  #plan(request: EvaluationRequest): {
    sources: ReturnType<typeof readSources>;
    plan: ReturnType<typeof planEvaluation>;
  } {
    const sources = readSources(this.#parts.store, request);
    const plan = planEvaluation(
      sources.cases,
      sources.settings,
      sources.suite.servers,
      sources.known,
    );
    return { sources, plan };
  }

  #freezeInline(tools: NonNullable<NonNullable<EvaluationRequest['inline']>['tools']>): string {
    const names = [...new Set(tools.map(({ tool }) => tool.server))];
    return this.#parts.store.toolSnapshots.freeze({
      servers: names.map((server) => ({
        server,
        serverId: null,
        status: 'listed',
        error: null,
        instructions: null,
        protocolVersion: null,
        serverInfo: null,
        rejected: [],
      })),
      tools: tools.map((tool) => ({ serverId: null, tool })),
    }).id;
  }

  #row(id: string): EvaluationRow {
    const row =
      this.#parts.store.evaluations.get(id) ??
      (/^#?\d+$/.test(id)
        ? this.#parts.store.evaluations.getByNumber(Number(id.replace('#', '')))
        : null);
    if (row) return row;
    throw new ServiceError('NOT_FOUND', {
      thing: `Evaluation ${id}`,
      cause: 'There is none of this id.',
      nextStep: 'Look in the list of evaluations.',
    });
  }

  #toEvaluation(row: EvaluationRow): Evaluation {
    const { store } = this.#parts;
    const held = this.#active.blockedReason(row.id);
    const {
      suite: _suite,
      plannedRuns: _planned,
      owner: _owner,
      scorer: _scorer,
      modelSettingsIds,
      ...shown
    } = row;
    return {
      ...shown,
      // A full disk can't be told to write down that it is full.
      ...(held === null ? {} : { state: 'interrupted' as const, reason: held }),
      models: modelSettingsIds
        .map((settingsId) => store.modelSettings.get(settingsId))
        .filter((model) => model !== null),
      counts: store.evaluations.counts(row.id),
    };
  }
}
