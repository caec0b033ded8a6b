import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Evaluation, EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { limitSchemaDepth } from '../servers/limitSchemaDepth.ts';
import { noPrices, type Prices } from '../models/prices.ts';
import { withKeptSecrets, type RequestSecrets } from '../models/requestSecrets.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { ActiveRuns } from '../runs/activeRuns.ts';
import { caseTables } from '../runs/runTables.ts';
import type { EvaluationReader } from '../results/read/evaluationReader.ts';
import { findEvaluation } from './read/findEvaluation.ts';
import { shownEvaluation } from './read/shownEvaluation.ts';
import { freezeInlineTools } from './tools/freezeInlineTools.ts';
import { readAddedTools } from './whatIf/readAddedTools.ts';
import { mergeShards } from './merge/mergeShards.ts';
import { EvaluationPlanner } from './plan/evaluationPlanner.ts';
import { EvaluationLauncher } from './run/evaluationLauncher.ts';
import { EvaluationSummaries } from './read/evaluationSummaries.ts';
import { newExpectations } from './plan/newExpectations.ts';
import { sentToolsOf } from './tools/sentTools.ts';
import { findToolChanges } from './tools/toolChanges.ts';
import { ownRetrieversOnly, type OpenExternalRetriever } from './tools/rankCases.ts';
import { rescoreEvaluation } from './score/rescoreEvaluation.ts';
import type { PlannedWires } from './plan/planModels.ts';
import { readRun, type WireDescriptions } from './read/runDetails.ts';
import type { Scorer } from './score/scorer.ts';
import { EvaluationRepeats } from './whatIf/evaluationRepeats.ts';
import type { WhatIfRequest } from './whatIf/whatIfSources.ts';

const deletedEvaluation = z.object({ id: z.string() });

export interface EvaluationsParts extends WireDescriptions {
  store: Store;
  tokens: TokenCounts;
  connect: ConnectMcp;
  openChatModel: OpenChatModel;
  /** When absent, a credential in an addition to requests is refused. */
  requestSecrets?: RequestSecrets;
  /** When absent, plans say nothing about models. */
  wires?: PlannedWires;
  /** When absent, no model has a price. */
  prices?: Prices;
  /** When absent, only the program's own retrievers can rank. */
  openExternalRetriever?: OpenExternalRetriever;
  scorer: Scorer;
  reader: EvaluationReader;
  clock: Clock;
  nextId: NextId;
  /** The process that runs evaluations: process id and start time. */
  owner: string;
  log?: Log | null;
}

/** Evaluations: planned, started, watched, read, scored again and removed. */
export class EvaluationsService implements ServiceFor<'evaluations'> {
  readonly #parts: EvaluationsParts;
  readonly #planner: EvaluationPlanner;
  readonly #active: ActiveRuns<EvaluationEvent>;
  readonly #launcher: EvaluationLauncher;
  readonly #repeats: EvaluationRepeats;
  readonly #summaries: EvaluationSummaries;
  #closed = false;

