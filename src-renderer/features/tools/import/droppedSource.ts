import type { ReadSource } from './readSource.ts';

/** What was dropped or pasted on another screen, on its way to the import page. Taken once. */
let waiting: Promise<ReadSource> | null = null;

export function leaveSource(source: Promise<ReadSource>): void {
  waiting = source;
}

export function takeSource(): Promise<ReadSource> | null {
  const source = waiting;
  waiting = null;
  return source;
}
