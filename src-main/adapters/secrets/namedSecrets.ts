/**
 * Where the values of `${secret:name}` come from. They are put into a request or a child's
 * environment and never stored in a file.
 */
export interface NamedSecrets {
  get(name: string): Promise<string | null>;
  /** Why stored values can't be read now; null if they can. */
  problem?(): Promise<string | null>;
}

const secretPrefix = 'TOUCHSTONE_SECRET_';

/** The environment variable that holds the secret of this name. */
export function secretVariable(name: string): string {
  return `${secretPrefix}${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}
