import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(
    at('suite.json'),
    JSON.stringify({
      version: 1,
      name: 'codes',
      servers: ['s'],
      cases: [
        { id: 'a', name: 'a', query: 'add a task', expected_calls: [{ server: 's', tool: 'add' }] },
      ],
    }),
  );
  const tool = { server: 's', name: 'add', description: 'Adds a task.' };
  writeFileSync(
    at('tools.json'),
    JSON.stringify({ tools: [{ ...tool, input_schema: { type: 'object' } }] }),
  );
});
afterAll(() => folder.remove());

const evaluate = (...more: string[]): string[] => [
  ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--provider', 'builtin'],
  ...more,
];

it.each<[what: string, args: () => string[], code: number, says: string]>([
  ['a threshold holds', () => evaluate('--min', 'pass_rate=1'), 0, 'Check passed'],
  ['a threshold is missed', () => evaluate('--min', 'pass_rate.low=0.9'), 1, 'Check failed'],
  [
    'a rate is limited in percent',
    () => evaluate('--min', 'pass_rate=80'),
    2,
    'pass_rate is a rate from 0 to 1, so 80% is 0.8',
  ],
  ['a recording is a folder', () => evaluate('--record', folder.path), 2, "It's a folder."],
  [
    'a gate gets tools in place of reports',
    () => ['gate', at('tools.json'), '--baseline', at('tools.json')],
    2,
    "It isn't a report: it holds no metrics.",
  ],
  [
    'the workspace has no name',
    () => ['--workspace', '', 'suite', 'list'],
    2,
    '--workspace: The name is empty.',
  ],
  [
    'a gated metric is undefined',
    () => evaluate('--min', 'parameter_accuracy=0.5'),
    3,
    'No verdict',
  ],
])('where %s, ends with the code that the guide names', async (_what, args, code, says) => {
  const ended = await runCommand(args(), { workspace: at('workspace') });
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(says)]);
});
