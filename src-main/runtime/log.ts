/**
 * Where a program writes about itself. Whoever implements it redacts secrets: this is a write
 * boundary.
 */
export interface Log {
  info(message: string): void;
  error(message: string): void;
}
