import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from './sha256.ts';

const checksums = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));

/**
 * A file of the datasets folder, as it was shipped: null if its SHA-256 is not the one in
 * `checksums.json`. Throws if either can't be read.
 */
export function readShipped(folder: string, name: string): Buffer | null {
  const bytes = readFileSync(join(folder, name));
  const sums: unknown = JSON.parse(readFileSync(join(folder, 'checksums.json'), 'utf8'));
  return checksums.parse(sums)[name] === sha256(bytes) ? bytes : null;
}
