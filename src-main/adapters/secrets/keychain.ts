import { rejectAfter } from '../../runtime/deadline.ts';
import { lateAnswer, openEntry, type KeychainEntryClass } from './keychainTask.ts';

/** The system's own store of secrets, or the reason why there is none. */
export interface Keychain {
  /** Looked for at the first call; the outcome is kept. */
  state(): Promise<KeychainState>;
  /** Null where it holds nothing, or can't be used. */
  get(account: string): Promise<string | null>;
  /** False where it can't be used: then nothing was written, and what stood there still stands. */
  set(account: string, value: string): Promise<boolean>;
  /** False where it can't be used. */
  remove(account: string): Promise<boolean>;
}

export type KeychainState =
  { available: true; reason: null } | { available: false; reason: string };

export interface KeychainParts {
  /** Loads the package: a native module, so only when a key is first asked for. */
  load?: () => Promise<unknown>;
  /** A locked store may never answer. */
  timeLimitMs?: number;
  service?: string;
}

let unanswered = 0;

/**
 * Whether a call to a keychain that was given up still waits for its answer: such a call keeps the
 * process from ending by itself.
 */
export const keychainIsStuck = (): boolean => unanswered > 0;

const probe = 'touchstone:probe';

export function createKeychain({
  load = () => import('keytar'),
  timeLimitMs = 10_000,
  service = 'touchstone',
}: KeychainParts = {}): Keychain {
  let opened: Promise<KeychainEntryClass> | null = null;
  let failed: string | null = null;

  const open = async (): Promise<KeychainEntryClass> => {
    const entry = openEntry(await load());
    // Found out by asking: the package loads and makes entries where no store is running.
    await new entry(service, probe, pinned).getPassword(AbortSignal.timeout(timeLimitMs));
    return entry;
  };

  /** Null where the store can't be used; once it failed it is not asked again. */
  const use = async <T>(
    work: (entry: KeychainEntryClass) => Promise<T>,
  ): Promise<{ value: T } | null> => {
    if (failed !== null) return null;
    try {
      opened ??= within(timeLimitMs, open());
      const entry = await opened;
      return { value: await within(timeLimitMs, work(entry)) };
    } catch (error) {
      failed ??= reasonOf(error);
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
      (await use((Open) => new Open(service, account, pinned).getPassword()))?.value ?? null,
    set: async (account, value) =>
      (await use((Open) => new Open(service, account, pinned).setPassword(value))) !== null,
    remove: async (account) =>
      (await use((Open) => new Open(service, account, pinned).deletePassword())) !== null,
  };
}

/**
 * Without this the package falls back to the kernel's keyring, which a restart of the machine
 * empties.
 */
const pinned = { linux: { store: 'secret-service' } };

/** A keychain that there is none of: tests, and machines where it is turned off. */
export function noKeychain(reason: string): Keychain {
  return {
    state: async () => ({ available: false, reason }),
    get: async () => null,
    set: async () => false,
    remove: async () => false,
  };
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return rejectAfter(ms, work, () => {
    unanswered += 1;
    const answered = () => void (unanswered -= 1);
    work.then(answered, answered);
    return lateAnswer(ms);
  });
}

/** The first line, without what a package may quote of its arguments. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'it failed without a reason';
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}
