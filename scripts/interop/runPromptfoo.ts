import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version that `docs/rules.md` names. */
export const version = '0.121.20';
export const root = join(import.meta.dirname, '..', '..');
const home = join(root, 'node_modules', '.cache', 'interop', `promptfoo-${version}`);
/** Everything that promptfoo reads and writes; empty at the start. */
export const work = join(home, 'work');

/** Installs without the optional packages (browsers, clouds), except for its database's binding. */
export function installPromptfoo(): void {
  const installed = join(home, 'node_modules');
  if (!existsSync(join(installed, 'promptfoo', 'package.json'))) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{"private":true}');
    install(`promptfoo@${version}`);
  }
  if (hasBinding()) return;
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(installed, 'libsql', 'package.json'), 'utf8'),
  ) as { optionalDependencies: Record<string, string> };
  const system = `@libsql/${process.platform}-${process.arch}`;
  const binding = Object.entries(optionalDependencies).find(
    ([name]) => name.startsWith(system) && !name.endsWith('musl'),
  );
  if (!binding) throw new Error(`promptfoo's database has no binding for ${system}.`);
  install(binding.join('@'));
}

function hasBinding(): boolean {
  const folder = join(home, 'node_modules', '@libsql');
  return readdirSync(folder).some((name) => name.startsWith(`${process.platform}-`));
}

function install(what: string): void {
  const options = ['--ignore-scripts', '--omit=optional', '--omit=peer', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, what], { cwd: home, stdio: 'inherit' });
}

/** The verdict on one test, and the reason of an error. */
export interface Verdict {
  testIdx: number;
  success: boolean;
  error?: string;
}

/**
 * Runs a configuration with a provider of its own, given as the source of a module, and returns the
 * verdicts in the order of the tests.
 */
export function evaluateInPromptfoo(
  config: string,
  provider: string,
  { keepsTraces = false } = {},
): Verdict[] {
  writeFileSync(join(work, 'recorded.mjs'), provider);
  // The text itself, because how it quotes dates and numbers is part of what is checked.
  writeFileSync(join(work, 'config.yaml'), `${config}providers: [file://recorded.mjs]\n`);
  const main = join(home, 'node_modules', 'promptfoo', 'dist', 'src', 'main.js');
  const output = join(work, 'output.json');
  rmSync(output, { force: true });
  // Traces belong to an evaluation that is stored.
  const stored = keepsTraces ? [] : ['--no-write'];
  const options = ['--no-cache', ...stored, '--no-table', '--no-progress-bar'];
  const run = spawnSync(
    process.execPath,
    [main, 'eval', '-c', 'config.yaml', '-o', output, ...options],
    {
      cwd: work,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: work,
        PROMPTFOO_CONFIG_DIR: join(work, 'home'),
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
        PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
      },
    },
  );
  if (!existsSync(output)) throw new Error(`promptfoo wrote nothing: ${run.stdout}${run.stderr}`);
  const { results } = JSON.parse(readFileSync(output, 'utf8')) as {
    results: { results: Verdict[] };
  };
  return results.results.sort((one, other) => one.testIdx - other.testIdx);
}
