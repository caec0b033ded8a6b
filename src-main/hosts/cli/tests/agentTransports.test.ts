import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { halfOf } from '../../../../src-shared/metrics/candidateProof.ts';
import {
  clientEnvironment,
  runCommand,
  spawnCommand,
  startCommand,
} from '../../../testing/commandLine.ts';
import { sampled } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';

/*
 * Touchstone as an MCP server over both transports, asked by the official client. Rules of HTTP:
 * https://modelcontextprotocol.io/specification/2025-06-18/basic/transports ("Security Warning",
 * "Session Management").
 */
let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

const token = 'a-token-that-nobody-guesses';
const environment = () => clientEnvironment(at('workspace'), { AGENT_TOKEN: token });

/** A server over HTTP, and how it is ended. */
async function serveHttp(...more: string[]) {
  const args = ['mcp', '--http', '0', '--folder', at('allowed'), ...more];
  const child = startCommand(args, { workspace: at('workspace'), env: environment() });
  child.stderr.resume();
  const lines = createInterface(child.stdout);
  const [url] = (await once(lines, 'line')) as [string];
  return {
    url: new URL(url),
    async end(): Promise<number | null> {
      const ended = once(child, 'close') as Promise<[number | null]>;
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}
type Served = Awaited<ReturnType<typeof serveHttp>>;

async function connect(open: () => StdioClientTransport | StreamableHTTPClientTransport) {
  const client = new Client({ name: 'test agent', version: '1' });
  await client.connect(open());
  await client.listTools();
  return client;
}

const overHttp = ({ url }: Served, headers: Record<string, string> = {}) =>
  connect(() => new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
const overStdio = () =>
  connect(
    () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [testedProgram, 'mcp', '--folder', at('allowed')],
        env: environment(),
        stderr: 'ignore',
      }),
  );

/** Ids that are not held out. */
const shown = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].filter((id) => halfOf(id) === 'search');

const secret = 'zz-outside-of-the-folder';

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(at('allowed', 'ci'), { recursive: true });
  const suite = (done: string) => `version: 1
name: both
servers: [todo]
cases:
  - { id: keep, name: List, query: 'List the tasks of user u-1.', expected_calls: [{ server: todo, tool: list_tasks }] }
  - { id: kept, name: List, turns: ['List the tasks of user u-1.'], checks: [{ calls: { must: [list_tasks] } }] }
  - { id: ${shown[0]}, name: Add, query: 'Add a task "Tea" for user u-1.', expected_calls: [{ server: todo, tool: ${done} }] }
  - { id: ${shown[1]}, name: Ask, turns: ['Add a task "Milk" for user u-1.'], checks: [{ calls: { must: [${done}] } }] }
`;
  for (const [name, tool] of [
    ['main', 'add_task'],
    ['branch', 'complete_task'],
  ] as const) {
    await writeFile(at(`${name}.yaml`), suite(tool));
    for (const unit of ['cases', 'tasks'])
      await run(
        ...['eval', '--suite', at(`${name}.yaml`), '--only', unit, '--provider', 'builtin'],
        ...['--report', at('allowed', 'ci', `${name}-${unit}.json`)],
      );
  }
  await writeFile(at('outside.json'), JSON.stringify({ secret }));
  await writeFile(at('allowed', 'broken.json'), '{"format": "touchstone-evaluation"');
  await writeFile(at('allowed', 'old.json'), '{"format":"touchstone-evaluation","version":1}');
  await symlink(at('outside.json'), at('allowed', 'link.json'));
  await symlink(folder.path, at('allowed', 'up'));
  await mkdir(at('allowed', 'none'));
});
afterAll(() => folder.remove());

interface Answered {
  isError: boolean;
  text: string;
  structured: Record<string, unknown>;
}

async function call(client: Client, name: string, given: object = {}): Promise<Answered> {
  const { isError, content, structuredContent } = await client.callTool({
    name,
    arguments: given as Record<string, unknown>,
  });
  const [{ text = '' } = {}] = content as { text?: string }[];
  return {
    isError: isError === true,
    text,
    structured: structuredContent as Record<string, unknown>,
  };
}

