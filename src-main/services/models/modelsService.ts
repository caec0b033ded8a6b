import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { isRemote } from '../../../src-shared/domain/provider.ts';
import type { ModelAccess } from '../../adapters/llm/openChatModel.ts';
import type { Store } from '../../store/store.ts';
import type { Services } from '../services.ts';
import { compareDeferrals } from './deferrals.ts';
import { endpointPresets } from './endpointPresets.ts';
import type { Prices } from './prices.ts';
import { probeModel } from './probe.ts';

export interface ModelsParts {
  store: Store;
  access: ModelAccess;
  prices: Prices;
}

/** What can be asked of models outside an evaluation, and what they cost. */
export function createModelsService({ store, access, prices }: ModelsParts): Services['models'] {
  return {
    list: (endpoint, { signal }) => access.list(endpoint, signal),
    probe: (configuration, { signal }) => {
      if (!isRemote(configuration.provider)) {
        throw new ServiceError('INVALID', {
          thing: `Provider ${configuration.provider}`,
          cause: 'It has no endpoint that could be asked.',
          nextStep: 'Choose a provider with an endpoint.',
          field: 'provider',
        });
      }
      return probeModel(access.open, configuration, signal);
    },
    presets: async () => [...endpointPresets],
    prices: async () => ({ date: prices.date, prices: prices.list() }),
    async setPrice(input) {
      store.modelPrices.put(input);
      const kept = store.modelPrices
        .list()
        .find(({ provider, model }) => provider === input.provider && model === input.model);
      if (!kept) throw new Error(`The price of ${input.model} was not kept.`);
      return kept;
    },
    removePrice: async ({ provider, model }) => ({
      removed: store.modelPrices.remove(provider, model),
    }),
    async deferrals({ evaluationId }) {
      const row = store.evaluations.get(evaluationId);
      if (!row)
        throw new ServiceError('NOT_FOUND', {
          thing: `Evaluation ${evaluationId}`,
          cause: 'There is none of this id.',
          nextStep: 'Look in the list of evaluations.',
        });
      return compareDeferrals(
        store,
        row.id,
        row.modelSettingsIds.flatMap((id) => store.modelSettings.get(id) ?? []),
      );
    },
  };
}