  constructor(parts: EvaluationsParts) {
    this.#parts = parts;
    const prices = parts.prices ?? noPrices;
    this.#planner = new EvaluationPlanner({ ...parts, prices });
    this.#active = new ActiveRuns(parts, caseTables(parts.store));
    this.#launcher = new EvaluationLauncher({
      openExternalRetriever: ownRetrieversOnly,
      ...{ ...parts, prices, active: this.#active },
    });
    this.#repeats = new EvaluationRepeats({ store: parts.store, launcher: this.#launcher });
    this.#summaries = new EvaluationSummaries({ ...parts, mayWrite: () => !this.#closed });
  }

  /** Marks evaluations of processes that are gone as interrupted. */
  recover(): void {
    this.#active.recover();
  }

  /** Calls `ended` when an evaluation has ended, before its last event is published. */
  onEnd(ended: (id: string) => void): void {
    this.#active.onEnd(ended);
  }

  /** Interrupts running evaluations and waits until that is stored. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#active.close();
  }

  async list({
    suiteId,
    limit,
    limitOf,
  }: Input<'evaluations', 'list'>): Promise<Output<'evaluations', 'list'>> {
    const { evaluations } = this.#parts.store;
    const rows =
      limitOf === 'originals'
        ? evaluations.listOriginals(limit)
        : evaluations.list(suiteId ?? null, limit);
    return rows.map((row) => this.#toEvaluation(row));
  }

  async get({ id }: Input<'evaluations', 'get'>): Promise<Output<'evaluations', 'get'>> {
    return this.#get(id);
  }

  async plan(request: Input<'evaluations', 'plan'>): Promise<Output<'evaluations', 'plan'>> {
    return this.#planner.plan(request, null);
  }

  async countPlan(
    request: Input<'evaluations', 'countPlan'>,
    { signal }: CallOptions,
  ): Promise<Output<'evaluations', 'countPlan'>> {
    return this.#planner.plan(await withKeptSecrets(this.#parts, request), signal);
  }

  /** Plans and starts an evaluation. Throws INVALID with the first error of its plan. */
  async start(request: Input<'evaluations', 'start'>): Promise<Output<'evaluations', 'start'>> {
    const { sources, runs } = await this.#planner.runnableSources(
      await withKeptSecrets(this.#parts, request),
    );
    const { inline } = request;
    const id = await this.#launcher.launch(sources, runs, () =>
      inline?.tools ? freezeInlineTools(this.#parts.store, inline.tools) : null,
    );
    return this.#get(id);
  }

  /** Repeats an evaluation on its frozen tools with changes. */
  async whatIf({
    id,
    modelSettingsId,
    changes,
    repetitions,
    spendLimitUsd,
  }: Input<'evaluations', 'whatIf'>): Promise<Output<'evaluations', 'whatIf'>> {
    const base = this.#find(id);
    const newId = await this.#repeats.repeat(base, {
      changes,
      modelSettingsId,
      positions: null,
      repetitions: repetitions ?? base.settings.repetitions,
      ...(spendLimitUsd !== undefined && { spendLimitUsd }),
    });
    return this.#get(newId);
  }

  async readTools({
    fileName,
    text,
  }: Input<'evaluations', 'readTools'>): Promise<Output<'evaluations', 'readTools'>> {
    return readAddedTools(text, fileName);
  }

  /** Repeats the case of one run with the same model and tools, as a new evaluation. */
  async rerunCase({
    id,
    runId,
  }: Input<'evaluations', 'rerunCase'>): Promise<Output<'evaluations', 'rerunCase'>> {
    return this.#get(await this.#repeats.repeatRun(this.#find(id), runId));
  }

  /** Repeats some frozen cases with changed tools, as a new evaluation. */
  async repeatCases(
    id: string,
    request: WhatIfRequest,
    planned?: (id: string) => void,
  ): Promise<Evaluation> {
    return this.#get(await this.#repeats.repeat(this.#find(id), request, planned));
  }

  /** One ended evaluation made of the reports of all its parts. */
  async merge({ parts }: Input<'evaluations', 'merge'>): Promise<Output<'evaluations', 'merge'>> {
    return this.#get(await mergeShards(this.#parts, parts));
  }

  /** Cancels a running evaluation. Throws CONFLICT when another process runs it. */
  async cancel({ id }: Input<'evaluations', 'cancel'>): Promise<Output<'evaluations', 'cancel'>> {
    const row = this.#find(id);
    await this.#active.cancel(row);
    return this.#get(row.id);
  }

  /** Runs what failed or waited; finished runs are kept. */
  async resume({ id }: Input<'evaluations', 'resume'>): Promise<Output<'evaluations', 'resume'>> {
    await this.#launcher.resume(this.#find(id));
    return this.#get(id);
  }

  /** Yields the events after `afterSeq`, then new ones until the evaluation ends. */
  watch(
    { id, afterSeq }: Input<'evaluations', 'watch'>,
    { signal }: CallOptions,
  ): AsyncIterable<Output<'evaluations', 'watch'>> {
    this.#find(id);
    return this.#active.stream.watch(id, afterSeq, signal);
  }

  async summary({
    id,
    modelSettingsId,
  }: Input<'evaluations', 'summary'>): Promise<Output<'evaluations', 'summary'>> {
    return this.#summaries.of(this.#find(id), modelSettingsId);
  }

  async runs({
    id,
    ...page
  }: Input<'evaluations', 'runs'>): Promise<Output<'evaluations', 'runs'>> {
    const row = this.#find(id);
    return this.#parts.reader.read(row, { kind: 'page', evaluationId: row.id, ...page });
  }

  async run(request: Input<'evaluations', 'run'>): Promise<Output<'evaluations', 'run'>> {
    return readRun(this.#parts, this.#find(request.id), request);
  }

  async runPlace({
    id,
    ...request
  }: Input<'evaluations', 'runPlace'>): Promise<Output<'evaluations', 'runPlace'>> {
    const row = this.#find(id);
    const { index } = await this.#parts.reader.read(row, {
      kind: 'place',
      evaluationId: row.id,
      ...request,
    });
    return { index };
  }

  async snapshot({
    id,
  }: Input<'evaluations', 'snapshot'>): Promise<Output<'evaluations', 'snapshot'>> {
    const { snapshotId } = this.#find(id);
    const snapshot = snapshotId === null ? null : this.#parts.store.toolSnapshots.get(snapshotId);
    return snapshot && { ...snapshot, tools: snapshot.tools.map(limitSchemaDepth) };
  }

  async toolChanges({
    id,
  }: Input<'evaluations', 'toolChanges'>): Promise<Output<'evaluations', 'toolChanges'>> {
    return findToolChanges(this.#parts.store, this.#find(id));
  }

  async sentTools({
    id,
  }: Input<'evaluations', 'sentTools'>): Promise<Output<'evaluations', 'sentTools'>> {
    const { snapshotId } = this.#find(id);
    const { store, mapTools } = this.#parts;
    const snapshot = snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
    return sentToolsOf(snapshot, this.#get(id).models, mapTools);
  }

  /**
   * Scores stored observations again, with another threshold or mode, or other expectations. Throws CONFLICT
   * while the evaluation runs.
   */
  async rescore({
    id,
    highConfidence,
    argumentsMode,
    expectations,
    suite,
  }: Input<'evaluations', 'rescore'>): Promise<Output<'evaluations', 'rescore'>> {
    const row = this.#find(id);
    if (this.#active.has(id)) {
      throw new ServiceError('CONFLICT', {
        thing: `Evaluation #${row.number}`,
        cause: 'It is still running.',
        nextStep: 'Wait until it ends, or cancel it first.',
      });
    }
    const given = suite ?? (expectations === 'suite' ? 'workspace' : null);
    const event = await rescoreEvaluation(this.#parts, row, {
      highConfidence: highConfidence ?? row.settings.highConfidence,
      argumentsMode: argumentsMode ?? row.settings.argumentsMode,
      expectations: given === null ? new Map() : newExpectations(this.#parts.store, row, given),
    });
    this.#active.stream.publish(id, event);
    return this.#summaries.of(this.#find(id), null);
  }

  async deleteRawTraffic({
    id,
  }: Input<'evaluations', 'deleteRawTraffic'>): Promise<Output<'evaluations', 'deleteRawTraffic'>> {
    this.#find(id);
    return { runs: this.#parts.store.runs.deleteRawTraffic(id) };
  }

  /** Hides an evaluation until the trash is emptied. Returns a token to undo it. */
  async remove({ id }: Input<'evaluations', 'remove'>): Promise<Output<'evaluations', 'remove'>> {
    const { store, clock } = this.#parts;
    const row = this.#find(id);
    if (this.#active.has(id)) await this.#active.cancel(row);
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

  #find(id: string): EvaluationRow {
    return findEvaluation(this.#parts.store, id);
  }

  #get(id: string): Evaluation {
    return this.#toEvaluation(this.#find(id));
  }

  #toEvaluation(row: EvaluationRow): Evaluation {
    return shownEvaluation(this.#parts.store, row, this.#active.blockedReason(row.id));
  }
}
