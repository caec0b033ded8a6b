/** What a caught value says: the message of an error, anything else as text. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a caught value says with its stack, for logs. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The code of an error of the system or of a library, such as `ENOENT`; null if it has none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

/** An error and what caused it, outermost first; endless chains are cut. */
export function errorChain(error: unknown, maxErrors = 10): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < maxErrors; next = next.cause)
    chain.push(next);
  return chain;
}
