/**
 * Packs what `npm publish` would publish, installs it into an empty folder as a user would, and
 * uses it there: the command, the libraries with their types, and the folder's size. Needs a
 * registry for the dependencies; publishes nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const maxInstalledMb = 60;
const maxPackages = 6;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'touchstone-tarball-'));
const project = join(folder, 'project');

try {
  mkdirSync(project);
  const dry = spawnSync('npm', ['publish', '--dry-run'], { cwd: root, encoding: 'utf8' });
  check(dry.status === 0, `npm publish --dry-run ends with ${dry.status}: ${dry.stderr}`);
  // A setting of this computer's user says nothing about the package.
  const warnings = dry.stderr.match(/^npm warn (?!Unknown (user|env) config).*$/gm) ?? [];
  check(warnings.length === 0, `npm publish --dry-run warns: ${warnings.join('; ')}`);

  const packed = JSON.parse(
    npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder),
  ) as { filename: string; files: { path: string }[] }[];
  const [tarball] = packed;
  check(tarball !== undefined, 'npm packs nothing');
  const surplus = tarball.files.filter(({ path }) =>
    /^(src-|e2e|bench|scripts|docs|research)/.test(path),
  );
  check(surplus.length === 0, `the tarball holds ${surplus[0]?.path}`);

  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  npm(project, 'install', '--no-audit', '--no-fund', join(folder, tarball.filename));
  const installed = readdirSync(join(project, 'node_modules'));
  for (const name of ['node', 'electron', 'playwright', 'react', 'vite', 'vitest', 'openai'])
    check(!installed.includes(name), `${name} is installed with it`);
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optional?: boolean }>;
  };
  const packages = Object.keys(lock.packages).filter(
    (path) => path !== '' && existsSync(join(project, path)),
  );
  check(packages.length <= maxPackages, `it installs ${packages.join(', ')}`);
  const megabytes = bytesOf(project) / 1e6;
  check(megabytes <= maxInstalledMb, `it installs ${megabytes.toFixed(0)} MB`);

  useCommand();
  useLibraries();
  useMatchers();
  console.log(
    `The package installs ${megabytes.toFixed(0)} MB; its command, its libraries and its matchers work.`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Runs `touchstone` by `npx`, with the folders of the project's own PATH only. */
function touchstone(...args: string[]) {
  return spawnSync('npx', ['--no-install', 'touchstone', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TOUCHSTONE_HOME: join(folder, 'workspace'),
      TOUCHSTONE_KEYCHAIN: 'off',
    },
  });
}

function useCommand(): void {
  const help = touchstone('--help');
  check(help.status === 0 && help.stdout.includes('touchstone'), `npx touchstone: ${help.stderr}`);
  const tools = touchstone('tools', '--server', 'todo', '--json');
  check(tools.status === 0, `touchstone tools: ${tools.stderr}`);
  writeFileSync(join(project, 'tools.json'), tools.stdout);
  const suite = touchstone('suite', 'export', 'todo-sample', '--out', 'suite.yaml');
  check(suite.status === 0, `touchstone suite export: ${suite.stderr}`);
  const evaluation = touchstone(
    ...['eval', '--suite', 'suite.yaml', '--tools', 'tools.json', '--provider', 'builtin'],
    ...['--report', 'report.json', '--json'],
  );
  check(evaluation.status === 0, `touchstone eval: ${evaluation.stderr}`);
  const { counts } = JSON.parse(evaluation.stdout) as { counts: { total: number } };
  check(counts.total > 20, `touchstone eval scored ${counts.total} runs`);
}

