import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import { ask } from '../../../testing/fakeModelServer/openTestModel.ts';
import {
  agentTools,
  expectEnded,
  runFolders,
  standInAgent,
} from '../../../testing/standInAgent.ts';
import { officialSdks } from '../../../testing/testPrograms.ts';
/** An agent on the official SDK that does what a test tells it. */
const program = `
import {
  agent, methods, ndJsonStream, RequestError,
  Client, StdioClientTransport, StreamableHTTPClientTransport,
} from '${officialSdks()}';
import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
const [folder, does] = process.argv.slice(2);
const note = (name, value) => {
  writeFileSync(join(folder, name + '.part'), JSON.stringify(value));
  renameSync(join(folder, name + '.part'), join(folder, name));
};
const never = () => new Promise(() => setInterval(() => {}, 1000));
if (does === 'closed') {
  process.stdin.destroy();
  await never();
}
if (does === 'garbage') console.log('Loading …\\n{"level":"info"}\\n[1, 2]');
if (does === 'only-garbage') {
  console.log('This agent speaks something else.');
  process.exit(0);
}
let servers = [];
let cwd = '';
let turns = 0;
const statusOf = async (url, options) => {
  const response = await fetch(url, options);
  await response.text();
  return response.status;
};
const open = async () => {
  const { command, args, env, type, url, headers: given } = servers[0];
  const client = new Client({ name: 'stand-in', version: '1.0.0' });
  if (type === 'http') {
    const headers = Object.fromEntries(given.map(({ name, value }) => [name, value]));
    const post = (more, body = '{}') => ({ method: 'POST', body, headers: { ...headers, ...more } });
    const message = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    note('statuses', [
      await statusOf(url, { method: 'POST', body: message }),
      await statusOf(url, post({ Authorization: 'Bearer of-another-run' }, message)),
      await statusOf(url.replace('/0/', '/1/'), post({}, message)),
      await statusOf(url, post({ Origin: 'http://example.com' }, message)),
      await statusOf(url, { headers }),
      await statusOf(url, post({}, 'x'.repeat(9_000_000))),
      await statusOf(url, post({}, message)),
      await statusOf(url, post({}, 'not JSON')),
    ]);
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    await client.listTools();
    return client;
  }
  const values = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  await client.connect(new StdioClientTransport({ command, args, env: values }));
  await client.listTools();
  return client;
};
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
agent({ name: 'stand-in' })
  .onRequest(methods.agent.initialize, async ({ params }) => {
    note('client', params);
    if (does === 'mute') await never();
    const authMethods = [{ id: 'browser', name: 'Log in with a browser' }];
    const more = does === 'login' ? { authMethods } : {};
    return { protocolVersion: does === 'old' ? 99 : 1, agentCapabilities: does.startsWith('http') ? { mcpCapabilities: { http: true } } : {}, ...more };
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    ({ mcpServers: servers, cwd } = params);
    if (does === 'login') throw RequestError.authRequired();
    return { sessionId: 's' };
  })
  .onNotification(methods.agent.session.cancel, () => note('canceled', true))
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const [{ text: prompt }] = params.prompt;
    note('start', { prompt, cwd, env: process.env });
    const update = (part) =>
      client.notify(methods.client.session.update, { sessionId: 's', update: part });
    const say = (text) =>
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    const began = (id, part) => update({ sessionUpdate: 'tool_call', toolCallId: id, ...part });
    const permitted = async (id, part) => {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId: 's',
        toolCall: { toolCallId: id, ...part },
        options,
      });
      return outcome.optionId ?? outcome.outcome;
    };
    if (does === 'crash') {
      console.error('The model is not logged in.');
      process.exit(4);
    }
    if (does === 'closes') process.stdin.destroy();
    if (does === 'hang') {
      note('pids', [process.pid]);
      await never();
    }
    if (does === 'chatter') for (;;) await say('x'.repeat(1024 * 1024));
    if (does === 'nag') for (;;) await permitted('1', { title: 'ls', kind: 'execute' });
    if (does === 'deaf') {
      await say('Done without tools.');
      return { stopReason: 'end_turn' };
    }
    const mcp = await open();
    if (does === 'refuse') return { stopReason: 'refusal' };
    if (does === 'cut') return { stopReason: 'max_tokens' };
    if (does === 'detach') {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
        detached: true, stdio: 'ignore', env: {}, cwd: '/',
      });
      child.unref();
      note('pids', [process.pid, child.pid]);
    }
    const call = async (name, args) => {
      await began(name, { title: name + ' (todo MCP Server)', kind: 'other' });
      return mcp.callTool({ name, arguments: args });
    };
    await say('I will look. ');
    if (does === 'asks') {
      const asked = {
        offered: await permitted('1', { title: 'add (todo MCP Server)', kind: 'execute' }),
        shell: await permitted('2', { title: 'touch add.txt', kind: 'execute' }),
        thought: await permitted('3', { title: 'Plan', kind: 'think' }),
      };
      note('asked', asked);
    }
    if (does === 'own') {
      await began('a', { title: 'cat notes.txt', kind: 'execute' });
      await began('b', { title: 'Reading', kind: 'other', name: 'read_notes' });
      await began('c', { title: 'ToolCall' });
      const later = (id, part) =>
        update({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed', ...part });
      await later('c', { _meta: { toolName: 'mcp__todo__add' } });
      await later('d', { title: 'ls', _meta: { claudeCode: { toolName: 'Bash' } } });
    }
    if (does === 'future') await update({ sessionUpdate: 'kind_of_tomorrow', value: 1 });
    if (does === 'both' || does === 'http-both') await Promise.all([call('add', { title: 'a' }), call('drop', { id: 2 })]);
    else if (does === 'wrong') await call('drop', {});
    else if (!['none', 'own', 'sums', 'quota'].includes(does)) note('result', await call('add', { title: prompt }));
    await say('I added ');
    await say('it.');
    await mcp.close();
    const usage = { totalTokens: 135, inputTokens: 90, outputTokens: 10, thoughtTokens: 5, cachedReadTokens: 30 };
    turns += 1;
    if (does === 'quota')
      return { stopReason: 'end_turn', _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } } };
    const sums = Object.fromEntries(Object.entries(usage).map(([name, n]) => [name, n * turns]));
    return { stopReason: 'end_turn', usage: does === 'sums' ? sums : usage };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
`;

