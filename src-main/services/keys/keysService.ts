import { remoteProviders } from '../../../src-shared/domain/provider.ts';
import type { Secrets } from '../../adapters/secrets/secrets.ts';
import type { Services } from '../services.ts';

/** Keys of providers: in by `set`, never out. */
export function createKeysService(secrets: Secrets): Services['keys'] {
  return {
    list: async () => ({
      keys: await Promise.all(
        remoteProviders.map(async (provider) => ({
          provider,
          status: await secrets.status(provider),
        })),
      ),
      keychain: await secrets.keychain(),
    }),
    status: async ({ provider }) => ({ status: await secrets.status(provider) }),
    async set({ provider, key }) {
      await secrets.set(provider, key);
      return { status: await secrets.status(provider) };
    },
    async remove({ provider }) {
      await secrets.remove(provider);
      return { status: await secrets.status(provider) };
    },
  };
}
