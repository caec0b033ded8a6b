import { z } from 'zod';
import { providerTable, remoteProviders, type RemoteProvider } from './provider.ts';

export const keyProvider = z.enum(remoteProviders);

/** The environment variable that a key is read from where none was set in the program. */
export const keyVariableOf = (provider: RemoteProvider): string =>
  providerTable[provider].key.variable;

export const keyStatus = z.enum(['set', 'not set']);
export type KeyStatus = z.infer<typeof keyStatus>;

/** Everything that the core ever says about keys. */
export const keyList = z.object({
  keys: z.array(z.object({ provider: keyProvider, status: keyStatus })),
  /** Without a keychain, a key is kept until the program ends. */
  keychain: z.object({ available: z.boolean(), reason: z.string().nullable() }),
});

/** A key contains no spaces, line breaks or non-ASCII characters. */
export const keyText = z
  .string()
  .trim()
  .min(1, 'Give the key.')
  .max(4096, 'A key is at most 4,096 characters long.')
  .regex(
    /^[\x21-\x7e]*$/,
    'The key holds characters that no key has, such as spaces or line ends.',
  );
