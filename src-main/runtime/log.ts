/**
 * The log of the program. Implementations redact secrets, because text leaves the program here.
 */
export interface Log {
  info(message: string): void;
  error(message: string): void;
}
