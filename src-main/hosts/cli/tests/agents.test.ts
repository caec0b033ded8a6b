import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { officialSdks } from '../../../testing/testPrograms.ts';

/** An agent that adds a task where it is asked to, reads the list, and says what it did. */
const program = `
import { Client, StdioClientTransport } from '${officialSdks()}';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
const [config] = process.argv.slice(2);
const prompt = await text(process.stdin);
if (prompt.includes('capital') && existsSync(new URL('logged-out', import.meta.url))) process.exit(4);
const { command, args, env } = JSON.parse(readFileSync(config, 'utf8')).mcpServers.todo;
const client = new Client({ name: 'stand-in', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args, env }));
await client.listTools();
if (prompt.includes('Add')) {
  await client.callTool({ name: 'add_task', arguments: { user_id: 'u-1', title: 'Buy milk' } });
  const { content } = await client.callTool({ name: 'list_tasks', arguments: { user_id: 'u-1' } });
  console.log('Now there is: ' + content[0].text);
} else console.log('Paris.');
await client.close();
`;

/** The same through the Agent Client Protocol. It reads a file before it adds. */
const acpProgram = `
import { agent, methods, ndJsonStream, Client, StdioClientTransport } from '${officialSdks()}';
import { Readable, Writable } from 'node:stream';
let server;
agent({ name: 'stand-in' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    server = params.mcpServers[0];
    return { sessionId: 's' };
  })
  .onNotification(methods.agent.session.cancel, () => process.exit(0))
  .onRequest(methods.agent.session.prompt, async ({ params, client: person }) => {
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
    const mcp = new Client({ name: 'stand-in', version: '1.0.0' });
    await mcp.connect(new StdioClientTransport({ command: server.command, args: server.args, env }));
    const { tools } = await mcp.listTools();
    const update = (part) =>
      person.notify(methods.client.session.update, { sessionId: 's', update: part });
    if (params.prompt[0].text.includes('Add')) {
      await update({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'notes.txt', kind: 'read' });
      const name = tools.find((tool) => tool.name === 'add_task').name;
      await update({ sessionUpdate: 'tool_call', toolCallId: '2', title: 'todo: ' + name });
      await mcp.callTool({ name, arguments: { user_id: 'u-1', title: 'Buy milk' } });
    }
    await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } });
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
`;

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('agent.mjs'), program);
  writeFileSync(at('acp.mjs'), acpProgram);
  writeFileSync(
    at('acp.yaml'),
    JSON.stringify({ name: 'acp', protocol: 'acp', command: [process.execPath, './acp.mjs'] }),
  );
  writeFileSync(
    at('agent.yaml'),
    JSON.stringify({
      name: 'stand-in',
      command: [process.execPath, './agent.mjs', '{{mcp_config}}'],
    }),
  );
  const suite = (name: string, content: object) =>
    writeFileSync(at(name), JSON.stringify({ version: 1, name, servers: ['todo'], ...content }));
  suite('cases.json', {
    cases: [
      {
        id: 'add',
        name: 'add',
        query: 'Add the task "Buy milk" for user u-1.',
        expected_calls: [
          { server: 'todo', tool: 'add_task', parameters: { user_id: 'u-1', title: 'Buy milk' } },
        ],
      },
      { id: 'none', name: 'none', query: 'What is the capital of France?', expected_calls: [] },
      {
        id: 'missed',
        name: 'missed',
        query: 'Which tasks has user u-1?',
        expected_calls: [{ server: 'todo', tool: 'list_tasks' }],
      },
    ],
  });
  suite('tasks.json', {
    cases: [
      {
        id: 'add',
        name: 'add',
        turns: ['Add the task "Buy milk" for user u-1.'],
        checks: [
          { calls: { must: ['add_task'] } },
          {
            state: {
              ...{ server: 'todo', tool: 'list_tasks', arguments: { user_id: 'u-1' } },
              ...{ at: '/tasks', contains: { title: 'Buy milk' } },
            },
          },
        ],
      },
    ],
  });
});
afterAll(() => folder.remove());

const evaluate = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  runCommand(['eval', ...args, '--json'], { workspace: at('workspace'), env });

