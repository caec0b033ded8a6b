import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/**
 * A file of `external`: data that others published, each with its license and source. Tests,
 * benchmarks and research read it; the program doesn't. Large files are compressed.
 */
export const externalFile = (name: string): string =>
  join(import.meta.dirname, 'external', ...name.split('/'));

export function readExternal(name: string): string {
  const bytes = readFileSync(externalFile(name));
  return (name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('utf8');
}
