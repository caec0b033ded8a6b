import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { ask } from '../../../testing/fakeModelServer/openTestModel.ts';
import { agentTools, runFolders, standInAgent } from '../../../testing/standInAgent.ts';
import { officialSdks } from '../../../testing/testPrograms.ts';
import { isRunning } from '../../process/programFolder.ts';
import { createModelAccess } from '../openChatModel.ts';
import { knownAgents } from './agentProvider.ts';

/** An agent that speaks MCP through the official client and does what a test tells it. */
const program = `
import { Client, StdioClientTransport } from '${officialSdks()}';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
const [folder, does, config, prompt] = process.argv.slice(2);
const note = (name, value) => {
  writeFileSync(join(folder, name + '.part'), JSON.stringify(value));
  renameSync(join(folder, name + '.part'), join(folder, name));
};
const folders = { home: readdirSync(process.env.HOME), work: readdirSync('.') };
note('start', { prompt, env: process.env, cwd: process.cwd(), folders });
if (does === 'litter') for (const at of [process.env.HOME, '.']) writeFileSync(join(at, 'left'), '');
const connect = async (name = 'todo') => {
  const { command, args, env } = JSON.parse(readFileSync(config, 'utf8')).mcpServers[name];
  const client = new Client({ name: 'stand-in', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env }));
  return client;
};
const anything = { parse: (value) => value, safeParse: (data) => ({ success: true, data }) };
const forever = () => setInterval(() => {}, 1000);
if (does === 'crash') {
  console.error('The model is not logged in.');
  process.exit(4);
}
if (does === 'killed') {
  console.error('Out of memory.');
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
}
if (does === 'deaf') {
  console.log('Done without tools.');
  process.exit(0);
}
if (does === 'flood') {
  const part = 'x'.repeat(1024 * 1024);
  const write = () => process.stdout.write(part, write);
  write();
  await new Promise(() => {});
}
process.stdin.destroy();
if (does === 'old') {
  const { command, args, env } = JSON.parse(readFileSync(config, 'utf8')).mcpServers.todo;
  const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const ask = async (...messages) => {
    server.stdin.write(JSON.stringify(messages.map((one) => ({ jsonrpc: '2.0', ...one }))) + '\\n');
    return JSON.parse((await lines.next()).value).result;
  };
  const initialize = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
  const told = await ask({ id: 1, method: 'initialize', params: initialize });
  note('told', told.protocolVersion);
  await ask({ method: 'notifications/initialized' }, { id: 2, method: 'tools/call', params: { name: 'add', arguments: {} } });
}
const client = await connect();
const { tools } = await client.listTools();
note('offered', { tools, instructions: client.getInstructions() ?? null });
const refusal = (method) =>
  client.request({ method, params: {} }, anything).then(() => null, ({ code }) => code);
if (does === 'file') note('file', readFileSync(join(process.env.HOME, 'request.txt'), 'utf8'));
if (does === 'explore')
  note('explored', {
    capabilities: client.getServerCapabilities(),
    refused: [await refusal('resources/list'), await refusal('prompts/list')],
  });
const call = (name, args, from = client) => from.callTool({ name, arguments: args });
if (['none', 'litter'].includes(does)) console.log('There is nothing to do.');
if (does === 'one') note('result', await call('add', { title: prompt }));
if (does === 'wrong') await call('drop', {});
if (does === 'unknown') await call('no-such-tool', {});
if (does === 'both')
  await Promise.all([call('add', { title: 'a' }), call('drop', { id: 2 })]);
if (does === 'twice') {
  const second = await connect();
  await call('add', { title: 'a' }, second);
  await second.close();
}
if (does === 'loop') for (let index = 0; index < 10_000; index += 1) await call('add', { index });
if (does === 'detach') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
    env: {},
    cwd: '/',
  });
  child.unref();
  note('pids', [process.pid, child.pid]);
  await call('add', { title: 'a' });
}
if (does === 'hang') {
  note('pids', [process.pid]);
  forever();
  await new Promise(() => {});
}
if (does === 'closed') await call('add', { title: 'a' });
if (['one', 'twice', 'closed'].includes(does)) console.log('I added it.');
await client.close();
`;

const answerOf = (name: string) => knownAgents().find((each) => each.name === name)?.answer ?? null;
const tools = agentTools;
const instructions = [{ server: 'todo', instructions: 'Titles are short.' }];
const soon = () => AbortSignal.timeout(60_000);
const open = standInAgent(program, {}, ['{{mcp_config}}', '{{prompt}}']);
/** The request is written to its standard input, which it closes. */
const openDeaf = standInAgent(program, {}, ['{{mcp_config}}']);

