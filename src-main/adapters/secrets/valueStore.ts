/** Where values are kept by account: the system's keychain, a file, or memory. */
export interface ValueStore {
  get(account: string): Promise<string | null>;
  /** False if it can't be used; an older value is unchanged then. */
  set(account: string, value: string): Promise<boolean>;
  /** False if it can't be used. */
  remove(account: string): Promise<boolean>;
}

/** Keeps values as long as the program runs. */
export function memoryStore(values = new Map<string, string>()): ValueStore {
  return {
    get: async (account) => values.get(account) ?? null,
    async set(account, value) {
      values.set(account, value);
      return true;
    },
    async remove(account) {
      values.delete(account);
      return true;
    },
  };
}
