import { z } from 'zod';
import type { KeyStoreState, StorePlace } from '../../../src-shared/domain/keys.ts';
import { noKeychain, type Keychain, type KeychainState } from './keychain.ts';
import { problemOfFile } from './encryptedFile.ts';
import type { SecretsProblem } from './namedSecrets.ts';
import type { SecretFile } from './secretFile.ts';

export interface StoreParts {
  keychain?: Keychain;
  /** Left out where there is no workspace. */
  file?: SecretFile | undefined;
  /** Values of this session. */
  memory?: ReadonlyMap<string, string>;
}

/** The account of the keychain that lists the others: its package has no list without values. */
const listAccount = 'touchstone:accounts';
const accountList = z.array(z.string());
/** Servers and providers say themselves which accounts they have. */
const isListed = (account: string): boolean => /^(?:model|tool):/.test(account);

/**
 * Where values that a person enters are kept: in the encrypted file if there is one, else in the
 * system's keychain, else in memory. Values of this session take precedence over the file, and the
 * file over the keychain. A keychain or file that fails counts as missing.
 */
export function createSecretStore({
  keychain = noKeychain('none is in use here'),
  file,
  memory = new Map(),
}: StoreParts = {}) {
  const session = new Map(memory);
  const usedFile = (): SecretFile | null => (file?.exists === true ? file : null);
  const inKeychain = (account: string) => keychain.get(account).catch(() => null);
  const inFile = async (account: string) => (await usedFile()?.get(account)) ?? null;

  const listed = async (): Promise<string[]> => {
    const text = await inKeychain(listAccount);
    try {
      return text === null ? [] : accountList.parse(JSON.parse(text));
    } catch {
      // Something else wrote it: the next value that is set begins a new list.
      return [];
    }
  };
  const keepInKeychain = async (account: string, value: string): Promise<boolean> => {
    if (!(await keychain.set(account, value).catch(() => false))) return false;
    const accounts = isListed(account) ? await listed() : null;
    if (accounts?.includes(account) === false)
      await keychain.set(listAccount, JSON.stringify([...accounts, account])).catch(() => false);
    return true;
  };
  const keep = async (account: string, value: string): Promise<StorePlace> => {
    const kept = usedFile();
    if (kept !== null) return (await kept.set(account, value)) ? 'file' : 'memory';
    return (await keepInKeychain(account, value)) ? 'keychain' : 'memory';
  };
  const set = async (account: string, value: string): Promise<StorePlace> => {
    const place = await keep(account, value);
    if (place === 'memory') session.set(account, value);
    else session.delete(account);
    return place;
  };
  const requireFile = (): SecretFile => {
    const used = usedFile();
    if (used === null)
      throw problemOfFile('There is no key file.', 'Turn on the encrypted file first.');
    return used;
  };

  return {
    get: async (account: string): Promise<string | null> =>
      session.get(account) ?? (await inFile(account)) ?? (await inKeychain(account)),
    /** Where the value is kept; null if there is none. */
    async place(account: string): Promise<StorePlace | null> {
      if (session.has(account)) return 'memory';
      if ((await inFile(account)) !== null) return 'file';
      return (await inKeychain(account)) === null ? null : 'keychain';
    },
    /** Stores a value and returns where: in memory it lasts only as long as the program. */
    set,
    async remove(account: string): Promise<void> {
      session.delete(account);
      await usedFile()?.remove(account);
      await keychain.remove(account).catch(() => false);
      const accounts = isListed(account) ? await listed() : [];
      if (accounts.includes(account) && (await inKeychain(account)) === null)
        await keychain
          .set(listAccount, JSON.stringify(accounts.filter((each) => each !== account)))
          .catch(() => false);
    },
    /** The accounts of models and tools with a value, and all others outside of a keychain. */
    async accounts(): Promise<string[]> {
      const inUse = (await usedFile()?.values()) ?? new Map<string, string>();
      return [...new Set([...session.keys(), ...inUse.keys(), ...(await listed())])].sort();
    },
    /** Where new values are kept. */
    async state(): Promise<KeyStoreState> {
      const used = usedFile();
      if (used === null)
        return {
          kind: (await keychain.state()).available ? 'keychain' : 'memory',
          locked: false,
          problem: null,
        };
      const problem = await used.problem();
      return { kind: 'file', locked: problem?.locked ?? false, problem: problem?.text ?? null };
    },
    /** Why kept values can't be read now; null if they can. */
    problem: async (): Promise<SecretsProblem | null> => (await usedFile()?.problem()) ?? null,
    keychain: (): Promise<KeychainState> => keychain.state(),
    /** Opens the file, and moves values of this session into it. */
    async unlock(passphrase: string): Promise<void> {
      await requireFile().unlock(passphrase);
      for (const [account, value] of session) await set(account, value);
    },
    changePassphrase: (current: string, next: string): Promise<void> =>
      requireFile().changePassphrase(current, next),
    /** Creates the file. Values of the keychain stay there and can still be read. */
    async useFile(passphrase: string): Promise<void> {
      if (file === undefined)
        throw problemOfFile(
          'There is no workspace in this folder.',
          'Open a workspace and try again.',
        );
      await file.create(passphrase, session);
      session.clear();
    },
    /**
     * Moves the values of the file into the keychain or, without one, into memory, and removes the
     * file. `discard` drops what a file holds that can't be opened.
     */
    async leaveFile(discard: boolean): Promise<void> {
      const used = requireFile();
      const problem = await used.problem();
      if (problem !== null && !discard)
        throw problemOfFile(
          problem.text,
          `${problem.locked ? "Unlock it first. If you can't," : 'Or'} remove it with everything in it.`,
        );
      for (const [account, value] of await used.values()) {
        const isKept = await keepInKeychain(account, value);
        if (!isKept && !session.has(account)) session.set(account, value);
      }
      used.delete();
    },
  };
}
export type SecretStore = ReturnType<typeof createSecretStore>;