it('an agent plays cases, and its recording is replayed', async () => {
  const cases = ['--suite', at('cases.json')];
  const played = await evaluate([
    ...cases,
    ...['--agent', at('agent.yaml'), '--record', at('recording.jsonl')],
  ]);
  expect(played.code, played.stderr).toBe(0);
  // Its servers offer their own tools, so that none has another name.
  expect(JSON.parse(played.stdout)).toMatchObject({ sent_tools: [{ renamed: [] }] });
  const { counts, verdict } = JSON.parse(played.stdout) as { counts: object; verdict: object };
  // Two of three cases pass: in the third, the agent calls nothing.
  expect(counts).toMatchObject({ tp: 1, tn: 1, fn: 1, failed: 0, total: 3 });
  const replayed = await evaluate([
    ...cases,
    ...['--provider', 'replay', '--replay', at('recording.jsonl'), '--model', 'stand-in'],
  ]);
  expect(replayed.code, replayed.stderr).toBe(0);
  expect(JSON.parse(replayed.stdout)).toMatchObject({ counts, verdict });
});

it.runIf(isNightly)(
  'an agent plays several runs at once; their report is verified and compared',
  async () => {
    const play = async (report: string) => {
      const { code, stderr } = await evaluate([
        ...['--suite', at('cases.json'), '--agent', at('agent.yaml'), '--report', at(report)],
        ...['--repetitions', '2', '--concurrency', '3'],
      ]);
      expect(code, stderr).toBe(0);
      return JSON.parse(readFileSync(at(report), 'utf8')) as {
        models: { counts: object; conditions: Record<string, unknown> }[];
      };
    };
    const [model] = (await play('first.json')).models;
    expect(model?.counts).toMatchObject({ tp: 2, tn: 2, fn: 2, failed: 0, total: 6 });
    expect(model?.conditions['agent template']).toEqual(expect.any(String));
    await play('second.json');
    const inWorkspace = { workspace: at('workspace') };
    const verified = await runCommand(['verify', at('first.json')], inWorkspace);
    expect(verified.code, verified.stderr).toBe(0);
    const compared = await runCommand(
      ['compare', at('first.json'), at('second.json')],
      inWorkspace,
    );
    expect(compared.stdout).toContain('Regressed 0 · fixed 0');
  },
);

it('an evaluation whose agent failed is resumed with what has no score', async () => {
  writeFileSync(at('logged-out'), '');
  const cases = ['--suite', at('cases.json'), '--agent', at('agent.yaml')];
  const failed = await evaluate([...cases, '--retries', '0']);
  rmSync(at('logged-out'));
  expect(JSON.parse(failed.stdout)).toMatchObject({
    counts: { tp: 1, tn: 0, fn: 1, failed: 1, total: 3 },
  });
  const listed = await runCommand(['evaluations', 'list', '--limit', '1', '--json'], {
    workspace: at('workspace'),
  });
  expect(listed.stdout).toMatch(/could not be scored\. 1 run: Agent [^"]*code 4/);
  const resumed = await evaluate(['--resume', 'latest']);
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    counts: { tp: 1, tn: 1, fn: 1, failed: 0, total: 3 },
  });
});

it.each(['cases.json', 'tasks.json'])(
  'an agent that crashes is named with its cause and the next step in all that is said of %s',
  async (suite) => {
    writeFileSync(
      at('crash.mjs'),
      'console.error("No access for " + process.env.AGENT_KEY); process.exit(9);',
    );
    const agent = {
      ...{ name: 'crasher', command: [process.execPath, './crash.mjs'] },
      env: { AGENT_KEY: '${key:openai}' },
    };
    writeFileSync(at('crash.yaml'), JSON.stringify(agent));
    const [json, markdown] = [at(`crash-${suite}`), at(`crash-${suite}.md`)];
    const { code, stdout, stderr } = await runCommand(
      [
        ...['eval', '--suite', at(suite), '--agent', at('crash.yaml'), '--retries', '0', '--yes'],
        ...['--execute', 'full', '--report', json, '--report', markdown],
      ].filter(
        (word, index, words) =>
          suite === 'tasks.json' || (word !== '--execute' && words[index - 1] !== '--execute'),
      ),
      { workspace: at('workspace'), env: { OPENAI_API_KEY: 'sk-of-the-person-1234567890' } },
    );
    expect(code, stderr).toBe(3);
    const said =
      /[Tt]he agent failed: Agent crasher ended with exit code 9: No access for [^\s]+\. Try "[^"]+" in a terminal, then resume the evaluation\./;
    expect(stdout + stderr).toMatch(said);
    expect(readFileSync(markdown, 'utf8').replaceAll('\\', '')).toContain(
      'Agent crasher ended with exit code 9',
    );
    const report = JSON.parse(readFileSync(json, 'utf8')) as { runs: { failure?: string }[] };
    expect(report.runs.map(({ failure }) => failure)).toEqual(report.runs.map(() => 'agent'));
    expect(stdout + stderr + readFileSync(json, 'utf8')).not.toContain('of-the-person');
    expect(stdout + stderr).not.toContain('the model’s service failed');
  },
);