describe('an agent that plays a case', () => {
  it('ends at its first call, which is what it chose', async () => {
    process.env['OPENAI_API_KEY'] = 'sk-not-for-agents';
    const { model, read } = await open('one');
    const request = { ...ask('Buy milk', tools), system: 'Be brief.', instructions };
    const { observation } = await model.choose(request, soon());
    delete process.env['OPENAI_API_KEY'];
    expect(observation).toMatchObject({
      calls: [{ server: 'todo', tool: 'add', arguments: { title: 'Be brief.\n\nBuy milk' } }],
      stopReason: 'called',
    });
    expect(read('offered')).toMatchObject({
      instructions: 'Titles are short.',
      tools: [{ name: 'add', inputSchema: tools[0]?.inputSchema }, { name: 'drop' }],
    });
    const start = read('start') as { env: Record<string, string>; cwd: string };
    expect(JSON.stringify(start)).not.toContain('sk-not-for-agents');
    expect(start.env['HOME']).not.toBe(process.env['HOME']);
    expect(start.cwd.startsWith(join(start.env['HOME'] ?? '', '..'))).toBe(true);
    expect(existsSync(start.env['HOME'] ?? '')).toBe(false);
    expect(runFolders()).toEqual([]);
  });

  it.each([
    ['wrong', [['todo', 'drop']]],
    ['twice', [['todo', 'add']]],
    ['unknown', [[null, null]]],
    [
      'both',
      [
        ['todo', 'add'],
        ['todo', 'drop'],
      ],
    ],
    ['loop', [['todo', 'add']]],
  ])('tells the calls of one that calls %s', async (does, expected) => {
    const { model } = await open(does);
    const { observation } = await model.choose(ask('go', tools), soon());
    expect(observation.calls.map(({ server, tool: name }) => [server, name])).toEqual(expected);
  });

  it('that closes its input without reading its request is judged by what it calls', async () => {
    const { model } = await openDeaf('closed');
    const long = 'x'.repeat(1_000_000);
    const { observation } = await model.choose(ask(long, tools), soon());
    expect(observation.calls.map(({ tool: name }) => name)).toEqual(['add']);
    expect(runFolders()).toEqual([]);
  });

  it('is spoken to in the first version of the protocol, which has lists of messages', async () => {
    const { model, read } = await open('old');
    const { observation } = await model.choose(ask('go', tools), soon());
    expect(observation.calls.map(({ tool: name }) => name)).toEqual(['add']);
    expect(read('told')).toBe('2024-11-05');
  });

  it('that ends without a call has called no tool', async () => {
    const { model } = await open('none');
    const { observation } = await model.choose(ask('go', tools), soon());
    expect(observation).toMatchObject({
      calls: [],
      text: 'There is nothing to do.',
      stopReason: 'answered',
    });
  });

  it('goes on with stub results where a case has several turns', async () => {
    const { model, read } = await open('one');
    const stubs = [{ server: 'todo', tool: 'add', result: 'added 7' }];
    const request = { ...ask('go', tools), turns: { maximum: 3, stubs } };
    const { observation } = await model.choose(request, soon());
    expect(observation).toMatchObject({ text: 'I added it.', stopReason: 'called' });
    expect(observation.calls).toHaveLength(1);
    expect(read('result')).toMatchObject({ content: [{ text: 'added 7' }], isError: false });
  });

  it.each([
    [
      'crash',
      {},
      /^Agent stand-in ended with exit code 4: The model is not logged in\. Try "[^"]+" in a terminal, then resume the evaluation\.$/,
    ],
    ['killed', {}, /^Agent stand-in was ended by SIGKILL: Out of memory\.[^]* Try /],
    ['deaf', {}, /never connected to the server "todo"/],
    [
      'none',
      { answer: answerOf('claude') },
      /^Agent stand-in printed nothing that the answer of its template describes: There is nothing to do\. Try /,
    ],
    ['flood', {}, /wrote more than 32 MB\. Try /],
  ])('fails and tells why when it is one that does %s', async (does, change, message) => {
    const { model } = await open(does, change);
    const chosen = model.choose(ask('go', tools), soon());
    await expect(chosen).rejects.toMatchObject({
      kind: 'agent',
      message: expect.stringMatching(message),
    });
    expect(runFolders()).toEqual([]);
  });

  it('fails when it is silent for too long, and leaves no process', async () => {
    const { model, read, has } = await open('hang', {}, 5);
    await expect(model.choose(ask('go', tools), soon())).rejects.toThrow(
      'made no call and gave no answer within 5 s. Raise its timeout',
    );
    if (has('pids'))
      for (const pid of read('pids') as number[])
        await expect.poll(() => isRunning(pid)).toBe(false);
    expect(runFolders()).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'leaves no process that left its group, its folder and its environment',
    async () => {
      const { model, read } = await open('detach');
      await model.choose(ask('go', tools), soon());
      for (const pid of read('pids') as number[])
        await expect.poll(() => isRunning(pid)).toBe(false);
    },
  );

  it('is ended with its run when that is canceled', async () => {
    const { model, has, read } = await open('hang');
    const cancel = new AbortController();
    const running = model.choose(ask('go', tools), cancel.signal);
    await expect.poll(() => has('pids')).toBe(true);
    cancel.abort();
    await expect(running).rejects.toThrow();
    for (const pid of read('pids') as number[]) await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

describe('an agent that plays a task', () => {
  it('gets the results of its calls, as data too, and answers', async () => {
    const { model, read } = await open('one');
    const conversation = model.converse?.({ system: null, messages: [], tools, repetition: 1 });
    const first = await conversation?.next({ by: 'user', text: 'Buy milk' }, soon());
    const [made] = first?.observation.calls ?? [];
    expect(made).toMatchObject({ tool: 'add', arguments: { title: 'Buy milk' } });
    const result = { id: made?.id ?? '', text: '{"id":7}', isError: false, structured: { id: 7 } };
    const last = await conversation?.next({ by: 'tools', results: [result] }, soon());
    expect(last?.observation).toMatchObject({ calls: [], text: 'I added it.' });
    await conversation?.close?.();
    expect(read('result')).toMatchObject({ structuredContent: { id: 7 } });
    expect(runFolders()).toEqual([]);
  });

  it('finds the request in a file of its home folder where its template writes one', async () => {
    const { model, read } = await open('file', { files: { 'request.txt': 'Do: {{prompt}}' } });
    const conversation = model.converse?.({ system: null, messages: [], tools, repetition: 1 });
    await conversation?.next({ by: 'user', text: 'Buy milk' }, soon());
    await conversation?.close?.();
    expect(read('file')).toBe('Do: Buy milk');
  });

  it('takes one request a run unless its template says how it goes on', async () => {
    const { model } = await open('none');
    const conversation = model.converse?.({ system: null, messages: [], tools, repetition: 1 });
    await conversation?.next({ by: 'user', text: 'one' }, soon());
    await expect(conversation?.next({ by: 'user', text: 'two' }, soon())).rejects.toThrow(
      'takes one request a run',
    );
    await conversation?.close?.();
  });

  it('sees the tools of its servers, and no resources and prompts', async () => {
    const { model, read } = await open('explore');
    const conversation = model.converse?.({ system: null, messages: [], tools, repetition: 1 });
    await conversation?.next({ by: 'user', text: 'go' }, soon());
    await conversation?.close?.();
    const methodNotFound = -32_601;
    expect(read('explored')).toEqual({
      capabilities: { tools: {} },
      refused: [methodNotFound, methodNotFound],
    });
  });

  it('is ended by the end of its run', async () => {
    const { model, read } = await open('detach');
    const conversation = model.converse?.({ system: null, messages: [], tools, repetition: 1 });
    await conversation?.next({ by: 'user', text: 'go' }, soon());
    await conversation?.close?.();
    const [own = 0] = read('pids') as number[];
    await expect.poll(() => isRunning(own)).toBe(false);
    expect(runFolders()).toEqual([]);
  });
});

describe('an agent', () => {
  const refusal = (change: object) =>
    createModelAccess()
      .open(modelConfiguration.parse({ provider: 'agent', model: 'claude', ...change }))
      .then(
        () => null,
        (error: unknown) => (error as { data: { cause: string } }).data.cause,
      );
  it('is refused before the start if it isn’t known or not installed', async () => {
    expect(await refusal({ model: 'nobody' })).toBe('No agent is named "nobody".');
    expect(await refusal({ agent: { name: 'claude', command: ['no-such-program'] } })).toBe(
      'The program "no-such-program" of the agent claude isn\'t installed.',
    );
    expect(
      await refusal({ model: 'own/m', agent: { name: 'own', command: [process.execPath] } }),
    ).toMatch(/has no place for the model "m"/);
  });

  it('has a home and a folder of its own in each run, and no login, key or folder of the person', async () => {
    const person = {
      ...{ ANTHROPIC_API_KEY: 'k', AWS_SECRET_ACCESS_KEY: 'k', GITHUB_TOKEN: 'k' },
      ...{ CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/c', XDG_CONFIG_HOME: '/c', SSH_AUTH_SOCK: '/s' },
    };
    const before = Object.keys(person).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, person);
    try {
      const { model, read } = await open('litter');
      const homes = new Set<string>();
      for (let run = 0; run < 2; run += 1) {
        await model.choose(ask('go', tools), soon());
        const { env, folders } = read('start') as { env: Record<string, string>; folders: object };
        // What the run before left isn't there.
        expect(folders).toEqual({ home: ['mcp.json'], work: [] });
        expect(Object.keys(env).filter((name) => name in person)).toEqual([]);
        homes.add(env['HOME'] ?? '');
      }
      expect(homes.size).toBe(2);
      expect([...homes].filter((home) => existsSync(home))).toEqual([]);
    } finally {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });

  it('gets the variables of its template, and none whose credential is missing', async () => {
    process.env['AGENT_SECRET'] = 'named-value';
    const { model, read } = await open('none', {
      env: { FIXED: '{{work_dir}}', OPENAI_API_KEY: '${key:openai}' },
      optional: ['OPENAI_API_KEY'],
    });
    await model.choose(ask('go', tools), soon());
    delete process.env['AGENT_SECRET'];
    const { env, cwd } = read('start') as { env: Record<string, string>; cwd: string };
    expect(env['FIXED']).toBe(cwd);
    expect([env['OPENAI_API_KEY'], env['AGENT_SECRET']]).toEqual([undefined, undefined]);
  });
});