/** Uses each library from JavaScript, and checks the same file against the types. */
function useLibraries(): void {
  const text = `
import { readFileSync } from 'node:fs';
import { mcnemarExact, wilson } from 'touchstone/metrics';
import { evaluationDocument } from 'touchstone/report';
import { openScorer, type RecordedScore } from 'touchstone/scoring';
import { readSuiteFile } from 'touchstone/suite';
import schema from 'touchstone/schemas/suite.schema.json' with { type: 'json' };

const read = readSuiteFile(readFileSync('suite.yaml', 'utf8'));
const cases: number = read.file?.cases.length ?? 0;
const report = evaluationDocument.parse(JSON.parse(readFileSync('report.json', 'utf8')));
const scorer = openScorer();
const score: RecordedScore = await scorer.score({
  id: 1,
  tools: [{ name: 'add', inputSchema: { type: 'object' } }],
  expected_calls: [{ name: 'add' }],
  actual_calls: [{ name: 'add', arguments: {} }],
});
await scorer.close();
// @ts-expect-error A score has no such field.
score.nothing;
console.log(JSON.stringify([
  cases > 20, typeof report, score.passed, wilson(8, 10)?.low, mcnemarExact(6, 0), schema.type,
]));
`;
  writeFileSync(join(project, 'use.ts'), text);
  checkTypes('use.ts');
  const used = spawnSync(process.execPath, ['use.ts'], { cwd: project, encoding: 'utf8' });
  check(used.status === 0, `a library fails: ${used.stderr}`);
  const [cases, report, passed, low, p, type] = JSON.parse(used.stdout) as unknown[];
  check(cases === true && report === 'object' && passed === true, `they answer ${used.stdout}`);
  check(Math.abs(Number(low) - 0.4902) < 1e-3 && p === 0.03125, `they answer ${used.stdout}`);
  check(type === 'object', `they answer ${used.stdout}`);
}

/** Checks a file as a stranger's compiler does, which reads every declaration that it names. */
function checkTypes(file: string, ...options: string[]): void {
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  for (const resolution of ['bundler', 'node16', 'nodenext'] as const) {
    const typed = spawnSync(
      process.execPath,
      [
        ...[compiler, '--noEmit', '--strict', '--resolveJsonModule', '--target', 'es2024'],
        ...['--module', { bundler: 'esnext', node16: 'node18', nodenext: 'nodenext' }[resolution]],
        ...['--moduleResolution', resolution, '--types', 'node', ...options],
        ...['--typeRoots', join(root, 'node_modules', '@types'), file],
      ],
      { cwd: project, encoding: 'utf8' },
    );
    check(typed.status === 0, `the types of ${file} don't fit (${resolution}): ${typed.stdout}`);
  }
}

/** Runs the example of the guide under Vitest, which only a project that has it can use. */
function useMatchers(): void {
  const page = readFileSync(join(root, 'docs', 'guide', 'cli.md'), 'utf8');
  const section = page.slice(page.indexOf('### In your own tests'));
  const [, test = ''] = /```ts\n([^]*?)```/.exec(section) ?? [];
  const [, suite = ''] = /```yaml\n([^]*?)```/.exec(section) ?? [];
  writeFileSync(join(project, 'parcels.test.ts'), test);
  writeFileSync(join(project, 'parcels.suite.yaml'), suite);
  const [, config = ''] = /```js\n([^]*?)```/.exec(section) ?? [];
  writeFileSync(join(project, 'vitest.config.js'), config);
  for (const name of ['vitest', '@vitest'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name), 'dir');
  // The declarations of Vitest and of what it builds on are not ours to check.
  checkTypes('parcels.test.ts', '--skipLibCheck');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const run = () =>
    spawnSync(process.execPath, [vitest, 'run', '--root', project], {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, CI: 'true', NO_COLOR: '1' },
    });
  const green = run();
  check(
    green.status === 0 && green.stdout.includes('Tests  4 passed'),
    `the example ends with ${green.status}: ${green.stdout}${green.stderr}`,
  );
  check(
    green.stdout.includes('Touchstone: 5 of 5 runs passed.'),
    `the reporter says ${green.stdout}`,
  );
  const scored = touchstone('score', '--input', 'runs.jsonl');
  check(
    scored.stdout.match(/"passed":true/g)?.length === 5,
    `its runs are scored as ${scored.stdout}${scored.stderr}`,
  );
  writeFileSync(
    join(project, 'parcels.suite.yaml'),
    suite.replaceAll('parcel: P-7', 'parcel: P-8'),
  );
  const red = run();
  check(
    red.status === 1 && `${red.stdout}${red.stderr}`.includes('parcel: expected "P-8", got "P-7"'),
    `a wrong call ends with ${red.status}: ${red.stdout}${red.stderr}`,
  );
}

function bytesOf(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`Package: ${otherwise}.`);
}
