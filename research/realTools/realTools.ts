import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../src-main/runtime/sha256.ts';
import { readCompressed } from '../compressed.ts';

export const versions = ['v1', 'v2', 'v3', 'v4'] as const;
export type Version = (typeof versions)[number];

export const realToolsFile = (version: Version): string =>
  join(import.meta.dirname, `real_tools_${version}.json.br`);

const checksums = z.record(z.enum(versions), z.string());

/** A version as a corpus file. Throws if it was changed. */
export function readRealTools(version: Version): string {
  const text = readCompressed(realToolsFile(version));
  const sums: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, 'checksums.json'), 'utf8'),
  );
  if (sha256(text) !== checksums.parse(sums)[version])
    throw new Error(`real_tools_${version} is not what checksums.json says. Restore the file.`);
  return text;
}
