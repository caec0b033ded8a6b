import { z } from 'zod';
import { KeychainTrouble } from './keychainReason.ts';

/**
 * One call to the keychain and its answer. They are sent over pipes, never on a command line.
 */
export const keychainTask = z.strictObject({
  service: z.string(),
  account: z.string(),
  action: z.enum(['get', 'set', 'remove']),
  value: z.string().nullable(),
});
export type KeychainTask = z.infer<typeof keychainTask>;
export const keychainAnswer = z.union([
  z.strictObject({ answer: z.union([z.string(), z.boolean(), z.null()]) }),
  z.strictObject({ error: z.string() }),
]);

export interface KeychainEntry {
  getPassword(signal?: AbortSignal): Promise<string | null>;
  setPassword(password: string, signal?: AbortSignal): Promise<void>;
  deletePassword(signal?: AbortSignal): Promise<boolean>;
}
export type KeychainEntryClass = new (
  service: string,
  account: string,
  options?: object,
) => KeychainEntry;

/** The part of the package that is used. Throws if the package has another form. */
export function openEntry(loaded: unknown): KeychainEntryClass {
  const shape =
    typeof loaded === 'object' && loaded !== null && 'AsyncEntry' in loaded
      ? loaded.AsyncEntry
      : undefined;
  if (typeof shape !== 'function')
    throw new KeychainTrouble('its package has an unexpected format');
  return shape as KeychainEntryClass;
}

export const lateAnswer = (ms: number): Error =>
  new KeychainTrouble(`it didn't answer within ${ms / 1000} s: it may be locked`);
