import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { examine } from '../../src-main/analysis/detectors/detectors.ts';

const root = resolve(import.meta.dirname, '../..');

/** The detectors of an earlier revision, so that old and new ones examine the same entries. */
export async function detectorsOf(revision: string): Promise<typeof examine> {
  const hash = revisionOf(revision);
  const folder = join(tmpdir(), `touchstone-detectors-${hash}`);
  if (!existsSync(folder)) {
    mkdirSync(folder);
    // Weights are read from the datasets of the package that a module belongs to.
    const parts = ['src-main', 'src-shared', 'datasets', 'package.json'];
    const archive = execFileSync('git', ['archive', hash, ...parts], {
      cwd: root,
      maxBuffer: 1 << 28,
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  }
  const path = join(folder, 'src-main', 'analysis', 'detectors', 'detectors.ts');
  return ((await import(path)) as { examine: typeof examine }).examine;
}

export const revisionOf = (revision: string): string =>
  execFileSync('git', ['rev-parse', revision], { cwd: root, encoding: 'utf8' }).trim();
