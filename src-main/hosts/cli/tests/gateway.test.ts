import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionHeader, sessionLine } from '../../../../src-shared/domain/recordedSession.ts';
import { clientEnvironment, runCommand, startCommand } from '../../../testing/commandLine.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../../testing/fakeMcpServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';

/*
 * The gateway as a process of its own, between the official client and servers that are processes,
 * too. What passes is compared with what the same client gets without it.
 */
let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });
const token = 'a-token-that-nobody-guesses';
const environment = (more: Record<string, string> = {}) => clientEnvironment(at('workspace'), more);

const quoted = (config: { command: string; args: readonly string[] }) =>
  [config.command, ...config.args].map((word) => `"${word}"`).join(' ');
const everything = join(
  dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
  'dist',
  'index.js',
);

interface Connected extends AsyncDisposable {
  client: Client;
  transport: StdioClientTransport;
  errors: () => string;
  ended: Promise<unknown>;
}

async function connect(
  command: string,
  args: string[],
  client = new Client({ name: 'test', version: '1' }),
  more: Record<string, string> = {},
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command,
    args,
    env: environment(more),
    stderr: 'pipe',
  });
  let written = '';
  transport.stderr?.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const ended = new Promise((resolve) => (client.onclose = () => resolve(null)));
  await client.connect(transport);
  return {
    client,
    transport,
    errors: () => written,
    ended,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const through = (args: string[], client?: Client) =>
  connect(process.execPath, [testedProgram, 'gateway', ...args], client);

interface Called {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}
const call = async ({ client }: Connected, name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as unknown as Called;

/** The messages of a recording: who wrote each, and its method or what it answers. */
function readRecording(file: string) {
  const [first = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return {
    header: sessionHeader.parse(JSON.parse(first)),
    lines: rest.map((line) => sessionLine.parse(JSON.parse(line))),
  };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const add = async (name: string, ...how: string[]) => {
    const added = await run('servers', 'add', name, ...how);
    expect([name, added.code], added.stderr).toEqual([name, 0]);
  };
  await add('everything', '--stdio', `"${process.execPath}" "${everything}"`);
  await add('normal', '--stdio', quoted(fakeStdioServer()));
  await add('silent', '--stdio', quoted(fakeStdioServer('silent-call')));
  await add('effects', '--stdio', quoted(fakeStdioServer('effects')));
  await add('crash', '--stdio', quoted(fakeStdioServer('exit-at-call')));
  await add('broken', '--stdio', quoted(fakeStdioServer('bad-json')));
});
afterAll(() => folder.remove());

describe('touchstone gateway over stdio', () => {
  it('passes on what a server says about itself, its lists, results and errors', async () => {
    await using direct = await connect(process.execPath, [everything]);
    await using passed = await through(['everything']);
    const all = async ({ client }: Connected) => ({
      server: client.getServerVersion(),
      offers: client.getServerCapabilities(),
      instructions: client.getInstructions(),
      tools: await client.listTools(),
      prompts: await client.listPrompts(),
      prompt: await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Bern' } }),
      templates: await client.listResourceTemplates(),
      sum: await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } }),
      wrong: await client.callTool({ name: 'get-sum', arguments: { a: 'two' } }),
      none: await client
        .readResource({ uri: 'demo://nothing' })
        .catch((error: unknown) => String(error)),
    });
    expect(await all(passed)).toEqual(await all(direct));
  });

  it('passes on progress, sampling, elicitation, and cancellation', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { sampling: {}, elicitation: {} } },
    );
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant' as const,
      model: 'mine',
      content: { type: 'text' as const, text: 'sampled by the client' },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' as const }));
    await using passed = await through(['everything'], client);
    const { tools } = await passed.client.listTools();
    const named = (part: RegExp) => tools.find(({ name }) => part.test(name))?.name ?? '';
    const sampled = await call(passed, named(/sampling-request$/), { prompt: 'hi', maxTokens: 5 });
    expect(sampled.content[0]?.text).toContain('sampled by the client');
    const elicited = await call(passed, named(/elicitation-request$/));
    expect(JSON.stringify(elicited)).toMatch(/declin/i);
    const canceled = new AbortController();
    const steps: number[] = [];
    const waits = passed.client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 300 } },
      undefined,
      {
        signal: canceled.signal,
        onprogress: ({ progress }) => {
          steps.push(progress);
          if (progress === 2) canceled.abort();
        },
      },
    );
    await expect(waits).rejects.toThrow(/abort/i);
    // The client drops reports that it reads together with a result, so this call has none.
    expect(steps).toEqual([1, 2]);
    expect((await call(passed, 'echo', { message: 'still here' })).content[0]?.text).toContain(
      'still here',
    );
  });

  it('keeps numbers that no double holds, and answers what is not JSON', async () => {
    const child = startCommand(['gateway', 'todo', '--record', at('exact.jsonl')], {
      workspace: at('workspace'),
    });
    child.stderr.resume();
    const lines = createInterface(child.stdout);
    const next = async () => ((await once(lines, 'line')) as [string])[0];
    child.stdin.write('no json\n');
    expect(JSON.parse(await next())).toMatchObject({ error: { code: -32_700 } });
    child.stdin.write(
      '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"n":0.12345678901234567891}}}\n',
    );
    expect(await next()).toContain('"id":7');
    const ended = once(child, 'exit');
    child.stdin.end();
    expect((await ended)[0]).toBe(0);
    expect(readFileSync(at('exact.jsonl'), 'utf8')).toContain('"n":0.12345678901234567891');
  });

  it('answers the waiting call and ends with 3 when the server crashes', async () => {
    const child = startCommand(['gateway', 'crash'], { workspace: at('workspace') });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const lines = createInterface(child.stdout);
    child.stdin.write(
      '{"jsonrpc":"2.0","id":"one","method":"tools/call","params":{"name":"echo"}}\n',
    );
    const [line] = (await once(lines, 'line')) as [string];
    expect(JSON.parse(line)).toMatchObject({
      id: 'one',
      error: { message: expect.stringMatching(/Server "crash".*exit code 3.*out of luck/s) },
    });
    expect((await once(child, 'exit'))[0]).toBe(3);
    expect(errors).toContain('Server "crash"');
  });

  it('answers a call at once whose answer is unreadable', async () => {
    await using passed = await through(['broken']);
    await expect(passed.client.listTools()).rejects.toThrow(/not valid JSON-RPC/);
  });

  it('names the server that is unknown, and the value that a server is missing', async () => {
    const unknown = await run('gateway', 'nobody');
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('touchstone servers list'),
    ]);
    await run('servers', 'add', 'unset', '--stdio', `"${process.execPath}" \${NOT_SET_ANYWHERE}`);
    const client = new Client({ name: 'test', version: '1' });
    const args = [testedProgram, 'gateway', 'unset'];
    await expect(connect(process.execPath, args, client)).rejects.toThrow(/NOT_SET_ANYWHERE/);
  });
});