it('the version of an agent is part of its plan, report, comparison and resume', async () => {
  const install = (version: string) =>
    writeFileSync(at('version.mjs'), `console.log('stand-in ${version} (stable)');`);
  writeFileSync(
    at('versioned.yaml'),
    JSON.stringify({
      name: 'versioned',
      command: [process.execPath, './agent.mjs', '{{mcp_config}}'],
      version: ['./version.mjs', '--version'],
    }),
  );
  const cases = ['--suite', at('cases.json'), '--agent', at('versioned.yaml')];
  const inWorkspace = { workspace: at('versioned') };
  const run = (...args: string[]) => runCommand(args, inWorkspace);
  install('1.2.3');
  const planned = await run('eval', ...cases, '--estimate');
  expect(planned.stdout).toContain(`agent · versioned: version 1.2.3, ${process.execPath}`);
  writeFileSync(at('logged-out'), '');
  const first = await run('eval', ...cases, '--retries', '0', '--report', at('v1.json'));
  rmSync(at('logged-out'));
  expect(first.stdout + first.stderr).toContain('not scored');
  const { models } = JSON.parse(readFileSync(at('v1.json'), 'utf8')) as {
    models: { sent: object; conditions: object }[];
  };
  expect(models).toMatchObject([
    { sent: { program_version: '1.2.3' }, conditions: { 'agent version': '1.2.3' } },
  ]);
  install('1.3.0-beta.1');
  const resumed = await run('eval', '--resume', 'latest');
  expect(resumed.code).toBe(2);
  expect(resumed.stderr).toContain(
    'The evaluation was started with version 1.2.3, and version 1.3.0-beta.1 is installed now.',
  );
  const second = await run('eval', ...cases, '--report', at('v2.json'));
  expect(second.code, second.stderr).toBe(0);
  const compared = await run('compare', at('v1.json'), at('v2.json'));
  expect(compared.stdout).toContain('agent version: 1.2.3 → 1.3.0-beta.1');
});

it('a plan says which program of an agent is missing', async () => {
  writeFileSync(
    at('missing.yaml'),
    JSON.stringify({ name: 'missing', command: [at('no-such-program')], version: ['--version'] }),
  );
  const planned = await evaluate([
    ...['--suite', at('cases.json'), '--agent', at('missing.yaml'), '--estimate'],
  ]);
  expect(JSON.parse(planned.stdout)).toMatchObject({
    models: [{ program: { file: null, version: null } }],
    problems: [{ severity: 'error', caseKey: null }],
  });
  expect(planned.stdout).toContain("of the agent missing isn't installed.");
  const refused = await evaluate(['--suite', at('cases.json'), '--agent', at('missing.yaml')]);
  expect(refused.stderr).toContain('Install it, or name its full path');
  expect(refused.stderr).not.toContain('servers add');
});

it('an agent plays a task on the real server, whose results it reads', async () => {
  const { code, stdout, stderr } = await evaluate([
    ...['--suite', at('tasks.json'), '--agent', at('agent.yaml'), '--execute', 'full', '--yes'],
  ]);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ outcomes: { succeeded: 1, not_scored: 0 } });
});

it('an agent that speaks ACP plays cases and a task like one that is a command', async () => {
  const cases = await evaluate(['--suite', at('cases.json'), '--agent', at('acp.yaml')]);
  expect(cases.code, cases.stderr).toBe(0);
  expect(JSON.parse(cases.stdout)).toMatchObject({
    counts: { tp: 1, tn: 1, fn: 1, failed: 0, total: 3 },
  });
  const task = await evaluate([
    ...['--suite', at('tasks.json'), '--agent', at('acp.yaml'), '--execute', 'full', '--yes'],
    ...['--report', at('acp.json')],
  ]);
  expect(task.code, task.stderr).toBe(0);
  expect(JSON.parse(task.stdout)).toMatchObject({ outcomes: { succeeded: 1, not_scored: 0 } });
  const verified = await runCommand(['verify', at('acp.json')], { workspace: at('workspace') });
  expect(verified.code, verified.stderr).toBe(0);
});

