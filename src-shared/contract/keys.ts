import { z } from 'zod';
import { keyList, keyProvider, keyStatus, keyText, passphrase } from '../domain/keys.ts';
import { procedure } from './base.ts';

const status = z.object({ status: keyStatus });

/** API keys can be set but never read. */
export const keysContract = {
  list: procedure.output(keyList),
  status: procedure.input(z.strictObject({ provider: keyProvider })).output(status),
  set: procedure.input(z.strictObject({ provider: keyProvider, key: keyText })).output(status),
  /** The status can still be `set`, if the environment has a key too. */
  remove: procedure.input(z.strictObject({ provider: keyProvider })).output(status),
  /** Creates the encrypted file. Keys that are entered from then on are kept in it. */
  useFile: procedure.input(z.strictObject({ passphrase })).output(keyList),
  unlock: procedure.input(z.strictObject({ passphrase: z.string().max(1024) })).output(keyList),
  changePassphrase: procedure
    .input(z.strictObject({ current: z.string().max(1024), next: passphrase }))
    .output(keyList),
  /**
   * Moves the keys of the file into the keychain or, without one, into memory, and removes the file.
   * `discard` also removes one that can't be opened.
   */
  leaveFile: procedure.input(z.strictObject({ discard: z.boolean() })).output(keyList),
};