describe('execution modes', () => {
  it('stub executes nothing, and answers from stub results', async () => {
    const stubs = [
      { server: 'effects', tool: 'wipe', arguments: { file: 'a' }, result: { wiped: 'a' } },
      { server: 'effects', tool: 'wipe', result: 'not allowed', is_error: true },
    ];
    await writeFile(at('stubs.json'), JSON.stringify(stubs));
    await using passed = await through([
      ...['effects', '--execute', 'stub', '--stub-results', at('stubs.json')],
    ]);
    await passed.client.listTools();
    const file = at('never');
    expect(await call(passed, 'act', { file })).toMatchObject({
      content: [{ text: 'accepted, not executed' }],
      isError: false,
    });
    expect(await call(passed, 'wipe', { file: 'a' })).toMatchObject({
      structuredContent: { wiped: 'a' },
    });
    expect(await call(passed, 'wipe', { file })).toMatchObject({
      content: [{ text: 'not allowed' }],
      isError: true,
    });
    expect(existsSync(file)).toBe(false);
  });

  it('read-only executes tools that only read, and no tool that was never listed', async () => {
    await using passed = await through(['todo', '--execute', 'read-only']);
    const list = { user_id: 'u-1' };
    expect((await call(passed, 'list_tasks', list)).content[0]?.text).toBe(
      'not executed in this mode',
    );
    await passed.client.listTools();
    expect((await call(passed, 'list_tasks', list)).content[0]?.text).toContain('tasks');
    const added = await call(passed, 'add_task', { user_id: 'u-1', title: 'Tea' });
    expect(added.content[0]?.text).toBe('not executed in this mode');
    expect((await call(passed, 'list_tasks', list)).content[0]?.text).not.toContain('Tea');
  });

  it('refuses what a server asks of the client unless everything is executed', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { sampling: {}, elicitation: {} } },
    );
    client.setRequestHandler(CreateMessageRequestSchema, () => {
      throw new Error('asked');
    });
    await using passed = await through(
      ['everything', '--execute', 'stub', '--record', at('refused.jsonl')],
      client,
    );
    await passed.client.listTools();
    expect(await call(passed, 'echo', { message: 'hi' })).toMatchObject({
      content: [{ text: 'accepted, not executed' }],
    });
  });
});

