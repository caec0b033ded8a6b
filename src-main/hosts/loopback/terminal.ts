import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Prints a new link each time Enter is pressed. Returns what stops listening. */
export function offerNewLinks(input: Readable, newUrl: () => string, print: (line: string) => void): () => void {
  const lines = createInterface({ input });
  lines.on('line', () => print(`A new link, good once and for 15 minutes: ${newUrl()}`));
  return () => lines.close();
}