const tools = agentTools;
const soon = () => AbortSignal.timeout(60_000);
const open = standInAgent(program, { protocol: 'acp' });
const expectNothingLeft = (): void => expect(runFolders()).toEqual([]);

describe('an agent that speaks ACP and plays a case', () => {
  it('gets the servers with its session, is canceled after its first call, and leaves nothing', async () => {
    process.env['OPENAI_API_KEY'] = 'sk-not-for-agents';
    const { model, read, has } = await open('one');
    const { observation, request } = await model.choose(ask('Buy milk', tools), soon());
    delete process.env['OPENAI_API_KEY'];
    expect(observation).toMatchObject({
      calls: [{ server: 'todo', tool: 'add', arguments: { title: 'Buy milk' } }],
      stopReason: 'called',
    });
    expect(request).toMatchObject({ agent: 'stand-in', protocol: 'acp', prompt: 'Buy milk' });
    expect(read('client')).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    const start = read('start') as { env: Record<string, string>; cwd: string };
    expect(JSON.stringify(start)).not.toContain('sk-not-for-agents');
    expect(start.cwd.startsWith(join(start.env['HOME'] ?? '', '..'))).toBe(true);
    expect(has('canceled')).toBe(true);
    expectNothingLeft();
  });

  it.each([
    ['wrong', [['todo', 'drop']]],
    ['garbage', [['todo', 'add']]],
    ['future', [['todo', 'add']]],
    [
      'both',
      [
        ['todo', 'add'],
        ['todo', 'drop'],
      ],
    ],
  ])('reports the calls of one that does %s', async (does, expected) => {
    const { model } = await open(does);
    const { observation } = await model.choose(ask('go', tools), soon());
    expect(observation.calls.map(({ server, tool: name }) => [server, name])).toEqual(expected);
    expectNothingLeft();
  });

  it('connects by address where it says that it can, and nobody else gets in', async () => {
    const { model, read } = await open('http-both');
    const { observation } = await model.choose(ask('go', tools), soon());
    expect(observation.calls.map(({ tool }) => tool).toSorted()).toEqual(['add', 'drop']);
    expect(read('statuses')).toEqual([401, 401, 401, 403, 405, 413, 202, 202]);
    expectNothingLeft();
  });

  it('answers without a call; tokens and calls of its own tools are kept', async () => {
    const none = await (await open('none')).model.choose(ask('go', tools), soon());
    expect(none.observation).toMatchObject({
      ...{ calls: [], text: 'I will look. I added it.', stopReason: 'answered' },
      usage: { input: 120, output: 15, source: 'measured' },
    });
    const own = await (await open('own')).model.choose(ask('go', tools), soon());
    expect(own.observation).toMatchObject({
      ...{ calls: [], text: 'I added it.', stopReason: 'answered' },
      details: {
        ownTools: [
          { name: 'execute', kind: 'execute' },
          { name: 'read_notes', kind: 'other' },
          { name: 'Bash' },
        ],
      },
    });
  });

  it.each([
    ['refuse', 'refused'],
    ['cut', 'cut_off'],
  ])('tells how the model of one that does %s ended', async (does, stopReason) => {
    const { model } = await open(does);
    const { observation } = await model.choose(ask('go', tools), soon());
    expect(observation).toMatchObject({ calls: [], text: null, stopReason });
  });

  it.each([
    ['crash', /ended with exit code 4: The model is not logged in\./],
    ['only-garbage', /ended with exit code 0: This agent speaks something else\. Try "/],
    ['deaf', /never connected to the server "todo"/],
    ['old', /speaks version 99 of the Agent Client Protocol/],
    ['nag', /asked for permission more than 1,000 times/],
    ['chatter', /wrote more than 32 MB/],
  ])('isn’t scored when it is one that does %s', async (does, message) => {
    const { model } = await open(does);
    await expect(model.choose(ask('go', tools), soon())).rejects.toThrow(message);
    expectNothingLeft();
  });

  it('isn’t scored without a login, and the error says which keys have no value', async () => {
    const model = async (change: object) => (await open('login', change)).model;
    const without = { env: { AGENT_KEY: '${key:anthropic}' }, optional: ['AGENT_KEY'] };
    await expect((await model(without)).choose(ask('go', tools), soon())).rejects.toThrow(
      'needs a login (Authentication required). It offers: Log in with a browser. A login in your ' +
        "home folder isn't used. Set a key: of its variables, AGENT_KEY has no value.",
    );
    const given = { env: { AGENT_KEY: 'of-the-template' } };
    await expect((await model(given)).choose(ask('go', tools), soon())).rejects.toThrow(
      'Check the key, or name the variable of its key in the env of a template of your own.',
    );
    expectNothingLeft();
  });

  it.each(['hang', 'mute', 'closed', 'closes'])(
    'isn’t scored when it is silent (%s)',
    async (does) => {
      const { model, read, has } = await open(does, {}, 5);
      await expect(model.choose(ask('go', tools), soon())).rejects.toThrow(
        'made no call and gave no answer within 5 s',
      );
      if (has('pids')) await expectEnded(read('pids'));
      expectNothingLeft();
    },
  );

  it.skipIf(process.platform !== 'linux')('leaves no process that left its group', async () => {
    const { model, read } = await open('detach');
    await model.choose(ask('go', tools), soon());
    await expectEnded(read('pids'));
  });

  it('is told of a cancel and ended with its run', async () => {
    const { model, has, read } = await open('hang');
    const cancel = new AbortController();
    const running = model.choose(ask('go', tools), cancel.signal);
    await expect.poll(() => has('pids')).toBe(true);
    cancel.abort();
    await expect(running).rejects.toThrow();
    await expectEnded(read('pids'));
    expect(has('canceled')).toBe(true);
    expectNothingLeft();
  });
});

describe('an agent that speaks ACP and plays a task', () => {
  const converse = async (does: string, mode: ExecutionMode, change: object = {}) => {
    const { model, read } = await open(does, change);
    const setting = { system: null, messages: [], tools, repetition: 1, mode };
    const conversation = model.converse?.(setting);
    if (!conversation) throw new Error('It holds no conversation.');
    return { conversation, read };
  };

  it.each(['one', 'http'])(
    'gets results, keeps its session over turns, and is told the end (%s)',
    async (does) => {
      const { conversation, read } = await converse(does, 'full');
      for (const text of ['Buy milk', 'Buy bread']) {
        const { observation } = await conversation.next({ by: 'user', text }, soon());
        const [made] = observation.calls;
        expect(made?.arguments).toEqual({ title: text });
        const result = { id: made?.id ?? '', text: '{"id":7}', isError: false };
        const last = await conversation.next({ by: 'tools', results: [result] }, soon());
        expect(last.observation).toMatchObject({ calls: [], text: 'I added it.' });
      }
      await conversation.close?.();
      expect(read('result')).toMatchObject({ content: [{ text: '{"id":7}' }] });
      expectNothingLeft();
    },
  );

  it.each([
    [
      'of each turn',
      'none',
      { usage: 'turn' },
      [
        [120, 15],
        [120, 15],
      ],
    ],
    [
      'of all turns so far',
      'sums',
      { usage: 'session' },
      [
        [120, 15],
        [120, 15],
      ],
    ],
    ['as it is not known', 'none', {}, [[120, 15], null]],
    [
      'of Gemini CLI',
      'quota',
      { usage: 'turn' },
      [
        [7, 3],
        [7, 3],
      ],
    ],
  ])('has the tokens of each turn from a report %s', async (_name, does, change, expected) => {
    const { conversation } = await converse(does, 'stub', change);
    const counted: unknown[] = [];
    for (const text of ['Buy milk', 'Buy bread']) {
      const { observation } = await conversation.next({ by: 'user', text }, soon());
      counted.push(observation.usage && [observation.usage.input, observation.usage.output]);
    }
    await conversation.close?.();
    expect(counted).toEqual(expected);
  });

  it.each([
    ['stub', 'no'],
    ['read-only', 'no'],
    ['full', 'yes'],
  ] as const)('may use its shell in %s: %s', async (mode, shell) => {
    const { conversation, read } = await converse('asks', mode);
    await conversation.next({ by: 'user', text: 'go' }, soon());
    await conversation.close?.();
    expect(read('asked')).toEqual({ offered: 'yes', shell, thought: 'yes' });
  });
});
