import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { isNightly, sampled } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const page = readFileSync(join(programFiles.root, 'docs', 'guide', 'test-agent.md'), 'utf8');
const [, section = ''] = /^## Try it without a key\n([^]*?)^## /m.exec(page) ?? [];
const commands = [...section.matchAll(/^touchstone (.+)$/gm)].map(([, line = '']) => line);
const [, file = ''] = /```yaml\n([^]*?)```/.exec(section) ?? [];
const sample = join(programFiles.datasets, 'sample', 'agent.mjs');
// As on a computer where Node.js is installed.
const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;

let folder: TemporaryFolder;
const run = (args: readonly string[]) =>
  runCommand(args, { workspace: join(folder.path, 'workspace') });
const before = process.env['PATH'];
beforeAll(async () => {
  folder = await temporaryFolder();
  process.env['PATH'] = path;
  copyFileSync(sample, join(folder.path, 'agent.mjs'));
  writeFileSync(join(folder.path, 'my-agent.yaml'), file);
});
afterAll(async () => {
  process.env['PATH'] = before;
  await folder.remove();
});

it('the page has commands and a template of an own agent', () => {
  expect(commands.length).toBeGreaterThan(3);
  expect(file).toContain('agent.mjs');
});

it.each(sampled(commands, (line) => line.includes('my-agent.yaml') || !line.startsWith('eval')))(
  'the guide page has a command that runs: %s',
  async (line) => {
    const args = line
      .split(' ')
      .map((word) => (word === 'my-agent.yaml' ? join(folder.path, word) : word));
    const isPlayed = args[0] === 'eval' && !args.includes('--estimate');
    const { code, stdout, stderr } = await run(isPlayed ? [...args, '--json'] : args);
    expect(code, stderr).toBe(0);
    if (!isPlayed) return expect(stdout).toMatch(/sample.*1\.0\.0/);
    const [, passed, total] = /passes (\d+) of the (\d+) cases/.exec(section) ?? [];
    const { counts } = JSON.parse(stdout) as { counts: { tp: number; tn: number; total: number } };
    expect(counts).toMatchObject({ failed: 0, total: Number(total) });
    const rate = (JSON.parse(stdout) as { metrics: { pass_rate: { value: number } } }).metrics;
    expect(Math.round(rate.pass_rate.value * counts.total)).toBe(Number(passed));
  },
);

it.runIf(isNightly)(
  'the sample agent plays tasks of several turns, and all its runs are scored',
  async () => {
    const suite = join(programFiles.datasets, 'sample', 'todo-tasks.suite.yaml');
    const { code, stdout, stderr } = await run([
      ...['eval', '--suite', suite, '--agent', 'sample', '--execute', 'full', '--yes', '--json'],
    ]);
    expect(code, stderr).toBe(0);
    const { outcomes } = JSON.parse(stdout) as { outcomes: Record<string, number> };
    expect(outcomes).toMatchObject({ not_scored: 0 });
    expect(outcomes['succeeded']).toBeGreaterThan(2);
  },
);
