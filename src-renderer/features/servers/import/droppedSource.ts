import type { ImportSource } from './readSource.ts';

/** A file that was dropped on another screen, on its way to the import page. Taken once. */
let waiting: ImportSource | null = null;

export function leaveSource(source: ImportSource): void {
  waiting = source;
}

export function takeSource(): ImportSource | null {
  const source = waiting;
  waiting = null;
  return source;
}
