import { z } from 'zod';

export const keyProviders = ['openai', 'anthropic', 'openai-compatible'] as const;
export const keyProvider = z.enum(keyProviders);
export type KeyProvider = z.infer<typeof keyProvider>;

/** The environment variables that keys are read from where none was set in the program. */
export const keyVariables: Readonly<Record<KeyProvider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  // A key of its own: the one for OpenAI never goes to another host by chance.
  'openai-compatible': 'OPENAI_COMPATIBLE_API_KEY',
};

export const keyStatus = z.enum(['set', 'not set']);
export type KeyStatus = z.infer<typeof keyStatus>;

/** All that is ever told of keys. */
export const keyList = z.object({
  keys: z.array(z.object({ provider: keyProvider, status: keyStatus })),
  /** Where there is none, a key lives as long as the program. */
  keychain: z.object({ available: z.boolean(), reason: z.string().nullable() }),
});

/** What every key is made of: no spaces, line ends or other signs. */
export const keyText = z
  .string()
  .trim()
  .min(1, 'Give the key.')
  .max(4096, 'A key is at most 4,096 characters long.')
  .regex(
    /^[\x21-\x7e]*$/,
    'The key holds characters that no key has, such as spaces or line ends.',
  );
