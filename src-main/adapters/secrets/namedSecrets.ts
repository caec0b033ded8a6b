/**
 * Where the values of `${secret:name}` come from. They go into a request or a child's environment
 * and are stored nowhere.
 */
export interface NamedSecrets {
  get(name: string): Promise<string | null>;
}

export const secretPrefix = 'TOUCHSTONE_SECRET_';

/** The environment variable that holds the secret of this name. */
export function secretVariable(name: string): string {
  return `${secretPrefix}${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}
