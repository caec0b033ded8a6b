import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rule } from './rule.ts';

/** Who runs a rule: a binary, and what comes before the program's folder. */
export interface ContractProgram {
  binary: string;
  prefix: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** Bundles the rules as a program that any binary can run, and returns its folder. */
export async function buildContract(root: string): Promise<string> {
  const folder = join(root, 'node_modules', '.cache', 'touchstone', 'electronContract');
  const { build } = await import('vite');
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(root, 'src-main', 'testing', 'electronContract', 'main.ts'),
      outDir: folder,
      emptyOutDir: true,
      target: 'node22.22',
      minify: false,
      rolldownOptions: {
        external: ['electron'],
        output: { format: 'es', entryFileNames: 'main.mjs' },
      },
    },
  });
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'contract',
      productName: 'Contract',
      version: '1.0.0',
      main: 'main.mjs',
    }),
  );
  return folder;
}

/** How long a rule may take. */
const maxMs = 30_000;

/**
 * Runs a rule in a process of its own, and returns what differs from the rule; null if nothing does.
 *
 * @param app the folder of the rules' program: its `package.json` and bundled main module
 */
export async function runRule(
  rule: Rule,
  { binary, prefix, env = process.env }: ContractProgram,
  app: string,
): Promise<{ expected: readonly string[]; found: string[]; stderr: string } | null> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-contract-'));
  const expected = rule.leaves ?? [];
  const endsItself = expected.at(-1)?.startsWith('exit ') === true;
  const child = spawn(
    binary,
    [...prefix, app, `--contract-rule=${rule.id}`, `--contract-folder=${folder}`],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...env, TOUCHSTONE_CONTRACT_PREFIX: JSON.stringify(prefix) },
    },
  );
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => void (stderr += data.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), maxMs);
  try {
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (...ended) => resolve(ended));
    });
    const lines = await traceOf(folder, endsItself ? expected.length - 1 : expected.length);
    const end = signal === null ? `exit ${code}` : `ended by ${signal}`;
    const found = [...lines, ...(endsItself || end !== 'exit 0' ? [end] : [])];
    return JSON.stringify(found) === JSON.stringify(expected) ? null : { expected, found, stderr };
  } finally {
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The lines of a trace, once there are as many as expected, or none comes within five seconds. */
async function traceOf(folder: string, count: number): Promise<string[]> {
  for (let attempt = 0; ; attempt += 1) {
    const text = await readFile(join(folder, 'trace'), 'utf8').catch(() => '');
    const lines = text.split('\n').slice(0, -1);
    if (lines.length >= count || attempt === 50) return lines;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
