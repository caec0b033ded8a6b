import { remoteProviders } from '../../../src-shared/domain/provider.ts';
import type { Secrets } from '../../adapters/secrets/secrets.ts';
import type { Input, Output, ServiceFor } from '../contractTypes.ts';

/** API keys of providers. `set` stores them; no method returns them. */
export class KeysService implements ServiceFor<'keys'> {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  async list(): Promise<Output<'keys', 'list'>> {
    return {
      keys: await Promise.all(
        remoteProviders.map(async (provider) => ({
          provider,
          status: await this.#secrets.status(provider),
        })),
      ),
      keychain: await this.#secrets.keychain(),
    };
  }

  /** Only says whether there is a key. */
  async status({ provider }: Input<'keys', 'status'>): Promise<Output<'keys', 'status'>> {
    return { status: await this.#secrets.status(provider) };
  }

  async set({ provider, key }: Input<'keys', 'set'>): Promise<Output<'keys', 'set'>> {
    await this.#secrets.set(provider, key);
    return this.status({ provider });
  }

  async remove({ provider }: Input<'keys', 'remove'>): Promise<Output<'keys', 'remove'>> {
    await this.#secrets.remove(provider);
    return this.status({ provider });
  }
}