it.each([
  ['acp.yaml', ['Read', 'execute'], 'succeeded', true, 'All required calls were made'],
  ['acp.yaml', ['read'], 'check_failed', false, 'must not use its own tool “read”'],
  ['agent.yaml', ['read'], 'not_scored', null, 'The agent reported nothing about its own tools'],
])('a check forbids own tools of %s: %j is %s', async (agent, never, outcome, passed, reason) => {
  const name = `own-${never[0] ?? ''}-${agent}.json`;
  writeFileSync(
    at(name),
    JSON.stringify({
      ...{ version: 1, name, servers: ['todo'] },
      cases: [
        {
          ...{ id: 'add', name: 'add', turns: ['Add the task "Buy milk" for user u-1.'] },
          checks: [{ calls: { must: ['add_task'], never_own: never } }],
        },
      ],
    }),
  );
  const { stderr } = await evaluate([
    ...['--suite', at(name), '--agent', at(agent), '--execute', 'full', '--yes'],
    ...['--report', at('own.json')],
  ]);
  const { runs } = JSON.parse(readFileSync(at('own.json'), 'utf8')) as { runs: unknown[] };
  expect(runs, stderr).toMatchObject([
    { outcome, checks: [{ passed, reason: expect.stringContaining(reason) as string }] },
  ]);
  const verified = await runCommand(['verify', at('own.json')], { workspace: at('workspace') });
  expect(verified.code, verified.stderr + verified.stdout).toBe(0);
});

it('an agent can’t be presented tools as another client does, and has to be known', async () => {
  const asClient = await evaluate([
    ...['--suite', at('cases.json'), '--agent', at('agent.yaml'), '--client', 'codex'],
  ]);
  expect(asClient.code).toBe(2);
  expect(asClient.stderr).toContain('An agent presents tools to its model itself.');
  expect(asClient.stderr).not.toContain('servers add');
  const tasks = await evaluate([
    ...['--suite', at('tasks.json'), '--agent', at('agent.yaml'), '--client', 'codex'],
  ]);
  expect(tasks.code).toBe(2);
  expect(tasks.stderr).toContain('An agent presents tools to its model itself.');
  const unknown = await evaluate(['--suite', at('cases.json'), '--agent', 'nobody']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('--agent nobody: There is no such agent and no such file.');
});

it.each(['agent.yaml', 'acp.yaml'])(
  '%s executes nothing in full without the consent of the person',
  async (agent) => {
    const args = ['--suite', at('tasks.json'), '--agent', at(agent), '--execute', 'full'];
    const { code, stdout, stderr } = await evaluate(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Give --yes to agree, or another execution mode.');
  },
);

it('an agent is tried without a tool; another client can’t present tools to it then either', async () => {
  const { stdout } = await evaluate(['--suite', at('cases.json'), '--agent', at('agent.yaml')]);
  const { evaluation_id: id } = JSON.parse(stdout) as { evaluation_id: string };
  const tried = (...args: string[]) =>
    runCommand(['what-if', id, ...args, '--json'], { workspace: at('workspace') });
  const without = await tried('--without', 'todo:add_task');
  expect(without.code, without.stderr).toBe(0);
  expect(JSON.parse(without.stdout)).toMatchObject({
    flipped: [{ case_id: 'add', before: 'right', after: 'wrong' }],
  });
  const asClient = await tried('--client', 'codex');
  expect(asClient.code).toBe(2);
  expect(asClient.stderr).toContain('An agent presents tools to its model itself.');
});

it('a check plays an agent; that of a pull request can’t where keys are set', async () => {
  writeFileSync(
    at('touchstone.yaml'),
    JSON.stringify({
      version: 1,
      suite: 'cases.json',
      models: [{ provider: 'agent', agent: 'agent.yaml' }],
      thresholds: { min: { pass_rate: 0.5 } },
    }),
  );
  const own = await runCommand(['check', '--config', at('touchstone.yaml')], {
    workspace: at('workspace'),
  });
  expect(own.code, own.stderr).toBe(0);
  const { code, stderr } = await runCommand(['check', '--config', at('touchstone.yaml')], {
    workspace: at('workspace'),
    env: { GITHUB_EVENT_NAME: 'pull_request', OPENAI_API_KEY: 'sk-some-key-of-a-check' },
  });
  expect(code).toBe(2);
  expect(stderr).toContain('It names agent agent.yaml');
});
