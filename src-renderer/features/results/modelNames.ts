import { settingText } from '../../../src-shared/display/settingText.ts';
import type { ModelSetting } from '../../../src-shared/domain/modelFields.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { visibleText } from '../../ui/text/Foreign.tsx';

/** The word before a setting in the names of equal models; what tells them apart best comes first. */
const words = {
  reasoningEffort: 'effort',
  strict: 'strict',
  deferTools: 'deferred tools',
  api: 'wire format',
  confidence: 'confidence by',
  temperature: 'temperature',
  timeout: 'timeout',
  maxRetries: 'retries',
  baseUrl: 'at',
  replayFile: 'from',
  contextTokens: 'context',
  requestsPerMinute: 'requests a minute',
  maxWait: 'longest wait',
  stream: 'streaming',
  headers: 'headers',
  query: 'query',
  body: 'body fields',
} as const satisfies Record<Exclude<ModelSetting, 'command' | 'agent'> | 'replayFile', string>;
const telling = Object.entries(words) as [keyof typeof words, string][];

/**
 * Names for the models of an evaluation. Several models of one provider go by the model alone;
 * models with equal names also show the settings that differ.
 */
export function nameModels(models: readonly ModelSettings[]): ReadonlyMap<string, string> {
  const labels = new Set(models.map(modelLabel));
  const sameProvider = new Set(models.map(({ provider }) => provider)).size === 1;
  const nameOf = (model: ModelSettings): string =>
    sameProvider && labels.size > 1 ? model.model : modelLabel(model);
  return new Map(
    models.map((model) => {
      const name = nameOf(model);
      const namesakes = models.filter((other) => nameOf(other) === name);
      const parts = telling
        .filter(([field]) =>
          namesakes.some((other) => valueWords(other[field]) !== valueWords(model[field])),
        )
        .map(([field, word]) => `${word} ${valueWords(model[field])}`);
      return [model.id, parts.length === 0 ? name : `${name}, ${parts.join(', ')}`];
    }),
  );
}

export const modelChoices = (models: readonly ModelSettings[]) =>
  [...nameModels(models)].map(([value, label]) => ({ value, label: visibleText(label) }));

/** Of additions only the names: a value may be long. */
const valueWords = (value: string | number | boolean | object | null): string =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).join(' and ') || 'none'
    : settingText(value);
