import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeKernelModule } from './compileKernels.ts';

it('gives the committed bytes of the similarity kernels', () => {
  const committed = join(import.meta.dirname, '../src-main/analysis/similarity/kernelBytes.ts');
  expect(writeKernelModule()).toBe(readFileSync(committed, 'utf8'));
});
