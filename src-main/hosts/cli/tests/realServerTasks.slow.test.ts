import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const require = createRequire(import.meta.url);
const installed = (name: string): string =>
  join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js');
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

it.runIf(isNightly)(
  'the sample tasks on real servers are solved by their reference solutions',
  async () => {
    const commandOf = (name: string) => `${process.execPath} ${installed(name)}`;
    const memory = ['--env', 'MEMORY_FILE_PATH={{run_dir}}/memory.jsonl'];
    const files = `${commandOf('server-filesystem')} {{run_dir}}`;
    for (const added of [
      await run('servers', 'add', 'files', '--stdio', files),
      await run('servers', 'add', 'memory', '--stdio', commandOf('server-memory'), ...memory),
    ])
      expect(added.code, added.stderr).toBe(0);
    const ended = await run(
      ...['eval', '--suite', join(programFiles.datasets, 'sample/real-servers.suite.yaml')],
      ...['--provider', 'builtin', '--execute', 'full', '--yes', '--report', at('r.json')],
    );
    const { runs } = JSON.parse(readFileSync(at('r.json'), 'utf8')) as {
      runs: { task: string; outcome: string; reason: string | null }[];
    };
    // No model is needed to know that each task can be solved: one that can't is not scored.
    expect(runs.filter(({ outcome }) => outcome === 'not_scored')).toEqual([]);
    expect([ended.code, runs.length]).toEqual([0, 30]);
    expect((await run('verify', at('r.json'))).code).toBe(0);
  },
);
