import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ChatModel, OpenChatModel } from '../../../adapters/llm/chatModel.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import type { Prices } from '../../models/prices.ts';
import type { ActiveEvaluations } from './activeEvaluations.ts';
import { commitInChunks } from './commitInChunks.ts';
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

interface StartParts {
  store: Store;
  openChatModel: OpenChatModel;
  prices: Prices;
  clock: Clock;
  nextId: NextId;
  owner: string;
  active: ActiveEvaluations;
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
  #closed = false;

  constructor(parts: StartParts) {
    this.#parts = parts;
  }

  /** Stops planning at the next chunk. */
  close(): void {
    this.#closed = true;
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
    const { store, clock, nextId, active, prices, openChatModel } = this.#parts;
    requirePrices(sources.settings, prices);
    const models = await openModels(openChatModel, sources.settings);
    const id = nextId();
    const at = clock.now();
    const opened = new Map<string, ChatModel>();
    const event = await closeModelsOnError(models, () =>
      commitInChunks(
        this.#parts,
        this.#insertPlan(id, at, sources, runs, models, opened),
        () => {
          const snapshotId = freeze(id);
          if (snapshotId !== null) store.evaluations.setSnapshot(id, snapshotId);
          // The evaluation becomes visible only here. If the program ends earlier, the next start
          // deletes what was written.
          store.evaluations.setDeleted(id, null);
          return store.events.append(id, at, { type: 'planned', runs });
        },
        () => this.#throwIfClosed(),
      ),
    );
    active.stream.publish(id, event);
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
    const modelSettingsIds = models.map(({ configuration, model }) => {
      const stored = store.modelSettings.insert({
        ...configuration,
        wireApi: model.wireApi,
        systemPrompt: suite.system,
        sent: model.sent,
      });
      opened.set(stored.id, model);
      return stored.id;
    });
    store.evaluations.insert({
      id,
      suiteId: sources.suiteId,
      suiteName: sources.suiteName,
      settings,
      suite,
      modelSettingsIds,
      plannedRuns: runs,
      owner,
      createdAt: at,
    });
    models.forEach(({ configuration }, index) =>
      store.evaluations.setPrice(id, modelSettingsIds[index] ?? '', prices.of(configuration)),
    );
    for (const [position, sourceCase] of cases.entries()) {
      store.frozenCases.freeze(id, position, sourceCase);
      yield;
    }
    // Models alternate within a case, and repetitions come last: whenever the evaluation is
    // stopped, the finished runs can be compared.
    for (let repetition = 1; repetition <= settings.repetitions; repetition += 1) {
      for (const position of caseOrder(cases.length, settings, repetition)) {
        const testCaseId = cases[position]?.testCaseId ?? '';
        for (const modelSettingsId of new Set(modelSettingsIds)) {
          store.testRuns.insert({
            id: nextId(),
            evaluationId: id,
            testCaseId,
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
  async resume(row: EvaluationRow): Promise<void> {
    const { active } = this.#parts;
    if (active.runs(row.id)) return;
    const isStuck = active.isBlocked(row.id);
    active.retryBlocked(row.id);
    try {
      await active.resumes.start(row, isStuck, () => this.#resume(row));
    } finally {
      // Who watched a resume that failed has nothing to wait for.
      active.stream.wakeReaders(row.id);
    }
  }

  async #resume(row: EvaluationRow): Promise<void> {
    const { id } = row;
    const { store, clock, active, openChatModel } = this.#parts;
    const models = await openModels(openChatModel, row.settings, row);
    const opened = new Map(
      models.map(({ model }, index) => [row.modelSettingsIds[index] ?? '', model]),
    );
    const at = clock.now();
    // If the program ends between two chunks, some runs wait and others are failed. A resume
    // handles both.
    const event = await closeModelsOnError(models, () =>
      commitInChunks(
        this.#parts,
        this.#planRetries(row, at),
        () => store.events.append(id, at, { type: 'resumed', runs: store.testRuns.countOpen(id) }),
        () => this.#throwIfClosed(),
      ),
    );
    active.stream.publish(id, event);
    this.#run(id, opened);
  }

  /** Replaces failed runs by new attempts, one per step. */
  *#planRetries(row: EvaluationRow, at: string): Generator<undefined, void> {
    const { store, nextId } = this.#parts;
    const { id } = row;
    yield* clearAgreement(store, row);
    store.testRuns.failRunning(id, 'interrupted', 'The run did not finish.', at);
    for (const run of store.testRuns.failed(id)) {
      if (!retryableFailures.has(run.failure ?? 'internal')) continue;
      store.testRuns.supersede(run.id);
      store.testRuns.insert({
        id: nextId(),
        evaluationId: id,
        testCaseId: run.testCaseId,
        modelSettingsId: run.modelSettingsId,
        position: run.position,
        repetition: run.repetition,
        attempt: run.attempt + 1,
        createdAt: at,
      });
      yield;
    }
  }

  #run(id: string, opened: ReadonlyMap<string, ChatModel>): void {
    const row = this.#parts.store.evaluations.get(id);
    if (!row) throw new Error(`Evaluation ${id} was planned but doesn't exist.`);
    this.#parts.active.run(row, opened);
  }

  /** Called between chunks: no write may begin once the database is about to be closed. */
  #throwIfClosed(): void {
    if (this.#closed)
      throw new ServiceError('TROUBLE', {
        thing: 'The evaluation',
        cause: 'Touchstone is shutting down.',
        nextStep: 'Start it again after a restart.',
      });
  }
}
