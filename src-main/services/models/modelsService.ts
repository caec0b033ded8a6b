import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { InstalledAgent } from '../../../src-shared/domain/modelService.ts';
import { isRemote } from '../../../src-shared/domain/provider.ts';
import type { ModelAccess } from '../../adapters/llm/openChatModel.ts';
import type { Store } from '../../store/store.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import { compareDeferrals } from './deferrals.ts';
import { endpointPresets } from './endpointPresets.ts';
import type { RequestSecrets } from './requestSecrets.ts';
import type { Prices } from './prices.ts';
import { probeModel } from './probe.ts';
import { notFound } from '../../store/database/table.ts';

type Topic = ServiceFor<'models'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface ModelsParts {
  store: Store;
  access: ModelAccess;
  /** When absent, a credential in an addition is sent and not kept. */
  requestSecrets?: RequestSecrets;
  prices: Prices;
  /** The known agents with the programs that are here. */
  agents: () => Promise<InstalledAgent[]>;
}

/** Model lists, probes and prices outside an evaluation. */
export class ModelsService implements ServiceFor<'models'> {
  readonly #parts: ModelsParts;

  constructor(parts: ModelsParts) {
    this.#parts = parts;
  }

  async list(endpoint: Input<'list'>, { signal }: CallOptions): Answer<'list'> {
    const { requestSecrets, access } = this.#parts;
    return access.list((await requestSecrets?.keep(endpoint)) ?? endpoint, signal);
  }

  async agents(): Answer<'agents'> {
    return this.#parts.agents();
  }

  /** Checks that an endpoint calls tools. Throws INVALID for providers without an endpoint. */
  async probe(configuration: Input<'probe'>, { signal }: CallOptions): Answer<'probe'> {
    if (!isRemote(configuration.provider)) {
      throw new ServiceError('INVALID', {
        thing: `Provider ${configuration.provider}`,
        cause: 'It has no endpoint to test.',
        nextStep: 'Choose a provider that has an endpoint.',
        field: 'provider',
      });
    }
    const { requestSecrets, access } = this.#parts;
    const kept = (await requestSecrets?.keep(configuration)) ?? configuration;
    return probeModel(access.open, kept, signal);
  }

  /** Keeps a value of `${secret:NAME}` in the requests to models. */
  async setSecret({ name, value }: Input<'setSecret'>): Answer<'setSecret'> {
    return { place: await this.#secrets().set(name, value) };
  }

  async secrets(): Answer<'secrets'> {
    const { requestSecrets, store } = this.#parts;
    return (await requestSecrets?.list(store.modelSettings.withReferences())) ?? [];
  }

  async removeSecret({ name }: Input<'removeSecret'>): Answer<'removeSecret'> {
    return { status: await this.#secrets().remove(name) };
  }

  #secrets(): RequestSecrets {
    const { requestSecrets } = this.#parts;
    if (requestSecrets === undefined) throw new Error('This host keeps no secrets of models.');
    return requestSecrets;
  }

  async presets(): Answer<'presets'> {
    return [...endpointPresets];
  }

  async prices(): Answer<'prices'> {
    const { prices } = this.#parts;
    return { date: prices.date, prices: prices.list() };
  }

  /** Sets the user's own price, which takes precedence over the program's list. */
  async setPrice(input: Input<'setPrice'>): Answer<'setPrice'> {
    const { modelPrices } = this.#parts.store;
    modelPrices.put(input);
    const kept = modelPrices
      .list()
      .find(({ provider, model }) => provider === input.provider && model === input.model);
    if (!kept) throw new Error(`The price of ${input.model} was not saved.`);
    return kept;
  }

  async removePrice({ provider, model }: Input<'removePrice'>): Answer<'removePrice'> {
    return { removed: this.#parts.store.modelPrices.remove(provider, model) };
  }

  /** Compares configurations of an evaluation that differ only in deferred tools. */
  async deferrals({ evaluationId }: Input<'deferrals'>): Answer<'deferrals'> {
    const { store } = this.#parts;
    const row = store.evaluations.get('case', evaluationId);
    if (!row)
      throw notFound('Evaluation', evaluationId, 'Choose one from the list of evaluations.');
    return compareDeferrals(
      store,
      row.id,
      row.modelSettingsIds.flatMap((id) => store.modelSettings.get(id) ?? []),
    );
  }
}
