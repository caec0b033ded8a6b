import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { findLeaks } from '../../../testing/leakCheck.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const require = createRequire(import.meta.url);
const entry = (name: string): string =>
  join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js');

/** Tasks over published servers and the bundled one, each with a state that only they can show. */
const suite = `version: 1
name: real-servers
servers: [files]
cases:
  - id: write
    name: Write a note
    turns: ['Write the file with path "note.txt" and content "Buy milk".']
    checks:
      - state: { server: files, tool: read_text_file, arguments: { path: note.txt }, matches: { content: Buy milk } }
      - calls: { must: [write_file] }
  - id: search
    name: Find a person
    turns: ['Search nodes with query "Ada".']
    servers: [memory]
    setup:
      - { server: memory, tool: create_entities, arguments: { entities: [{ name: Ada, entityType: person, observations: [likes tea] }] } }
    checks:
      - answer: { $contains: likes tea }
      - state: { server: memory, tool: read_graph, at: /entities, contains: { name: Ada } }
  - id: echo
    name: Echo
    turns: ['Echo the message "good morning".']
    servers: [all]
    checks:
      - answer: { $contains: good morning }
      - state: { server: all, tool: echo, arguments: { message: still here }, contains: still here }
  - id: buy-milk
    name: Add, then complete
    turns: ['Add a task "Buy milk" for user u-1.', 'Mark the task as completed.']
    servers: [todo]
    checks:
      - state: { server: todo, tool: list_tasks, arguments: { user_id: u-1 }, at: /tasks, contains: { completed: true } }
`;
const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const formats = ['json', 'md', 'html', 'xml', 'csv'];
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const runIn = (workspace: string, ...args: string[]) =>
  runCommand(args, { workspace: at(workspace) });
const evaluate = (workspace: string, ...args: string[]) =>
  runIn(
    workspace,
    'eval',
    '--suite',
    at('s.yaml'),
    '--provider',
    'builtin',
    '--execute',
    'full',
    ...args,
  );
const reportsOf = (name: string): string[] => formats.map((format) => at(`${name}.${format}`));
/** Ids of the workspace tell stored runs apart, and say nothing about them. */
const textsOf = (name: string): string[] =>
  reportsOf(name).map((file) => readFileSync(file, 'utf8').replace(ids, 'id'));
/** What runs in a folder, besides this test's own. */
const processes = async (): Promise<string[]> =>
  (await findLeaks()).filter((leak) => leak.startsWith('process'));

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('s.yaml'), suite);
  const servers: [name: string, command: string, env: string[]][] = [
    ['files', `${entry('server-filesystem')} {{run_dir}}`, []],
    ['memory', entry('server-memory'), ['MEMORY_FILE_PATH={{run_dir}}/memory.jsonl']],
    ['all', entry('server-everything'), []],
  ];
  for (const [name, command, env] of servers) {
    const added = await runIn(
      'recorded',
      ...['servers', 'add', name, '--stdio', `${process.execPath} ${command}`],
      ...(env.length > 0 ? ['--env', ...env] : []),
    );
    expect([added.code, added.stderr]).toEqual([0, expect.any(String)]);
  }
});
afterEach(async () => expect(await processes()).toEqual([]));
afterAll(() => folder.remove());

describe.runIf(isNightly)('eval --execute full on published servers', () => {
  it('changes their state in folders of the runs, and leaves no process', async () => {
    const recorded = await evaluate(
      'recorded',
      ...['--yes', '--json', '--quiet', '--repetitions', '2', '--stamp', 'same'],
      ...['--record', at('runs.jsonl'), '--report', ...reportsOf('recorded')],
    );
    expect([recorded.code, recorded.stderr]).toEqual([0, expect.any(String)]);
    const { runs } = JSON.parse(recorded.stdout) as {
      runs: { task: string; outcome: string; reason: string | null }[];
    };
    expect(runs.map(({ task, outcome, reason }) => [task, outcome, reason])).toEqual(
      ['write', 'search', 'echo', 'buy-milk'].flatMap((task) =>
        [1, 2].map(() => [task, 'succeeded', null]),
      ),
    );
  });

  it('replays byte by byte in every report format where no server is registered', async () => {
    // Another person's machine: it has the suite and the recording, and nothing else.
    copyFileSync(at('runs.jsonl'), at('sent.jsonl'));
    for (const name of ['first', 'second']) {
      const replayed = await evaluate(
        name,
        ...['--replay', at('sent.jsonl'), '--repetitions', '2', '--stamp', 'same'],
        ...['--report', ...reportsOf(name)],
      );
      expect([replayed.code, replayed.stderr]).toEqual([0, expect.any(String)]);
      expect((await runIn(name, 'verify', at(`${name}.json`))).code).toBe(0);
    }
    expect(textsOf('second')).toEqual(textsOf('first'));
    // Only its own labels and the listing of servers that it didn't ask tell a replay from its
    // recording.
    const unlabeled = (text: string) =>
      text
        .replaceAll('replay · default-v1', 'Built-in selector (no model)')
        .replaceAll('"provider":"replay"', '"provider":"builtin"')
        .replace('"tools_from": "recording"', '"tools_from": "servers"')
        .replace(
          'Recording: the tools that were recorded, no server was started',
          'Servers, asked when it ran',
        )
        .replace(/"snapshot_id": "\w+"/, '"snapshot_id": "id"')
        .replace(' The runs come from a recording, so nothing was executed now.', '');
    expect(textsOf('first').map(unlabeled)).toEqual(textsOf('recorded').map(unlabeled));
  });
});
