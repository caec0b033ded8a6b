import { z } from 'zod';
import { providerTable, remoteProviders, type RemoteProvider } from './provider.ts';

export const keyProvider = z.enum(remoteProviders);

/** The environment variable that a key is read from where none was set in the program. */
export const keyVariableOf = (provider: RemoteProvider): string =>
  providerTable[provider].key.variable;

export const keyStatus = z.enum(['set', 'not set']);
export type KeyStatus = z.infer<typeof keyStatus>;

/** Where a key that was entered is kept. In memory it lasts as long as the program. */
export const storePlace = z.enum(['keychain', 'file', 'memory']);
export type StorePlace = z.infer<typeof storePlace>;
export const keyPlace = z.enum([...storePlace.options, 'environment']);
export type KeyPlace = z.infer<typeof keyPlace>;

/** Where keys that are entered are kept. */
const keyStoreState = z.object({
  kind: storePlace,
  /** The encrypted file needs its passphrase. */
  locked: z.boolean(),
  /** Why the keys in the file can't be read. */
  problem: z.string().nullable(),
});
export type KeyStoreState = z.infer<typeof keyStoreState>;

/** Everything that the core ever says about keys. */
export const keyList = z.object({
  keys: z.array(z.object({ provider: keyProvider, status: keyStatus, place: keyPlace.nullable() })),
  store: keyStoreState,
  keychain: z.object({ available: z.boolean(), reason: z.string().nullable() }),
});
export type KeyList = z.infer<typeof keyList>;

/** A value of `${secret:NAME}` in requests to models that has one: never the value itself. */
export const requestSecret = z.object({ name: z.string(), place: keyPlace });
export type RequestSecret = z.infer<typeof requestSecret>;

/** Opens the encrypted file of keys. */
export const passphrase = z
  .string()
  .min(8, 'A passphrase has at least 8 characters.')
  .max(1024, 'A passphrase has at most 1,024 characters.');

/** A key contains no spaces, line breaks or non-ASCII characters. */
export const keyText = z
  .string()
  .trim()
  .min(1, 'Give the key.')
  .max(4096, 'A key is at most 4,096 characters long.')
  .regex(
    /^[\x21-\x7e]*$/,
    'The key contains characters that keys never have, such as spaces or line breaks.',
  );
