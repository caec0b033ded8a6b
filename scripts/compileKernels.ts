/**
 * Compiles the WebAssembly kernels of the similarity from their text and writes their bytes, which
 * the program ships: building it needs no compiler. Run it after a change to a `.wat` file.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../src-main/analysis/similarity');
const compiler = createRequire(import.meta.url).resolve('wabt/bin/wat2wasm');
const kernels = ['simdTile', 'listWalk'] as const;

/** The bytes of a kernel, compiled from its text. */
function compile(name: string): Buffer {
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-kernel-'));
  try {
    const output = join(scratch, `${name}.wasm`);
    execFileSync(process.execPath, [
      compiler,
      join(folder, `${name}.wat`),
      '--enable-threads',
      `--output=${output}`,
    ]);
    return readFileSync(output);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The module that holds the bytes, as it is committed. */
export function writeKernelModule(): string {
  const entries = kernels.map((name) => {
    const lines =
      compile(name)
        .toString('base64')
        .match(/.{1,92}/g) ?? [];
    return `  ${name}: [\n${lines.map((line) => `    '${line}',\n`).join('')}  ].join(''),\n`;
  });
  return `/** Written by \`scripts/compileKernels.ts\` from the .wat files of this folder, in Base64. */
export const kernelBytes = {\n${entries.join('')}};\n`;
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(folder, 'kernelBytes.ts'), writeKernelModule());