describe('overrides', () => {
  it('offers another name, description and schema, and calls the tool by its own', async () => {
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
    await writeFile(
      at('override.json'),
      JSON.stringify({
        'normal:echo': {
          name: 'say_again',
          description: 'Repeats a text.',
          input_schema: inputSchema,
        },
        'normal:gone': { description: 'Not offered.' },
        'other:echo': { description: 'Of another server.' },
      }),
    );
    const passed = await through([
      ...['normal', '--override', at('override.json'), '--record', at('override.jsonl')],
    ]);
    const { tools } = await passed.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['say_again', 'environment']);
    expect(tools[0]).toMatchObject({ description: 'Repeats a text.', inputSchema });
    expect((await call(passed, 'say_again', { text: 'hi' })).isError ?? false).toBe(false);
    await passed.client.close();
    const { header, lines } = readRecording(at('override.jsonl'));
    expect(header).toMatchObject({ server: 'normal', mode: 'full', overrides: ['echo', 'gone'] });
    expect(lines.at(-1)).toMatchObject({ ended: expect.any(String) });
    expect(passed.errors()).toContain('the override of gone was not used');
  });

  it('refuses a file without a tool of the server', async () => {
    const { code, stderr } = await run('gateway', 'todo', '--override', at('override.json'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('todo:TOOL')]);
  });
});

describe('recordings', () => {
  it('has every message when the gateway is killed in the middle of a call', async () => {
    const passed = await through(['silent', '--record', at('killed.jsonl')]);
    await passed.client.listTools();
    const waits = call(passed, 'echo', { text: 'last words' });
    const failed = expect(waits).rejects.toThrow();
    await expect
      .poll(() => readFileSync(at('killed.jsonl'), 'utf8'), { timeout: 10_000 })
      .toContain('last words');
    process.kill(passed.transport.pid ?? 0, 'SIGKILL');
    await failed;
    const { lines } = readRecording(at('killed.jsonl'));
    const methods = lines.map((line) => ('message' in line ? line.message['method'] : line));
    expect(methods).toEqual([
      ...['initialize', undefined, 'notifications/initialized', 'tools/list', undefined],
      'tools/call',
    ]);
  });

  it('has the last call of an agent that is killed, and lets no server run on', async () => {
    const child = startCommand(['gateway', 'effects', '--record', at('agent.jsonl')], {
      workspace: at('workspace'),
    });
    child.stderr.resume();
    const ended = once(child, 'exit');
    child.stdin.end(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","arguments":{"file":${JSON.stringify(at('acted'))}}}}\n`,
    );
    expect((await ended)[0]).toBe(0);
    expect(readFileSync(at('agent.jsonl'), 'utf8')).toContain('"tools/call"');
  });

  it('is a file of its own for each connection, and never written over', async () => {
    for (const _ of [1, 2]) {
      await using passed = await through(['normal', '--record', at('each.jsonl')]);
      await passed.client.listTools();
    }
    for (const file of ['each.jsonl', 'each-2.jsonl'])
      expect(readRecording(at(file)).header.server).toBe('normal');
    const { code, stderr } = await run('gateway', 'todo', '--record', at('no', 'such.jsonl'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('such.jsonl')]);
  });

  it('holds no secret of the workspace, while the client gets what the server said', async () => {
    const secret = 'sk-live-0123456789abcdef0123456789';
    const added = await run(
      ...['servers', 'add', 'secretive', '--stdio', quoted(fakeStdioServer('complaining'))],
      ...['--env', 'API_KEY=${GATEWAY_TEST_KEY}'],
    );
    expect(added.code, added.stderr).toBe(0);
    const client = new Client({ name: 'test', version: '1' });
    const args = [testedProgram, 'gateway', 'secretive', '--record', at('secret.jsonl')];
    await using passed = await connect(process.execPath, args, client, {
      GATEWAY_TEST_KEY: secret,
    });
    await expect(call(passed, 'echo', { text: `key ${secret}` })).rejects.toThrow(secret);
    expect(readFileSync(at('secret.jsonl'), 'utf8')).not.toContain(secret);
    expect(passed.errors()).not.toContain(secret);
  });
});

