import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Rows of docs/faults.md: number → whether it says that tests cover it. */
function readPage(): Map<string, boolean> {
  const rows = readFileSync(join(root, 'docs', 'faults.md'), 'utf8').matchAll(
    /^\| (T\d\d) \|.*\| (yes|part|–) \|$/gm,
  );
  return new Map([...rows].map(([, number = '', covered]) => [number, covered !== '–']));
}

function numbersInTests(): Set<string> {
  const files = execFileSync(
    'git',
    [
      'ls-files',
      '--cached',
      '--others',
      '--exclude-standard',
      '*.test.ts',
      '*.test.tsx',
      '*.spec.ts',
      'src-main/testing/*.ts',
    ],
    { cwd: root, encoding: 'utf8' },
  )
    .trim()
    .split('\n');
  return new Set(
    files
      .filter((file) => !file.startsWith('scripts/'))
      .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\bT\d\d\b/g) ?? []),
  );
}

describe('docs/faults.md', () => {
  it('numbers its faults without gaps and marks as tested only those with a test of that number', () => {
    const page = readPage();
    expect(page.size).toBeGreaterThanOrEqual(64);
    expect([...page.keys()]).toEqual(
      Array.from({ length: page.size }, (_, index) => `T${String(index + 1).padStart(2, '0')}`),
    );
    const tested = numbersInTests();
    expect(
      [...page]
        .filter(([number, covered]) => covered !== tested.has(number))
        .map(([number]) => number),
    ).toEqual([]);
  });
});