/** Calls that a server must refuse, with a word of the reason. */
const odd: [name: string, given: object, why: RegExp][] = [
  ['nope', {}, /nope/],
  ['list_evaluations', { limit: 'all' }, /limit/],
  ['list_evaluations', { limit: 1e308 }, /limit/],
  ['list_evaluations', { suite: { $gt: '' } }, /suite/],
  ['list_evaluations', { suite: 'x'.repeat(10_000) }, /suite/],
  ['get_tool', {}, /tool/],
  ['get_tool', { tool: 'no-colon' }, /tool/],
  ['get_tool', { tool: 'todo:__proto__' }, /__proto__/],
  ['get_tool', { tool: 'todo:add_task\u0000' }, /todo/],
  ['propose_cases', { suite: "'; DROP TABLE suites; --" }, /isn't in the workspace/],
  ['read_failures', { evaluation: 9_007_199_254_740_993 }, /evaluation|90071/],
  ['read_failures', { evaluation: 999_999 }, /999999/],
  ['read_failures', { evaluation: -1 }, /evaluation/],
  ['read_failures', { evaluation: 1.5 }, /evaluation/],
  ['read_failures', { evaluation: [1] }, /evaluation/],
  ['read_failures', { evaluation: 1, report: 'ci' }, /either/],
  ['read_failures', { report: '../outside.json' }, /leads out/],
  ['read_failures', { report: 'ci/../../outside.json' }, /leads out/],
  ['read_failures', { report: '/etc/passwd' }, /relative/],
  ['read_failures', { report: 'link.json' }, /a link/],
  ['read_failures', { report: 'up' }, /a link/],
  ['read_failures', { report: 'up/outside.json' }, /a link/],
  ['read_failures', { report: 'none' }, /without a file/],
  ['read_failures', { report: 'missing.json' }, /doesn't exist/],
  ['read_failures', { report: 'broken.json' }, /isn't a report/],
  ['read_failures', { report: 'old.json' }, /isn't a report/],
  ['read_failures', { report: 'ci\u0000' }, /relative/],
  ['compare_evaluations', {}, /baseline/],
  ['compare_evaluations', { baseline: 1, candidate: 1 }, /both baseline and candidate/],
  ['compare_evaluations', { baseline: 1, baseline_report: 'ci' }, /each side once/],
  ['compare_evaluations', { baseline: 1, candidate: 2 }, /unit|cases|tasks/],
  ['check_tools', { tools: 'all' }, /tools/],
  ['check_tools', { tools: [{ name: '' }] }, /name/],
  ['check_tools', { servers: ['nope'] }, /isn't registered/],
  ['check_tools', { tools_file: 'up/outside.json' }, /a link/],
];

const transports = ['stdio', 'http', 'http with a token'] as const;
describe.each(sampled(transports, (kind) => kind !== 'http'))('touchstone mcp over %s', (kind) => {
  let served: Served | null = null;
  let client: Client;
  const clients: Client[] = [];
  const open = async (): Promise<Client> => {
    const headers: Record<string, string> =
      kind === 'http' ? {} : { Authorization: `Bearer ${token}` };
    const opened = await (served === null ? overStdio() : overHttp(served, headers));
    clients.push(opened);
    return opened;
  };
  beforeAll(async () => {
    if (kind !== 'stdio')
      served = await serveHttp(...(kind === 'http' ? [] : ['--token-env', 'AGENT_TOKEN']));
    client = await open();
  });
  afterAll(async () => {
    for (const each of clients) await each.close();
    if (served !== null) expect(await served.end()).toBe(0);
  });

  it('reads failures of cases and tasks, of the workspace and of reports of CI', async () => {
    const difference = {
      case: {
        differs: 'expected todo:complete_task, called todo:add_task',
        expected_call: 'todo:complete_task',
        actual_call: 'todo:add_task(user_id: "u-1", title: "Tea")',
      },
      task: {
        differs: 'check-1: the model did not call “complete_task”; called todo:add_task',
        expected_call: 'complete_task',
        actual_call: 'todo:add_task',
      },
    };
    for (const [given, unit, number] of [
      [{ evaluation: 3 }, 'case', 3],
      [{ evaluation: 4 }, 'task', 4],
      [{}, 'task', 4],
      [{ report: 'ci/branch-cases.json' }, 'case', null],
      [{ report: 'ci/branch-tasks.json' }, 'task', null],
      // The newest report of a folder.
      [{ report: 'ci' }, 'task', null],
      [{ report: 'ci/' }, 'task', null],
    ] as const) {
      const { structured, text } = await call(client, 'read_failures', given);
      expect(structured, text).toMatchObject({
        ...{ evaluation: number, unit, suite: 'both', passed: 1, scored: 2 },
        causes: [{ runs: 1, examples: [{ differences: [difference[unit]] }] }],
      });
    }
  });

  it('compares evaluations with reports of CI, of cases and of tasks', async () => {
    for (const given of [
      { baseline: 1, candidate: 3 },
      { baseline: 2, candidate: 4 },
      { baseline: 2 },
      { baseline_report: 'ci/main-cases.json', candidate: 3 },
      { baseline: 2, candidate_report: 'ci/branch-tasks.json' },
      { baseline_report: 'ci/main-tasks.json', candidate_report: 'ci' },
    ]) {
      const { structured, text } = await call(client, 'compare_evaluations', given);
      // The expectation of one case or task is another one.
      expect(structured, text).toMatchObject({ shared_cases: 1, changed_cases: 1 });
    }
  });

  it('refuses odd calls with the reason, tells nothing of other files, and goes on', async () => {
    for (const [name, given, why] of odd) {
      const { isError, text } = await call(client, name, given);
      expect([isError, text], `${name} ${JSON.stringify(given).slice(0, 80)}`).toEqual([
        true,
        expect.stringMatching(why),
      ]);
      expect(text).not.toContain(secret);
      expect(text).not.toMatch(/\n\s+at .*\.(?:js|ts)/u);
    }
    const many = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call(client, index % 2 === 0 ? 'list_evaluations' : 'read_failures', {}),
      ),
    );
    expect(new Set(many.map(({ text }) => text)).size).toBe(2);
    expect(many.every(({ isError }) => !isError)).toBe(true);
  });

  it('answers several clients at once', async () => {
    const others = await Promise.all([open(), open(), open()]);
    const answers = await Promise.all(
      [client, ...others].map((each) => call(each, 'list_evaluations', { limit: 1 })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await others[0].close();
    expect((await call(client, 'list_suites')).isError).toBe(false);
  });

  it('answers a message that is too large with an error, and goes on', async () => {
    const large = { tools_file: 'x'.repeat(9 * 1024 * 1024) };
    await expect(call(client, 'check_tools', large)).rejects.toThrow(/larger than/);
    expect((await call(client, 'list_suites')).isError).toBe(false);
  });
});

const initialize = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
});

it('lines that are no messages are left out with the reason, and the next one is answered', async () => {
  const lines = [
    'hello',
    '{"jsonrpc":"1.0"}',
    // The id of a request may come last, and its arguments may have ids too.
    `{"method":"tools/call","params":{"id":1,"text":"${'x'.repeat(9 * 1024 * 1024)}"},"id":7}`,
    initialize,
    '',
  ];
  const { code, stdout, stderr } = await spawnCommand(['mcp'], {
    workspace: at('workspace'),
    input: lines.join('\n'),
  });
  expect(code, stderr).toBe(0);
  const answers = stdout.trim().split('\n');
  expect(answers.map((line) => JSON.parse(line) as object)).toMatchObject([
    { id: 7, error: { message: 'The message is larger than 8 MB. Send less at once.' } },
    { id: 1, result: { serverInfo: { name: 'touchstone' } } },
  ]);
  expect(stderr.trim().split('\n')).toEqual([
    'touchstone mcp: a line is not JSON, and was left out.',
    'touchstone mcp: a line is not a message of MCP (JSON-RPC 2.0), and was left out.',
    'touchstone mcp: The message is larger than 8 MB. Send less at once.',
  ]);
});

describe('touchstone mcp over HTTP', () => {
  const send = async (
    url: URL,
    headers: Record<string, string>,
    { method = 'POST', body = initialize, path = '/mcp' } = {},
  ): Promise<number> => {
    const sent = request({
      ...{ host: url.hostname, port: url.port, path, method },
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    sent.end(method === 'GET' ? undefined : body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.destroy();
    return response.statusCode ?? 0;
  };

  it('refuses web pages, other hosts, wrong tokens, paths, methods and sessions', async () => {
    const served = await serveHttp('--token-env', 'AGENT_TOKEN');
    const { url } = served;
    const authorization = `Bearer ${token}`;
    const own = { authorization };
    const statuses: [Record<string, string>, object, number][] = [
      [own, {}, 200],
      [{}, {}, 401],
      [{ authorization: `Bearer ${token}x` }, {}, 401],
      [{ authorization: `Basic ${token}` }, {}, 401],
      [{ ...own, origin: 'https://attacker.example' }, {}, 403],
      [{ ...own, origin: 'null' }, {}, 403],
      [{ ...own, origin: url.origin }, {}, 200],
      [{ ...own, host: 'attacker.example' }, {}, 403],
      [own, { path: '/' }, 404],
      [own, { path: '/mcp/../etc/passwd' }, 404],
      [own, { method: 'PUT' }, 405],
      [own, { method: 'GET' }, 400],
      [{ ...own, 'mcp-session-id': 'nobody' }, {}, 404],
      [own, { body: '{"jsonrpc":' }, 400],
      [own, { body: '[]' }, 400],
      [own, { body: 'x'.repeat(5 * 1024 * 1024) }, 413],
      [own, {}, 200],
    ];
    for (const [headers, how, status] of statuses)
      expect(await send(url, headers, how), JSON.stringify([headers, how]).slice(0, 90)).toBe(
        status,
      );
    await expect(overHttp(served)).rejects.toThrow(/token|401/);
    expect(await served.end()).toBe(0);
  });

  it.each([
    [['--http', 'x'], /--http x/],
    [['--http', '99999'], /--http 99999/],
    [['--token-env', 'AGENT_TOKEN'], /--token-env is for --http/],
    [['--http', '0', '--token-env', 'NO_SUCH_TOKEN'], /NO_SUCH_TOKEN: The variable has no token/],
    [
      [
        ...['--http', '0', '--allow-runs', '--provider', 'openai', '--model', 'm'],
        ...['--budget', '1'],
      ],
      /Give --token-env/,
    ],
  ])('refuses %j before it serves', async (args, reason) => {
    const ended = await run('mcp', ...args);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(reason);
  });
});
