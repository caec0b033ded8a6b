import { rejectAfter } from '../../runtime/deadline.ts';
import { keychainReason } from './keychainReason.ts';
import { lateAnswer, openEntry, type KeychainEntryClass } from './keychainTask.ts';
import type { ValueStore } from './valueStore.ts';

/** The system's own store of secrets, or the reason why there is none. */
export interface Keychain extends ValueStore {
  /** Determined at the first call and kept. */
  state(): Promise<KeychainState>;
}

export type KeychainState =
  { available: true; reason: null } | { available: false; reason: string };

export interface KeychainParts {
  /** Loads the package, a native module, when a key is first needed. */
  load?: () => Promise<unknown>;
  /** A locked store may never answer. */
  timeLimitMs?: number;
  service?: string;
}

let unanswered = 0;

/**
 * True while a call that timed out still has no answer. Such a call keeps the process from exiting
 * by itself.
 */
export const keychainIsStuck = (): boolean => unanswered > 0;

const probe = 'touchstone:probe';

/** The keychain of this system, through the package `keytar` unless another one is given. */
export function createKeychain({
  load = () => import('keytar'),
  timeLimitMs = 10_000,
  service = 'touchstone',
}: KeychainParts = {}): Keychain {
  let opened: Promise<KeychainEntryClass> | null = null;
  let failed: string | null = null;

  const open = async (): Promise<KeychainEntryClass> => {
    const entry = openEntry(await load());
    // Tested with a read, because the package loads and creates entries even if no store is running.
    await new entry(service, probe, entryOptions).getPassword(AbortSignal.timeout(timeLimitMs));
    return entry;
  };

  /** Null if the store can't be used. After one failure it is not used again. */
  const use = async <T>(
    work: (entry: KeychainEntryClass) => Promise<T>,
  ): Promise<{ value: T } | null> => {
    if (failed !== null) return null;
    try {
      opened ??= withTimeout(timeLimitMs, open());
      const entry = await opened;
      return { value: await withTimeout(timeLimitMs, work(entry)) };
    } catch (error) {
      failed ??= keychainReason(error);
      return null;
    }
  };

  return {
    async state() {
      await use(async () => null);
      return failed === null
        ? { available: true, reason: null }
        : { available: false, reason: failed };
    },
    get: async (account) =>
      (await use((Open) => new Open(service, account, entryOptions).getPassword()))?.value ?? null,
    set: async (account, value) =>
      (await use((Open) => new Open(service, account, entryOptions).setPassword(value))) !== null,
    remove: async (account) =>
      (await use((Open) => new Open(service, account, entryOptions).deletePassword())) !== null,
  };
}

/**
 * Without this option the package falls back to the kernel's keyring, which a restart empties.
 */
const entryOptions = { linux: { store: 'secret-service' } };

/** Stands for a missing keychain: in tests, and where it is turned off. */
export function noKeychain(reason: string): Keychain {
  return {
    state: async () => ({ available: false, reason }),
    get: async () => null,
    set: async () => false,
    remove: async () => false,
  };
}

function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return rejectAfter(ms, work, () => {
    unanswered += 1;
    const answered = () => void (unanswered -= 1);
    work.then(answered, answered);
    return lateAnswer(ms);
  });
}
