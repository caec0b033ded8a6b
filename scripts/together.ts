import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// Runs scripts of package.json at the same time, the longest first: node scripts/together.ts NAME…
const steps = process.argv.slice(2);

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Runs one script, prints its time and, if it tests, its output. Returns the output of one that fails. */
async function runStep(name: string): Promise<string | undefined> {
  const start = performance.now();
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(scripts[name] ?? name, { cwd: root, shell: true });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    child.stderr.on('data', (part: Buffer) => (output += part.toString()));
    child.on('close', (code) => resolve({ code, output }));
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name.padEnd(12)} ${seconds.padStart(6)} s`);
  if (code !== 0) return `✗ ${name}\n\n${output.trim()}\n`;
  if (name.startsWith('test')) console.log(`\n${output.trim()}\n`);
  return undefined;
}

// Several tools use threads of their own; more of them at once than cores only makes all slower.
const waiting = [...steps];
const failures: string[] = [];
await Promise.all(
  Array.from({ length: Math.max(2, Math.min(availableParallelism(), steps.length)) }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const failure = await runStep(name);
      if (failure !== undefined) failures.push(failure);
    }
  }),
);
// Last, because who reads a long log, or its end alone, looks for them there.
for (const failure of failures) console.log(failure);
if (failures.length > 0) process.exitCode = 1;
