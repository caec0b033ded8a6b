import type { EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import type { ChatModel, OpenChatModel } from '../../../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../../../adapters/mcp/mcpConnection.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Prices } from '../../models/prices.ts';
import type { TokenCounts } from '../../tokenCounts/tokenCounts.ts';
import { freezeTools, neededServers } from '../tools/freezeTools.ts';
import { relistTools } from '../tools/relistTools.ts';
import { EvaluationRunner, type RunnerParts } from './evaluationRunner.ts';
import type { ActiveRuns } from '../../runs/activeRuns.ts';
import { clearAgreement } from '../score/applyAgreement.ts';
import { caseOrder } from '../plan/evaluationOrder.ts';
import type { EvaluationSources } from '../plan/evaluationSources.ts';
import {
  closeModelsOnError,
  openModels,
  requirePrices,
  type OpenedModel,
} from '../plan/openModels.ts';

/** The sources of an evaluation once its cases and tools are decided. */
export type LaunchSources = Omit<EvaluationSources, 'known'>;

interface StartParts extends Omit<RunnerParts, 'publish' | 'freezeTools' | 'relistTools'> {
  tokens: TokenCounts;
  connect: ConnectMcp;
  openChatModel: OpenChatModel;
  prices: Prices;
  owner: string;
  active: ActiveRuns<EvaluationEvent>;
}

/** Failures that a resume tries again: all but those caused by the tool list itself. */
const retryableFailures = new Set([
  'server',
  'provider',
  'model',
  'interrupted',
  'cancelled',
  'internal',
]);

/** Writes the plan of new evaluations and the new attempts of resumed ones, then starts them. */
export class EvaluationLauncher {
  readonly #parts: StartParts;

  constructor(parts: StartParts) {
    this.#parts = parts;
  }

  /**
   * Commits the plan, starts the evaluation and returns its id. `freeze` returns the snapshot when
   * the tools are already known; what it writes is committed together with the plan.
   */
  async launch(
    sources: LaunchSources,
    runs: number,
    freeze: (id: string) => string | null,
  ): Promise<string> {
    const { clock, nextId, active, prices, openChatModel } = this.#parts;
    requirePrices(sources.settings, prices);
    const models = await openModels(openChatModel, sources.settings);
    const id = nextId();
    const at = clock.now();
    const opened = new Map<string, ChatModel>();
    const rows = this.#insertPlan(id, at, sources, runs, models, opened);
    await closeModelsOnError(models, () => active.plan({ id, at, runs }, rows, freeze));
    this.#run(id, opened);
    return id;
  }

  /**
   * Inserts the rows of an evaluation, one case or run per step. Adds the models to `opened` by the
   * ids of their settings.
   */
  *#insertPlan(
    id: string,
    at: string,
    sources: LaunchSources,
    runs: number,
    models: readonly OpenedModel[],
    opened: Map<string, ChatModel>,
  ): Generator<undefined, void> {
    const { store, nextId, owner, prices } = this.#parts;
    const { settings, suite, cases } = sources;
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
    store.evaluations.insert('case', {
      id,
      suiteId: sources.suiteId,
      suiteName: sources.suiteName,
      settings,
      suite,
      models: stored,
      plannedRuns: runs,
      owner,
      createdAt: at,
    });
    for (const [position, sourceCase] of cases.entries()) {
      store.entries.freeze(id, { position, ...sourceCase });
      yield;
    }
    // Models alternate within a case, and repetitions come last: whenever the evaluation is
    // stopped, the finished runs can be compared.
    for (let repetition = 1; repetition <= settings.repetitions; repetition += 1) {
      for (const position of caseOrder(cases.length, settings, repetition)) {
        const sourceId = cases[position]?.sourceId ?? '';
        for (const modelSettingsId of new Set(stored.map((each) => each.modelSettingsId))) {
          store.runs.insert({
            id: nextId(),
            evaluationId: id,
            sourceId,
            modelSettingsId,
            position,
            repetition,
            attempt: 1,
            createdAt: at,
          });
        }
        yield;
      }
    }
  }

  /**
   * Plans another attempt for failed runs and continues with waiting ones. Does nothing when it
   * runs already.
   */
  resume(row: EvaluationRow): Promise<void> {
    return this.#parts.active.resume(row, () => this.#resume(row));
  }

  async #resume(row: EvaluationRow): Promise<void> {
    const { id } = row;
    const { clock, active, openChatModel } = this.#parts;
    const models = await openModels(openChatModel, row.settings, row);
    const opened = new Map(
      models.map(({ model }, index) => [row.modelSettingsIds[index] ?? '', model]),
    );
    const at = clock.now();
    const rows = this.#planRetries(row, at);
    await closeModelsOnError(models, () => active.planAgain(id, at, rows));
    this.#run(id, opened);
  }

  /** Replaces failed runs by new attempts, one per step. */
  *#planRetries(row: EvaluationRow, at: string): Generator<undefined, void> {
    const { store, nextId } = this.#parts;
    const { id } = row;
    yield* clearAgreement(store, row);
    store.runs.failRunning(id, 'interrupted', 'The run did not finish.', at);
    for (const run of store.runs.failed(id)) {
      if (!retryableFailures.has(run.failure ?? 'internal')) continue;
      store.runs.retry(run, { id: nextId(), evaluationId: id, createdAt: at });
      yield;
    }
  }

  #run(id: string, opened: ReadonlyMap<string, ChatModel>): void {
    const { store, clock, active } = this.#parts;
    const row = store.evaluations.get('case', id);
    if (!row) throw new Error(`Evaluation ${id} was planned but doesn't exist.`);
    active.run(
      id,
      (publish) =>
        new EvaluationRunner(
          {
            ...this.#parts,
            publish,
            freezeTools: ({ snapshotId, suite, ...evaluation }, signal) =>
              freezeTools(
                this.#parts,
                {
                  snapshotId,
                  inlineTools: suite.inlineTools,
                  neededServers: () => neededServers(store, { suite, ...evaluation }),
                  keep: (snapshot, event) => {
                    store.evaluations.setSnapshot(id, snapshot.id);
                    const logged = store.events.append(id, clock.now(), event);
                    return () => publish(logged);
                  },
                },
                signal,
              ),
            relistTools: (snapshot, signal) => relistTools(this.#parts, snapshot, signal),
          },
          row,
          opened,
        ).loop,
    );
  }
}
