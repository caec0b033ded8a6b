/** Where values are kept by account: the system's keychain, a file, or memory. */
export interface ValueStore {
  get(account: string): Promise<string | null>;
  /** False if it can't be used; an older value is unchanged then. */
  set(account: string, value: string): Promise<boolean>;
  /** False if it can't be used. */
  remove(account: string): Promise<boolean>;
}
