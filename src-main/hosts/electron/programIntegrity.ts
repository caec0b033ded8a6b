import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { errorCode } from '../../../src-shared/domain/errorText.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';

/**
 * The SHA-256 of each file of the program, by its path with `/`. Written when the program is packed,
 * and kept in the archive, whose own integrity Electron checks where it can.
 */
export type ProgramManifest = Readonly<Record<string, string>>;

/** In place of a hash: signing changes this file later, and the system checks its signature. */
export const signedLater = 'signed';

/** Where the packed program keeps its manifest, relative to the root of the archive. */
export const manifestPath = join('out', 'programManifest.json');

const manifestSchema = z.record(z.string(), z.string());
const maxNamed = 3;
const installAgain = 'Reinstall Touchstone from a source you trust.';

/** Smaller files are read at once: most are tiny, and each round trip costs more than its hash. */
const maxReadAtOnce = 256 * 1024;

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  if (statSync(file).size <= maxReadAtOnce) hash.update(readFileSync(file));
  else await pipeline(createReadStream(file, { highWaterMark: maxReadAtOnce }), hash);
  return hash.digest('hex');
}

export interface ChangedFile {
  path: string;
  change: 'changed' | 'added' | 'removed';
}

/**
 * The files of a folder that differ from the manifest, by path. `isWhole` says whether the folder
 * must hold every file of the manifest, or any part of them. Links count as changed: none is packed.
 */
export async function findChangedFiles(
  folder: string,
  manifest: ProgramManifest,
  isWhole: boolean,
): Promise<ChangedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    },
  );
  const changes: ChangedFile[] = [];
  const present = new Set<string>();
  const yieldIfDue = createYielder();
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    await yieldIfDue();
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).split(sep).join('/');
    present.add(path);
    const expected = Object.hasOwn(manifest, path) ? manifest[path] : undefined;
    if (expected === undefined) changes.push({ path, change: 'added' });
    else if (!entry.isFile() || !(await isAsPacked(file, expected)))
      changes.push({ path, change: 'changed' });
  }
  if (isWhole)
    for (const path of Object.keys(manifest))
      if (!present.has(path)) changes.push({ path, change: 'removed' });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function isAsPacked(file: string, expected: string): Promise<boolean> {
  return expected === signedLater || (await hashFile(file)) === expected;
}

/**
 * Throws if the program beside the archive, or what was unpacked from it, is not what was packed.
 * Nothing of either may be loaded before.
 */
export async function checkProgram(resources: string, manifestFile: string): Promise<void> {
  const manifest = await readManifest(manifestFile);
  const [program, unpacked] = await Promise.all([
    findChangedFiles(join(resources, 'program'), manifest, true),
    findChangedFiles(join(resources, 'app.asar.unpacked'), manifest, false),
  ]);
  const changes = [...program, ...unpacked];
  if (changes.length === 0) return;
  const named = changes
    .slice(0, maxNamed)
    .map(({ path, change }) => `${path} (${change})`)
    .join(', ');
  const rest = changes.length > maxNamed ? ` and ${changes.length - maxNamed} more` : '';
  throw new Error(
    `Files of Touchstone differ from the released ones: ${named}${rest}. ${installAgain}`,
  );
}

async function readManifest(file: string): Promise<ProgramManifest> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`Touchstone is incomplete: its list of files is missing. ${installAgain}`, {
      cause: error,
    });
  });
  return manifestSchema.parse(JSON.parse(text));
}