describe('touchstone gateway over HTTP', () => {
  const serve = async (...args: string[]) => {
    const child = startCommand(['gateway', ...args, '--http', '0', '--token-env', 'GATE'], {
      workspace: at('workspace'),
      env: { GATE: token },
    });
    child.stderr.resume();
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    return {
      url: new URL(url),
      async end() {
        const ended = once(child, 'close') as Promise<[number | null]>;
        child.kill('SIGTERM');
        return (await ended)[0];
      },
    };
  };
  const over = async (url: URL, given: string) => {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { sampling: {} } });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant' as const,
      model: 'mine',
      content: { type: 'text' as const, text: 'sampled over HTTP' },
    }));
    await client.connect(
      new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { Authorization: `Bearer ${given}` } },
      }),
    );
    return client;
  };

  it('serves each client its own server, asks for the token, and passes on both directions', async () => {
    const served = await serve('everything', '--record', at('http.jsonl'));
    await expect(over(served.url, 'wrong-token-of-some-length')).rejects.toThrow(/token/);
    const [first, second] = await Promise.all([over(served.url, token), over(served.url, token)]);
    const steps: number[] = [];
    await first.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } },
      undefined,
      { onprogress: ({ progress }) => void steps.push(progress) },
    );
    expect(steps[0]).toBe(1);
    const { tools } = await second.listTools();
    const name = tools.find((tool) => tool.name.endsWith('sampling-request'))?.name ?? '';
    const sampled = await second.callTool({ name, arguments: { prompt: 'hi', maxTokens: 5 } });
    expect(JSON.stringify(sampled)).toContain('sampled over HTTP');
    await Promise.all([first.close(), second.close()]);
    expect(await served.end()).toBe(0);
    for (const file of ['http.jsonl', 'http-2.jsonl'])
      expect(readRecording(at(file)).lines.at(-1)).toMatchObject({ ended: expect.any(String) });
  });

  it('reaches a server over each HTTP transport', async () => {
    for (const shape of ['json', 'events', 'sse'] as const) {
      await using server = await startFakeHttpServer('normal', shape);
      const added = await run(
        ...['servers', 'add', shape, '--url', server.url],
        ...(shape === 'sse' ? ['--transport', 'sse'] : []),
      );
      expect(added.code, added.stderr).toBe(0);
      await using passed = await through([shape]);
      expect((await passed.client.listTools()).tools.map(({ name }) => name)).toContain('echo');
      expect((await call(passed, 'echo', { text: 'over HTTP' })).isError ?? false).toBe(false);
    }
  });

  it('serves several servers at addresses of their own, and each session at its own alone', async () => {
    const child = startCommand(
      [
        'gateway',
        'normal',
        'todo',
        '--http',
        '0',
        '--token-env',
        'GATE',
        '--record',
        at('several.jsonl'),
      ],
      { workspace: at('workspace'), env: { GATE: token } },
    );
    child.stderr.resume();
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => ((await lines.next()) as { value: string }).value.split('  ');
    const [[one = '', first], [two = '', second]] = [await next(), await next()];
    expect([first, second]).toEqual(['normal', 'todo']);
    const [normal, todo] = [await over(new URL(one), token), await over(new URL(two), token)];
    const namesOf = async (client: Client) =>
      (await client.listTools()).tools.map(({ name }) => name);
    expect(await namesOf(normal)).toContain('echo');
    expect(await namesOf(todo)).toContain('add_task');
    const session = (normal.transport as StreamableHTTPClientTransport).sessionId ?? '';
    const headers = { Authorization: `Bearer ${token}`, 'mcp-session-id': session };
    expect((await fetch(two, { headers })).status).toBe(404);
    expect((await fetch(new URL('/mcp', two), { headers })).status).toBe(404);
    await Promise.all([normal.close(), todo.close()]);
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
    expect(
      ['several.jsonl', 'several-2.jsonl'].map((name) => readRecording(at(name)).header.server),
    ).toEqual(['normal', 'todo']);
    const alone = await run('gateway', 'normal', 'todo');
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('Add --http')]);
  });

  it('asks for a token that nobody guesses', async () => {
    const { code, stderr } = await run('gateway', 'todo', '--http', '0');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--token-env')]);
  });
});
