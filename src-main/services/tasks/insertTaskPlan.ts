import type { ChatModel } from '../../adapters/llm/chatModel.ts';
import type { NextId } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { OpenedModel } from '../evaluations/plan/openModels.ts';
import type { Prices } from '../models/prices.ts';
import type { TaskSources } from './taskSources.ts';

interface Planned {
  id: string;
  at: string;
  sources: TaskSources;
  models: readonly OpenedModel[];
  /** Gets the models by the ids of their settings. */
  opened: Map<string, ChatModel>;
}

/** Inserts the rows of an evaluation of tasks, the runs of one task per step. */
export function* insertTaskPlan(
  parts: { store: Store; nextId: NextId; prices: Prices; owner: string },
  { id, at, sources, models, opened }: Planned,
): Generator<undefined, void> {
  const { store, nextId, prices, owner } = parts;
  const { settings, suite, suiteId, suiteName, tasks } = sources;
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
  store.evaluations.insert('task', {
    id,
    suiteId,
    suiteName,
    settings,
    suite,
    plannedRuns: tasks.length * settings.repetitions * stored.length,
    models: stored,
    owner,
    createdAt: at,
  });
  for (const task of tasks) {
    store.entries.freeze(id, task);
    yield;
  }
  // Repetitions come last: whenever the evaluation is stopped, the finished runs can be compared.
  for (let repetition = 1; repetition <= settings.repetitions; repetition += 1)
    for (const { position, sourceId } of tasks) {
      for (const { modelSettingsId } of stored)
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
      yield;
    }
}
