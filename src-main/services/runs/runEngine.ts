import type { ToolChange } from '../../../src-shared/contract/evaluations.ts';
import type { UndoToken } from '../../../src-shared/contract/servers.ts';
import { isInShard, type Shard } from '../../../src-shared/domain/shard.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ChatModel, OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { NextId } from '../../runtime/clock.ts';
import type { CallOptions } from '../contractTypes.ts';
import { noPrices, type Prices } from '../models/prices.ts';
import { withKeptSecrets, type RequestSecrets } from '../models/requestSecrets.ts';
import { limitSchemaDepth } from '../servers/limitSchemaDepth.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { ActiveRuns, type ActiveParts, type Runner } from './activeRuns.ts';
import { programEnded } from './endRuns.ts';
import { freezeInlineTools, freezeTools, relistTools } from './freezeTools.ts';
import { mergeParts } from './merge/mergeParts.ts';
import { closeModelsOnError, openModels, requirePrices, type OpenedModel } from './openModels.ts';
import { findRow } from './runTables.ts';
import { findToolChanges } from './toolChanges.ts';
import type { SourcesOf, Unit, UnitTypes } from './unit.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';

export interface EngineParts extends ActiveParts {
  tokens: TokenCounts;
  connect: ConnectMcp;
  openChatModel: OpenChatModel;
  /** When absent, a credential in an addition to requests is refused. */
  requestSecrets?: RequestSecrets;
  /** When absent, no model has a price. */
  prices?: Prices;
  nextId: NextId;
  /** The key that parts are signed with; absent or null: they aren’t. */
  sealKey?: string | null;
}

interface ById {
  id: string;
}

/** Whether the case or task at a position is one of this part; of a whole evaluation, each is. */
const isOwn = ({ shard }: { shard: Shard | null }, position: number): boolean =>
  shard === null || isInShard(position, shard);

/**
 * Evaluations of one unit: planned, started, repeated, resumed, canceled, watched, merged, removed.
 * The services of cases and of tasks are this with what only one of them has.
 */
export class RunEngine<Types extends UnitTypes> {
  readonly #parts: EngineParts & { prices: Prices };
  readonly #unit: Unit<Types>;
  readonly #active: ActiveRuns<Types['event']>;

  constructor(parts: EngineParts, unit: Unit<Types>) {
    this.#parts = { ...parts, prices: parts.prices ?? noPrices };
    this.#unit = unit;
    this.#active = new ActiveRuns(parts, unit.tables);
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
    await this.#active.close();
  }

  /** True while runs of any evaluation are under way, or are about to be. */
  get isBusy(): boolean {
    return this.#active.isBusy;
  }

  /** True while its runs are under way, or are about to be. */
  protected isRunning(id: string): boolean {
    return this.#active.has(id);
  }

  protected publish(id: string, event: Types['event']): void {
    this.#active.stream.publish(id, event);
  }

