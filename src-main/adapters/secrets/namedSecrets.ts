/**
 * Where the values of `${secret:name}` come from. They are put into a request or a child's
 * environment and never stored in a file.
 */
export interface NamedSecrets {
  get(name: string): Promise<string | null>;
  /** Why stored values can't be read now; null if they can. */
  problem?(): Promise<SecretsProblem | null>;
}

/** Why values in the encrypted file can't be read. */
export interface SecretsProblem {
  /** What is wrong and, unless a passphrase is all that is missing, the next step. */
  text: string;
  /** Whether the right passphrase opens the file. */
  locked: boolean;
}

const secretPrefix = 'TOUCHSTONE_SECRET_';

export function secretVariable(name: string): string {
  return `${secretPrefix}${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}
