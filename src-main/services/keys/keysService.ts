import type { KeyPlace, KeyStatus } from '../../../src-shared/domain/keys.ts';
import { remoteProviders, type RemoteProvider } from '../../../src-shared/domain/provider.ts';
import type { Secrets } from '../../adapters/secrets/secrets.ts';
import type { ServiceFor } from '../contractTypes.ts';

type Topic = ServiceFor<'keys'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

/** API keys of providers. `set` stores them; no method returns them. */
export class KeysService implements ServiceFor<'keys'> {
  readonly #secrets: Secrets;
  readonly #onFileOpen: () => Promise<void>;

  /** `onFileOpen` is called as soon as the encrypted file keeps values. */
  constructor(secrets: Secrets, onFileOpen = async (): Promise<void> => undefined) {
    this.#secrets = secrets;
    this.#onFileOpen = onFileOpen;
  }

  async list(): Answer<'list'> {
    return {
      keys: await Promise.all(
        remoteProviders.map(async (provider) => ({
          provider,
          ...(await this.#describe(provider)),
        })),
      ),
      store: await this.#secrets.store.state(),
      keychain: await this.#secrets.store.keychain(),
    };
  }

  /** Only says whether there is a key. */
  async status({ provider }: Input<'status'>): Answer<'status'> {
    return { status: await this.#secrets.status(provider) };
  }

  async set({ provider, key }: Input<'set'>): Answer<'set'> {
    await this.#secrets.set(provider, key);
    return this.status({ provider });
  }

  async remove({ provider }: Input<'remove'>): Answer<'remove'> {
    await this.#secrets.remove(provider);
    return this.status({ provider });
  }

  async useFile({ passphrase }: Input<'useFile'>): Answer<'useFile'> {
    await this.#secrets.store.useFile(passphrase);
    await this.#onFileOpen();
    return this.list();
  }

  async unlock({ passphrase }: Input<'unlock'>): Answer<'unlock'> {
    await this.#secrets.store.unlock(passphrase);
    await this.#onFileOpen();
    return this.list();
  }

  async changePassphrase({ current, next }: Input<'changePassphrase'>): Answer<'changePassphrase'> {
    await this.#secrets.store.changePassphrase(current, next);
    return this.list();
  }

  async leaveFile({ discard }: Input<'leaveFile'>): Answer<'leaveFile'> {
    await this.#secrets.store.leaveFile(discard);
    return this.list();
  }

  async #describe(
    provider: RemoteProvider,
  ): Promise<{ status: KeyStatus; place: KeyPlace | null }> {
    const place = await this.#secrets.place(provider);
    return { status: place === null ? 'not set' : 'set', place };
  }
}
