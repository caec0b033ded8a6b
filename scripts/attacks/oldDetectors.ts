import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { examine } from '../../src-main/analysis/detectors/detectors.ts';

const root = resolve(import.meta.dirname, '../..');

/** The detectors of an earlier revision, so that old and new ones examine the same entries. */
export async function detectorsOf(revision: string): Promise<typeof examine> {
  const hash = revisionOf(revision);
  // Below node_modules, so that what they import is found.
  const folder = join(root, 'node_modules', '.cache', 'touchstone-detectors', hash);
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', hash, 'src-main', 'src-shared'], {
    cwd: root,
    maxBuffer: 1 << 28,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const path = join(folder, 'src-main', 'analysis', 'detectors', 'detectors.ts');
  return ((await import(path)) as { examine: typeof examine }).examine;
}

export const revisionOf = (revision: string): string =>
  execFileSync('git', ['rev-parse', revision], { cwd: root, encoding: 'utf8' }).trim();
