import { modelLabel, type ModelSettings } from '../../../src-shared/domain/model.ts';

const telling = ['temperature', 'timeout', 'maxRetries', 'baseUrl', 'replayFile'] as const;

/** The models of an evaluation by name; where two have the same, by what tells them apart too. */
export function nameModels(models: readonly ModelSettings[]): ReadonlyMap<string, string> {
  return new Map(
    models.map((model) => {
      const name = modelLabel(model);
      const namesakes = models.filter((other) => modelLabel(other) === name);
      const parts = telling
        .filter((field) => namesakes.some((other) => other[field] !== model[field]))
        .map((field) => `${words[field]} ${model[field] ?? 'none'}`);
      return [model.id, parts.length === 0 ? name : `${name}, ${parts.join(', ')}`];
    }),
  );
}

const words: Record<(typeof telling)[number], string> = {
  temperature: 'temperature',
  timeout: 'timeout',
  maxRetries: 'retries',
  baseUrl: 'at',
  replayFile: 'from',
};
