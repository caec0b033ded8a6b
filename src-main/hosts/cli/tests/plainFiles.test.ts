import { spawnSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand, spawnCommand, type Ended } from '../../../testing/commandLine.ts';
import { sampled } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const makePipe = (name: string): string => {
  spawnSync('mkfifo', [at(name)]);
  return at(name);
};
const run = (...args: string[]): Promise<Ended> => runCommand(args, { workspace: at('workspace') });

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(
    at('tools.json'),
    JSON.stringify({ tools: [{ server: 'mail', name: 'send', description: 'Sends.' }] }),
  );
  writeFileSync(
    at('suite.json'),
    JSON.stringify({
      ...{ version: 1, name: 'mail', servers: ['mail'] },
      cases: [
        { id: 'a', name: 'A', query: 'send', expected_calls: [] },
        { id: 't', name: 'T', turns: ['send'], checks: [{ calls: { must: ['send'] } }] },
      ],
    }),
  );
  makePipe('pipe');
});
afterAll(() => folder.remove());

const shipped = (name: string): string => join(programFiles.datasets, name);
const evaluate = (): string[] => [
  ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--provider', 'builtin'],
];
const ranking = (corpus: string, golden: string): string[] => [
  ...['retrieval', '--retriever', 'default', '--corpus', corpus, '--golden', golden],
];

/** Every way in which a command is given the name of a file to read. */
const named: readonly [name: string, args: (file: string) => string[]][] = [
  ['suite import', (file) => ['suite', 'import', file]],
  ['suite import --from', (file) => ['suite', 'import', file, '--from', 'csv']],
  ['suite import --from log', (file) => ['suite', 'import', file, '--from', 'log']],
  ['suite validate', (file) => ['suite', 'validate', file]],
  [
    'suite import --answers',
    (file) => ['suite', 'import', at('suite.json'), '--from', 'bfcl', '--answers', file],
  ],
  ['eval --suite', (file) => [...evaluate(), '--suite', file]],
  ['eval --tools', (file) => [...evaluate(), '--tools', file]],
  ['eval --replay', (file) => [...evaluate(), '--provider', 'replay', '--replay', file]],
  ['eval --labels', (file) => [...evaluate(), '--only', 'tasks', '--labels', file]],
  ['check --config', (file) => ['check', '--config', file]],
  ['check --tools', (file) => ['check', ...evaluate().slice(1), '--tools', file]],
  ['merge', (file) => ['merge', file, file]],
  ['merge --config', (file) => ['merge', '--config', file, at('suite.json')]],
  ['verify', (file) => ['verify', file]],
  ['compare', (file) => ['compare', file, file]],
  ['score --input', (file) => ['score', '--input', file]],
  ['lint --tools', (file) => ['lint', '--tools', file]],
  ['tokens --tools', (file) => ['tokens', '--tools', file]],
  ['similarity --tools', (file) => ['similarity', '--tools', file]],
  ['security scan --tools', (file) => ['security', '--tools', file]],
  ['security score --corpus', (file) => ['security', '--corpus', file]],
  [
    'security score --verdicts',
    (file) => ['security', '--corpus', shipped('security_corpus_v1.json'), '--verdicts', file],
  ],
  [
    'security score --baseline',
    (file) => ['security', '--corpus', at('suite.json'), '--baseline', file],
  ],
  ['retrieval --corpus', (file) => ranking(file, shipped('retrieval_golden_v2.json'))],
  ['retrieval --golden', (file) => ranking(shipped('corpus_v2.json'), file)],
  ['what-if --override', (file) => ['what-if', '1', '--override', file]],
  ['clients --tools', (file) => ['clients', '--tools', file]],
  ['find-tool --tools', (file) => ['find-tool', '--description', 'send', '--tools', file]],
  ['optimize --tools', (file) => ['optimize', ...evaluate().slice(1), '--tools', file]],
  ['servers import', (file) => ['servers', 'import', file]],
  ['workshop save', (file) => ['workshop', 'save', file]],
  ['eval --agent', (file) => [...evaluate(), '--provider', 'agent', '--agent', file]],
  ['restore', (file) => ['restore', file]],
  ['tools --skills', (file) => ['tools', '--skills', file]],
];

describe.skipIf(process.platform === 'win32')('a command', () => {
  it.each(named)('%s refuses a pipe and an endless device at once', async (_name, args) => {
    for (const file of [at('pipe'), '/dev/zero']) {
      const { code, stdout, stderr } = await run(...args(file));
      expect(code, stderr).toBeGreaterThan(1);
      expect(stdout + stderr).toMatch(/named pipe|device|folder/i);
    }
  });
});

describe.skipIf(process.platform === 'win32')(
  'a command that is given ten gigabytes of nothing',
  () => {
    const sparse = (begin: string): string => {
      writeFileSync(at('sparse'), begin);
      truncateSync(at('sparse'), 10e9);
      return at('sparse');
    };

    const files = [
      ['', 'suite import'],
      ['', 'merge'],
      ['', 'score --input'],
      ['', 'eval --agent'],
      ['', 'restore'],
      ['', 'servers import'],
      // A first line that doesn't end, and a value that doesn't.
      ['{"id": "', 'score --input'],
      ['{"id": "', 'merge'],
    ] as const;
    // A log of calls is read to its limit, which takes long.
    const isInSample = ([begin, command]: (typeof files)[number]) =>
      begin !== '' || command !== 'score --input';
    it.each(sampled(files, isInSample))(
      'refuses a file that begins with %j: %s',
      async (begin, command) => {
        const [, args] = named.find(([name]) => name === command) ?? [];
        const { code, stdout, stderr } = await run(...(args?.(sparse(begin)) ?? []));
        expect([code, stdout], stderr).toEqual([command === 'restore' ? 3 : 2, '']);
        expect(stderr).toMatch(/more than the [\d,]+ bytes that are read|isn't a SQLite database/);
      },
    );
  },
);

describe.skipIf(process.platform === 'win32')('a folder with pipes in it', () => {
  it('is read as skills without them', async () => {
    mkdirSync(at('skills/send'), { recursive: true });
    writeFileSync(at('skills/send/SKILL.md'), '---\nname: send\ndescription: Sends.\n---\nText\n');
    makePipe('skills/send/more.md');
    mkdirSync(at('skills/read'));
    makePipe('skills/read/SKILL.md');
    const { stdout, stderr } = await run('tools', '--skills', at('skills'));
    expect(stdout + stderr).toMatch(/named pipe|not a plain file|isn.t a file/i);
  });

  it.each(['touchstone.sqlite', 'touchstone.keys', 'touchstone.lock', 'touchstone.sqlite-wal'])(
    'is no workspace that is waited for: %s',
    async (name) => {
      const workspace = `ws-${name}`;
      mkdirSync(at(workspace));
      makePipe(`${workspace}/${name}`);
      const { code, stderr } = await spawnCommand(['keys', 'set', 'openai'], {
        ...{ workspace: at(workspace), input: 'sk-not-a-key' },
        env: { TOUCHSTONE_KEYS_PASSPHRASE: 'a passphrase of many words' },
      });
      expect(code).toBe(3);
      expect(stderr).toMatch(/named pipe/);
    },
  );
});
