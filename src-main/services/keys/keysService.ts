import type { KeyPlace, KeyStatus } from '../../../src-shared/domain/keys.ts';
import { remoteProviders, type RemoteProvider } from '../../../src-shared/domain/provider.ts';
import type { Secrets } from '../../adapters/secrets/secrets.ts';
import type { Input, Output, ServiceFor } from '../contractTypes.ts';

/** API keys of providers. `set` stores them; no method returns them. */
export class KeysService implements ServiceFor<'keys'> {
  readonly #secrets: Secrets;
  readonly #onFileOpen: () => Promise<void>;

  /** `onFileOpen` is called as soon as the encrypted file keeps values. */
  constructor(secrets: Secrets, onFileOpen = async (): Promise<void> => undefined) {
    this.#secrets = secrets;
    this.#onFileOpen = onFileOpen;
  }

  async list(): Promise<Output<'keys', 'list'>> {
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

  async useFile({ passphrase }: Input<'keys', 'useFile'>): Promise<Output<'keys', 'useFile'>> {
    await this.#secrets.store.useFile(passphrase);
    await this.#onFileOpen();
    return this.list();
  }

  async unlock({ passphrase }: Input<'keys', 'unlock'>): Promise<Output<'keys', 'unlock'>> {
    await this.#secrets.store.unlock(passphrase);
    await this.#onFileOpen();
    return this.list();
  }

  async changePassphrase({
    current,
    next,
  }: Input<'keys', 'changePassphrase'>): Promise<Output<'keys', 'changePassphrase'>> {
    await this.#secrets.store.changePassphrase(current, next);
    return this.list();
  }

  async leaveFile({ discard }: Input<'keys', 'leaveFile'>): Promise<Output<'keys', 'leaveFile'>> {
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
