import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/*
 * Tasks on a database, a repository and a web page, by servers from npm: prepared by fixtures, with a
 * reference solution whose end state is compared.
 */
const modules = join(import.meta.dirname, '../../../../node_modules');
const installed = (name: string): string =>
  `${process.execPath} ${join(modules, name, 'dist/index.js')}`;

type Step = [tool: string, args: JsonObject];
const solutions: Record<string, Step[]> = {
  'Mark order 7 as shipped.': [
    ['open_database', { path: 'shop.db' }],
    ['execute_write_query', { query: "UPDATE orders SET status = 'shipped' WHERE id = 7" }],
  ],
  'Commit the new note as "Add a note".': [
    ['git_add', { path: '{{run_dir}}/notes', paths: ['a.txt'] }],
    ['git_commit', { path: '{{run_dir}}/notes', message: 'Add a note' }],
  ],
};

let folder: TemporaryFolder;
let site: Server;
let models: FakeModelServer;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

beforeAll(async () => {
  folder = await temporaryFolder();
  site = createServer((_request, response) =>
    response.end('<h1>Opening hours</h1><p>From <b>9</b> to <b>17</b></p>'),
  );
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  // `right` makes the calls of the solution, `early` stops after the first, `idle` makes none.
  models = await startFakeModelServer({
    rule: ({ body, query, toolNames, results }) => {
      const found = Object.entries(solutions).find(([request]) => query.startsWith(request));
      const address = /http:\S+/u.exec(query)?.[0] ?? '';
      const steps: Step[] = found?.[1] ?? [['fetch_txt', { url: address }]];
      const most = { right: steps.length, early: steps.length - 1 }[
        JSON.stringify(body['model']).slice(1, -1)
      ];
      const next = results.length < (most ?? 0) ? steps[results.length] : undefined;
      if (next === undefined)
        return { does: 'answer', text: results.at(-1)?.text ?? 'That is done.' };
      const [tool, args] = next;
      const runFolder = /The notes are in (\S+)\./u.exec(query)?.[1] ?? '';
      const name = toolNames.find((each) => each.endsWith(tool)) ?? tool;
      const path = { ...(tool.startsWith('git_') && { path: runFolder }) };
      return { does: 'answer', calls: [{ name, arguments: { ...args, ...path } }] };
    },
  });
});
afterAll(async () => {
  site.close();
  await models[Symbol.asyncDispose]();
  await folder.remove();
});

const suiteOf = (port: number): JsonObject => {
  const [order = [], note = []] = Object.entries(solutions).map(([, steps]) => steps);
  const calls = (server: string, steps: Step[]) =>
    steps.map(([tool, args]) => ({ server, tool, arguments: args }));
  const orders = (query: string) => ({
    server: 'db',
    tool: 'execute_read_query',
    arguments: { query },
  });
  const log = {
    server: 'git',
    tool: 'git_log',
    arguments: { path: '{{run_dir}}/notes', oneline: true },
  };
  return {
    version: 1,
    name: 'published',
    servers: ['db', 'git', 'web'],
    cases: [
      {
        ...{ id: 'order', name: 'Ship an order', servers: ['db'] },
        turns: ['Mark order 7 as shipped.'],
        databases: [{ from: 'shop.sql', to: 'shop.db' }],
        setup: calls('db', order.slice(0, 1)),
        solution: calls('db', order),
        checks: [
          { end_state: { ...orders('SELECT * FROM orders ORDER BY id'), at: '/result/rows' } },
          { unchanged: { ...orders('SELECT * FROM customers'), at: '/result/rows' } },
        ],
      },
      {
        ...{ id: 'note', name: 'Commit a note', servers: ['git'] },
        turns: ['Commit the new note as "Add a note". The notes are in {{run_dir}}/notes.'],
        files: [{ program: { command: ['sh', 'repository.sh'] } }],
        solution: calls('git', note),
        checks: [
          { end_state: { ...log, at: '/commits', ignore: ['hash', 'shortHash'] } },
          {
            state: {
              ...{ server: 'git', tool: 'git_status', at: '/isClean', matches: true },
              arguments: { path: '{{run_dir}}/notes' },
            },
          },
        ],
      },
      {
        ...{ id: 'page', name: 'Read a page', servers: ['web'] },
        turns: [`When does http://127.0.0.1:${port}/ open?`],
        checks: [
          { answer: 9, read: 'number' },
          { calls: { must: [{ tool: 'fetch_txt', at_most: 1 }] } },
        ],
      },
    ],
  };
};

it.runIf(isNightly)(
  'databases, repositories and pages are prepared, changed and compared on servers from npm',
  async () => {
    writeFileSync(
      at('shop.sql'),
      `CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT);
     INSERT INTO orders VALUES (7, 'open'), (8, 'open');
     CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
     INSERT INTO customers VALUES (1, 'Ada');`,
    );
    writeFileSync(
      at('repository.sh'),
      'cd "$TOUCHSTONE_RUN_DIR" && git init -q notes && cd notes && ' +
        'git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m Start && echo Milk > a.txt',
    );
    writeFileSync(at('s.json'), JSON.stringify(suiteOf((site.address() as AddressInfo).port)));
    const person = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      ...['--env', `GIT_${role}_NAME=a`, '--env', `GIT_${role}_EMAIL=a@example.com`],
    ]);
    const sqlite = `sh -c 'cd "$0" && exec ${installed('mcp-sqlite-tools')}' {{run_dir}}`;
    for (const [name, command, ...more] of [
      ['db', sqlite],
      ['git', installed('@cyanheads/git-mcp-server'), '--isolated', ...person],
      ['web', installed('@tokenizin/mcp-npx-fetch'), '--isolated'],
    ] as const) {
      const added = await run('servers', 'add', name, '--stdio', command, ...more);
      expect(added.code, added.stderr).toBe(0);
    }
    const outcomesOf = async (model: string) => {
      const ended = await run(
        ...['eval', '--suite', at('s.json'), '--execute', 'full', '--yes', '--allow-programs'],
        ...['--provider', 'openai-compatible', '--base-url', `${models.origin}/v1`],
        ...['--model', model, '--report', at('r.json')],
      );
      expect(ended.code, ended.stderr).toBe(0);
      expect((await run('verify', at('r.json'))).code).toBe(0);
      const report = JSON.parse(readFileSync(at('r.json'), 'utf8')) as {
        runs: { task: string; outcome: string }[];
      };
      return report.runs.map(({ task, outcome }) => [task, outcome]);
    };
    const tasks = ['order', 'note', 'page'];
    expect(await outcomesOf('right')).toEqual(tasks.map((task) => [task, 'succeeded']));
    for (const model of ['early', 'idle'])
      expect(await outcomesOf(model)).toEqual(tasks.map((task) => [task, 'check_failed']));
  },
);