  protected find(id: string): Types['row'] {
    return findRow(this.#unit.tables, id);
  }

  #shown(row: Types['row']): Types['shown'] {
    const reason = this.#active.blockedReason(row.id);
    // The database still says "running", because a full disk prevented the update.
    const stuck = reason === null ? {} : { state: 'interrupted' as const, reason };
    return { ...this.#unit.shown(row), ...stuck };
  }

  async list(asked: Types['listed']): Promise<Types['shown'][]> {
    return this.#unit.list(asked).map((row) => this.#shown(row));
  }

  async get({ id }: ById): Promise<Types['shown']> {
    return this.#shown(this.find(id));
  }

  async plan(request: Types['request']): Promise<Types['plan']> {
    const requestSecrets = this.#parts.requestSecrets?.unstored();
    return this.#unit.plan(await withKeptSecrets({ requestSecrets }, request), null);
  }

  /** Plans and starts an evaluation. Throws INVALID with the first error of its plan. */
  async start(given: Types['request']): Promise<Types['shown']> {
    const { store } = this.#parts;
    const request = await withKeptSecrets(this.#parts, given);
    const tools = request.inline?.tools;
    const freeze = (models: readonly ChatModel[]): string | null => {
      if (tools) return freezeInlineTools(store, tools);
      const recorded = this.#unit.recordedTools?.(models) ?? null;
      return recorded && store.toolSnapshots.freeze(recorded).id;
    };
    const { after } = request;
    return this.#launch(await this.#unit.toStart(request), freeze, after ? { after } : {});
  }

  /**
   * Repeats an evaluation on its frozen tools, changed as requested. What `planned` writes is
   * committed together with the plan, before anything is asked.
   */
  async repeat(
    id: string,
    repeat: Types['repeat'],
    planned?: (id: string) => void,
  ): Promise<Types['shown']> {
    const { sources, set } = this.#unit.toRepeat(this.find(id), repeat);
    const freeze = (): string => this.#parts.store.toolSnapshots.freeze(set).id;
    return this.#launch(sources, freeze, planned ? { planned } : {});
  }

  /**
   * Commits the plan and starts the evaluation. `freeze` returns the snapshot when the tools are
   * already known; what it writes is committed together with the plan.
   */
  async #launch(
    sources: SourcesOf<Types>,
    freeze: (models: readonly ChatModel[]) => string | null,
    { planned, after }: { planned?: (id: string) => void; after?: string },
  ): Promise<Types['shown']> {
    const { clock, nextId, prices, openChatModel } = this.#parts;
    const { settings, entries } = sources;
    const besides = this.#unit.others?.(settings) ?? [];
    requirePrices(settings.spendLimitUsd, [...settings.models, ...besides], prices);
    const { models, others, all } = await openModels(openChatModel, settings, besides);
    const id = nextId();
    const at = clock.now();
    const own = entries.filter(({ position }, index) => isOwn(settings, position ?? index)).length;
    const runs = own * settings.models.length * settings.repetitions;
    const opened = new Map<string, ChatModel>();
    const rows = this.#insertPlan({ id, at, runs }, sources, models, opened);
    await closeModelsOnError(all, () =>
      this.#active.plan({ id, at, runs }, rows, () => {
        planned?.(id);
        return freeze(models.map(({ model }) => model));
      }),
    );
    this.#run(id, opened, others, after);
    return this.get({ id });
  }

  /**
   * Inserts the rows of an evaluation, one case, task or run per step. A part freezes the whole suite,
   * so that all parts ask the same servers, and plans only its own runs. Adds the models to `opened`
   * by the ids of their settings.
   */
  *#insertPlan(
    { id, at, runs }: { id: string; at: string; runs: number },
    { entries, ...sources }: SourcesOf<Types>,
    models: readonly OpenedModel[],
    opened: Map<string, ChatModel>,
  ): Generator<undefined, void> {
    const { store, nextId, owner, prices } = this.#parts;
    const unit = this.#unit;
    const { settings, suite } = sources;
    const stored = models.map(({ configuration, model }) => {
      const { id: modelSettingsId } = store.modelSettings.insert({
        ...configuration,
        wireApi: model.wireApi,
        systemPrompt: suite.system,
        sent: model.sent,
      });
      opened.set(modelSettingsId, model);
      return { modelSettingsId, price: prices.of(configuration) };
    });
    unit.insert({ ...sources, id, models: stored, plannedRuns: runs, owner, createdAt: at });
    const frozen = entries.map((entry, index) => ({ position: index, ...entry }));
    for (const entry of frozen) {
      store.entries.freeze(id, entry);
      yield;
    }
    // Models alternate within a case or task, and repetitions come last: whenever the evaluation is
    // stopped, the finished runs can be compared.
    const { repetitions, firstRepetition: first = 1 } = settings;
    for (let repetition = first; repetition < first + repetitions; repetition += 1)
      for (const index of unit.order?.(settings, frozen.length, repetition) ?? frozen.keys()) {
        const { sourceId = '', position = index } = frozen[index] ?? {};
        for (const modelSettingsId of opened.keys()) {
          // Of the runs of other parts too, so that equal ids never mean different runs.
          const runId = nextId();
          if (!isOwn(settings, position)) continue;
          store.runs.insert({
            ...{ id: runId, evaluationId: id, sourceId, position, modelSettingsId },
            ...{ repetition, attempt: 1, createdAt: at },
          });
        }
        yield;
      }
  }

  async snapshot({ id }: ById): Promise<ToolSnapshot | null> {
    const { snapshotId } = this.find(id);
    const snapshot = snapshotId === null ? null : this.#parts.store.toolSnapshots.get(snapshotId);
    return snapshot && { ...snapshot, tools: snapshot.tools.map(limitSchemaDepth) };
  }

  async toolChanges({ id }: ById): Promise<ToolChange[]> {
    return findToolChanges(this.#parts.store, this.#unit.tables.events, this.find(id));
  }

  /** One ended evaluation made of the reports of all its parts. */
  async merge({ files }: { files: readonly string[] }): Promise<Types['shown']> {
    const { tables, merged } = this.#unit;
    return this.get({ id: await mergeParts(this.#parts, files, { tables, ...merged }) });
  }

  /** Cancels a running evaluation. Throws CONFLICT when another process runs it. */
  async cancel({ id }: ById): Promise<Types['shown']> {
    const row = this.find(id);
    await this.#active.cancel(row);
    return this.get(row);
  }

  /**
   * Runs what failed or waited; finished runs are kept. Returns an evaluation that runs already as it
   * is.
   */
  async resume({ id }: ById): Promise<Types['shown']> {
    const row = this.find(id);
    await this.#active.resume(row, async () => {
      const { openChatModel, clock } = this.#parts;
      const besides = this.#unit.others?.(row.settings) ?? [];
      const { models, others, all } = await openModels(openChatModel, row.settings, besides, row);
      const at = clock.now();
      const ids = row.modelSettingsIds;
      await closeModelsOnError(all, () => {
        for (const [index, model] of models.entries())
          requireSameProgram(model, this.#parts.store.modelSettings.get(ids[index] ?? ''));
        return this.#active.planAgain(row.id, at, this.#planRetries(row, at));
      });
      this.#run(row.id, new Map(models.map(({ model }, at) => [ids[at] ?? '', model])), others);
    });
    return this.get(row);
  }

  /** Replaces failed runs by new attempts, one per step. */
  *#planRetries(row: Types['row'], at: string): Generator<undefined, void> {
    const { store, nextId } = this.#parts;
    const unit = this.#unit;
    const { id: evaluationId } = row;
    yield* unit.beforeRetries?.(row) ?? [];
    store.runs.failRunning(evaluationId, 'interrupted', programEnded, at);
    for (const run of store.runs.failed(evaluationId)) {
      if (!unit.mayRetry(run.failure)) continue;
      store.runs.retry(run, { id: nextId(), evaluationId, createdAt: at });
      yield;
    }
  }

  #run(
    id: string,
    models: ReadonlyMap<string, ChatModel>,
    others: readonly (ChatModel | null)[],
    after?: string,
  ): void {
    const { store, clock } = this.#parts;
    const unit = this.#unit;
    const evaluation = this.find(id);
    const open = (publish: (event: Types['event']) => void): Runner =>
      unit.open(evaluation, models, others, {
        ...{ store, clock, publish },
        freezeTools: async (signal) => {
          if (after !== undefined) await this.#active.beginAfter(after, id, signal);
          return freezeTools(
            this.#parts,
            {
              ...{ evaluation, publish, tables: unit.tables },
              neededServers: () => unit.neededServers(evaluation),
            },
            signal,
          );
        },
        relistTools: (snapshot, signal) => relistTools(this.#parts, snapshot, signal),
      });
    this.#active.run(id, open, { waits: after !== undefined });
  }

  /** Yields the events after `afterSeq`, then new ones until the evaluation ends. */
  watch(
    { id, afterSeq }: ById & { afterSeq: number },
    { signal }: CallOptions,
  ): AsyncIterable<Types['event']> {
    return this.#active.stream.watch(this.find(id).id, afterSeq, signal);
  }

  /** Hides an evaluation until the trash is emptied. Returns a token to undo it. */
  async remove({ id: named }: ById): Promise<UndoToken> {
    const { store, clock } = this.#parts;
    const { tables } = this.#unit;
    const row = this.find(named);
    const { id, number, suiteName } = row;
    if (this.#active.has(id)) await this.#active.cancel(row);
    const what = `${tables.name} #${number} of ${suiteName}`;
    return store.transaction(() => {
      tables.evaluations.setDeleted(id, clock.now());
      return { token: store.trash.put({ kind: 'evaluation', title: what, content: { id } }), what };
    });
  }
}

/**
 * Throws INVALID if the program of an agent is another version than that of the runs so far: their
 * results would be those of two agents under one name.
 */
function requireSameProgram(
  { configuration, model }: OpenedModel,
  before: Pick<ModelSettings, 'sent'> | null,
): void {
  const was = before?.sent['program_version'] ?? null;
  const is = model.sent['program_version'] ?? null;
  if (was === null || was === is) return;
  throw new ServiceError('INVALID', {
    thing: `Agent ${configuration.model}`,
    cause:
      `The evaluation was started with version ${was}, and ` +
      (is === null
        ? "the program doesn't say its version now."
        : `version ${is} is installed now.`),
    nextStep: `Install version ${was} to resume, or start a new evaluation.`,
  });
}
