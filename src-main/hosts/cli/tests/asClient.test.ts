import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientNames, foundText } from '../../../../src-shared/display/clientTexts.ts';
import { clientIds, type ClientId } from '../../../../src-shared/domain/clientFacts.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { present } from '../../../presentation/present.ts';
import { factsOf, readClientFacts } from '../../../services/clients/clientViews.ts';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const title = { type: 'string', description: 'What is to be done.', minLength: 3 };
const schemaOf = (properties: JsonObject): JsonObject => ({
  ...{ type: 'object', properties, required: ['title'] },
});
const tools = [
  { server: 'todo', name: 'add_task', input_schema: schemaOf({ title }) },
  { server: 'todo', name: 'find-task', input_schema: schemaOf({ title, at: title }) },
  // Some clients show no tool of a server that names a parameter so.
  { server: 'done', name: 'end_task', input_schema: schemaOf({ title, constructor: title }) },
].map((tool) => ({
  ...tool,
  description: `${tool.name}. ${'It has a long description. '.repeat(100)}`,
}));
const servers = ['todo', 'done'].map((name) => ({
  ...{ name, instructions: null },
  tools: tools
    .filter(({ server }) => server === name)
    .map(({ name: tool, description, input_schema: inputSchema }) => ({
      ...{ name: tool, description, inputSchema },
    })),
}));
const caseOf = (server: string, tool: string) => ({
  ...{ id: tool, name: tool, query: tool },
  expected_calls: [{ server, tool, parameters: { title: 'milk' } }],
});

let folder: TemporaryFolder;
let models: FakeModelServer;
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  models = await startFakeModelServer({
    // Under whatever name, the tool of the query is called, with what only Gemini CLI's tools have.
    rule: ({ query, toolNames, results }) => {
      if (query.endsWith('.') && results.length > 0) return { does: 'answer', text: 'Done.' };
      const [asked = '', user] = query.replace(/\.$/, '').split(' ');
      const name = toolNames.find((each) => each.replaceAll('-', '_').includes(asked));
      const extra: JsonObject =
        name?.startsWith('mcp_todo') === true || name?.startsWith('mcp_done') === true
          ? { wait_for_previous: true }
          : {};
      return name === undefined
        ? { does: 'answer', text: 'No tool does that.' }
        : {
            does: 'answer',
            calls: [
              { name, arguments: { title: 'milk', ...extra, ...(user && { user_id: user }) } },
            ],
          };
    },
  });
  writeFileSync(at('tools.json'), JSON.stringify({ tools }));
  writeFileSync(
    at('suite.json'),
    JSON.stringify({
      version: 1,
      name: 'As a client',
      servers: ['todo', 'done'],
      cases: [caseOf('todo', 'add_task'), caseOf('done', 'end_task')],
    }),
  );
});
afterAll(async () => {
  await models[Symbol.asyncDispose]();
  await folder.remove();
});

async function evaluate(name: string, ...more: string[]): Promise<Ended> {
  return await runCommand(
    [
      ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--retries', '0'],
      ...['--provider', 'openai-compatible', '--model', 'fake-model', '--arguments-mode', 'exact'],
      ...['--base-url', `${models.origin}/v1`, '--report', at(`${name}.json`), ...more],
    ],
    { workspace: at('workspace') },
  );
}
interface Report {
  settings: { client?: string };
  verdict: { passed: number; failed: number };
  sent_tools: { left_out: { tool_id: string; reason: string }[] }[];
  runs: { case_id: string; outcome: string }[];
}
const report = (name: string): Report =>
  JSON.parse(readFileSync(at(`${name}.json`), 'utf8')) as Report;

/** The tools of the last request, as its model read them. */
const asked = (): unknown[] =>
  (models.requests.at(-1)?.body['tools'] as { function: JsonObject }[]).map(
    ({ function: { name, description, parameters } }) => [name, description, parameters],
  );

describe('an evaluation as a client', () => {
  it('knows the clients of the facts, each by its name', () => {
    expect(readClientFacts().map(({ id, name }) => [id, name])).toEqual(
      clientIds.map((id) => [id, clientNames[id]]),
    );
  });

  it.each(clientIds.map((id): [ClientId] => [id]))(
    'sends a model what %s shows it, and maps its names and arguments back',
    async (id) => {
      const { code, stderr } = await evaluate(id, '--client', id);
      expect(stderr).not.toContain('not scored');
      expect(code).toBe(0);
      const { offered } = present(servers, factsOf(id));
      expect(JSON.stringify(asked())).toBe(
        JSON.stringify(
          offered.map(({ namespace, wireName, description, schema, from }) => [
            namespace === null ? wireName : `${namespace}__${wireName}`,
            description,
            (from ?? { schema }).schema,
          ]),
        ),
      );
      const notes = stderr.split('\n').filter((line) => line.includes("doesn't search"));
      expect(notes.every((line) => line.includes(foundText(factsOf(id))))).toBe(true);
      expect(notes).toHaveLength(foundText(factsOf(id)) === '' ? 0 : 1);
      const hidden = offered.every(({ tool }) => tool !== 'end_task');
      expect(report(id)).toMatchObject({
        settings: { client: id },
        verdict: { passed: hidden ? 1 : 2, failed: hidden ? 1 : 0 },
      });
      const verified = await runCommand(['verify', at(`${id}.json`)], {
        workspace: at('workspace'),
      });
      expect(verified.stdout + verified.stderr).toMatch(/agree|verified|match/i);
      expect(verified.code).toBe(0);
    },
  );

  it('says which facts are assumed of a client that is known from its documentation', async () => {
    const { code, stderr } = await evaluate('assumed', '--client', 'cursor');
    expect(code).toBe(0);
    expect(stderr).toContain(
      'Cursor. Not documented, and assumed to be as the server sends them: names, order, descriptions, schemas, hidden tools, and instructions. The result is not what Cursor would get.',
    );
    const exported = await evaluate('assumed', '--client', 'cursor', '--report', at('assumed.md'));
    expect(exported.code).toBe(0);
    expect(readFileSync(at('assumed.md'), 'utf8')).toContain('Cursor. Not documented, and assumed');
  });

  it('fails a case whose tool is hidden, and says which client hides it and why', () => {
    const { runs, sent_tools: sent } = report('claude-code');
    expect(runs.map((run) => [run.case_id, run.outcome])).toEqual([
      ['add_task', 'passed'],
      ['end_task', 'no_tool_called'],
    ]);
    expect(sent[0]?.left_out).toEqual([
      {
        tool_id: 'done:end_task',
        reason:
          'Claude Code leaves it out: a parameter is named "constructor". Give it another name.',
      },
    ]);
  });

  it('asks with the same bytes as before where no client, or generic, is given', async () => {
    await evaluate('none');
    const before = JSON.stringify(models.requests.at(-1)?.body);
    await evaluate('generic', '--client', 'generic');
    expect(JSON.stringify(models.requests.at(-1)?.body)).toBe(before);
    expect(report('generic').settings).toEqual(report('none').settings);
    expect(report('generic').settings).not.toHaveProperty('client');
  });

  it('compares two clients, and names the client as what differs', async () => {
    const compared = await runCommand(['compare', at('none.json'), at('claude-code.json')], {
      workspace: at('workspace'),
    });
    expect(compared.stdout + compared.stderr).toContain(
      'client: as providers take them → Claude Code',
    );
  });

  it('merges its parts into the result of the whole', async () => {
    for (const part of [1, 2])
      await evaluate(`part-${part}`, '--client', 'gemini-cli', '--shard', `${part}/2`);
    const merged = await runCommand(
      ['merge', at('part-1.json'), at('part-2.json'), '--report', at('merged.json')],
      { workspace: at('workspace') },
    );
    expect(merged.code, merged.stderr).toBe(0);
    const [one, whole] = [report('merged'), report('gemini-cli')];
    expect(one).toMatchObject({
      ...{ settings: { client: 'gemini-cli' }, verdict: whole.verdict },
      sent_tools: whole.sent_tools.map(({ left_out: out }) => ({ left_out: out })),
    });
    expect(one.runs.map((run) => [run.case_id, run.outcome])).toEqual(
      whole.runs.map((run) => [run.case_id, run.outcome]),
    );
  });

  it('runs as several clients and compares them: rates with n, hidden tools and cut descriptions', async () => {
    const ended = await evaluate('several', '--client', 'codex,claude-code');
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('Client claude-code')]);
    const [head = '', ...rows] = (ended.stdout.split(/\n\n(?=client )/)[1] ?? '').split('\n');
    expect(head.trim().split(/ {2,}/)).toEqual([
      ...['client', 'result', 'model', 'passed', 'tools hidden', 'descriptions cut'],
    ]);
    const model = `openai-compatible · fake-model (${models.origin}/v1)`;
    expect(rows.slice(0, 2).map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['Codex', 'Codex', model, '100% (too few to say, n 2)', '0', '0'],
      ['Claude Code', 'Claude Code', model, '50% (too few to say, n 2)', '1', '2'],
    ]);
    // The case that broke names its client as the cause.
    expect(ended.stdout).toContain('Biggest cause: end_task is hidden by Claude Code in 1 case.');
    expect(ended.stdout).toContain('called no tool (hidden by Claude Code)');
    expect(ended.stderr).not.toContain('Check ');
    expect(report('several-claude-code').settings).toEqual({
      ...report('several-codex').settings,
      client: 'claude-code',
    });
    expect(JSON.parse(readFileSync(at('several.json'), 'utf8'))).toMatchObject({
      format: 'touchstone-comparison',
      clients: [
        { client: 'codex', passed: { value: 1, n: 2 }, hidden: 0, cut: 0 },
        { client: 'claude-code', passed: { value: 0.5, n: 2 }, hidden: 1, cut: 2 },
      ],
    });
    // Reports of clients compare alike.
    const compared = await runCommand(
      ['compare', at('several-codex.json'), at('several-claude-code.json'), '--json'],
      { workspace: at('workspace') },
    );
    expect(JSON.parse(compared.stdout)).toMatchObject({
      clients: [{ client: 'codex' }, { client: 'claude-code', hidden: 1, cut: 2 }],
    });
    const verified = await runCommand(['verify', at('several.json')], {
      workspace: at('workspace'),
    });
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringContaining('agree with its rows'),
    ]);
  });

  it('refuses a client that it doesn’t know among several, before any model is asked', async () => {
    const before = models.requests.length;
    const { code, stderr } = await evaluate('unknown', '--client', 'codex,claude');
    expect([code, models.requests.length]).toEqual([2, before]);
    expect(stderr).toContain('--client claude: Unknown value. Did you mean claude-code?');
  });

  it('starts no client if a later one can’t be evaluated, and names it with the cause', async () => {
    const before = models.requests.length;
    mkdirSync(at('blocked-claude-code.json'));
    const { code, stderr } = await evaluate('blocked', '--client', 'codex,claude-code');
    expect([code, models.requests.length]).toEqual([2, before]);
    expect(stderr).toContain("Claude Code can't be evaluated, so no client was:");
    expect(stderr).toContain(at('blocked-claude-code.json'));
  });

  it('checks as the clients of a project file, and fails if one of them fails', async () => {
    writeFileSync(
      at('several.yaml'),
      JSON.stringify({
        ...{ version: 1, suite: 'suite.json', tools: 'tools.json' },
        models: [
          { provider: 'openai-compatible', model: 'fake-model', base_url: `${models.origin}/v1` },
        ],
        client: ['generic', 'claude-code'],
        thresholds: { min: { pass_rate: 0.9 } },
      }),
    );
    const given = ['check', '--config', at('several.yaml'), '--json'];
    const { code, stdout } = await runCommand(given, { workspace: at('workspace') });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      comparison: { clients: [{ client: 'generic' }, { client: 'claude-code' }] },
      check: {
        clients: [
          { name: 'generic', result: 'passed' },
          { name: 'claude-code', result: 'failed' },
        ],
      },
    });
    const against = await runCommand([...given, '--against', at('none.json')], {
      workspace: at('workspace'),
    });
    expect(against.code).toBe(2);
    expect(against.stderr).toContain('A baseline is compared with one client. Give one');
  });

  it('tries a client on an ended evaluation, and takes it back', async () => {
    const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });
    await run('suite', 'import', at('suite.json'));
    const tried = ['--suite', 'As a client', '--tools', at('tools.json'), '--provider', 'builtin'];
    const { stdout } = await run('eval', ...tried, '--json');
    const { number } = JSON.parse(stdout) as { number: number };
    for (const [base, client, words] of [
      [number, 'claude-code', 'tools presented as Claude Code'],
      [number + 1, 'generic', 'tools presented as the provider takes them'],
    ] as const) {
      const ended = await run('what-if', String(base), '--client', client);
      expect(ended.code).toBe(0);
      expect(ended.stdout).toContain(`#${base + 1}: #${base} ${words}`);
    }
    const byClient = await run('compare', String(number), String(number + 1), '--json');
    expect(JSON.parse(byClient.stdout)).toMatchObject({
      clients: [
        { client: 'generic', hidden: 0, cut: 0 },
        { client: 'claude-code', hidden: 1, cut: 2 },
      ],
    });
    // What is presented as it was is the first result again.
    const compared = await run('compare', String(number), String(number + 2));
    expect(compared.stdout).toContain('Regressed 0 · fixed 0');
  });
});

describe('tasks as a client', () => {
  const task = (tool: string) => ({
    ...{ id: tool, name: tool, turns: [`${tool}.`] },
    checks: [
      {
        calls: {
          must: [{ tool, arguments: { title: 'milk' } }],
          never: [{ tool, arguments: { wait_for_previous: true } }],
        },
      },
    ],
  });
  interface TaskReport {
    settings: { client?: string };
    models: { conditions: Record<string, unknown> }[];
    sent_tools: { left_out: { tool_id: string; reason: string }[] }[];
    runs: { task: string; outcome: string }[];
    causes: { did: unknown }[];
  }
  const read = (name: string): TaskReport =>
    JSON.parse(readFileSync(at(`${name}.json`), 'utf8')) as TaskReport;

  beforeAll(() => {
    writeFileSync(
      at('tasks.json'),
      JSON.stringify({
        ...{ version: 1, name: 'Tasks as a client', servers: ['todo', 'done'] },
        cases: [task('add_task'), task('end_task')],
      }),
    );
  });
  const play = (name: string, ...more: string[]): Promise<Ended> =>
    evaluate(name, '--suite', at('tasks.json'), ...more);

  it('offers what Gemini CLI shows, keeps its own argument from the calls, and verifies', async () => {
    const { code, stderr } = await play('tasks-gemini', '--client', 'gemini-cli');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('not scored')]);
    const { offered } = present(servers, factsOf('gemini-cli'));
    expect(JSON.stringify(asked())).toBe(
      JSON.stringify(
        offered.map(({ wireName, description, schema }) => [wireName, description, schema]),
      ),
    );
    const { settings, models: played, sent_tools: sent, runs } = read('tasks-gemini');
    expect(settings.client).toBe('gemini-cli');
    expect(played[0]?.conditions).toMatchObject({ client: 'gemini-cli' });
    expect(runs.map((run) => [run.task, run.outcome])).toEqual([
      ['add_task', 'succeeded'],
      ['end_task', 'check_failed'],
    ]);
    // No choice of the model is at fault.
    expect(read('tasks-gemini').causes.map(({ did }) => did)).toEqual([
      expect.objectContaining({ kind: 'hidden_tool', tool: 'done:end_task' }),
    ]);
    expect(sent[0]?.left_out).toEqual([
      { tool_id: 'done:end_task', reason: expect.stringContaining('Gemini CLI leaves it out') },
    ]);
    const verified = await runCommand(['verify', at('tasks-gemini.json')], {
      workspace: at('workspace'),
    });
    expect(verified.code).toBe(0);
  });

  it('executes calls in the full mode without what only the client knows', async () => {
    writeFileSync(
      at('full.json'),
      JSON.stringify({
        ...{ version: 1, name: 'In full', servers: ['todo'] },
        cases: [
          {
            ...{ id: 'add', name: 'add', turns: ['add_task u-1.'] },
            checks: [
              {
                state: {
                  ...{ server: 'todo', tool: 'list_tasks', arguments: { user_id: 'u-1' } },
                  ...{ at: '/tasks', contains: { title: 'milk' } },
                },
              },
              { calls: { never: [{ tool: 'add_task', arguments: { wait_for_previous: true } }] } },
            ],
          },
        ],
      }),
    );
    const { code, stderr } = await runCommand(
      [
        ...['eval', '--suite', at('full.json'), '--provider', 'openai-compatible'],
        ...['--model', 'fake-model', '--base-url', `${models.origin}/v1`, '--execute', 'full'],
        ...['--yes', '--client', 'gemini-cli', '--report', at('full-report.json')],
      ],
      { workspace: at('workspace') },
    );
    expect(code, stderr).toBe(0);
    expect(read('full-report').settings.client).toBe('gemini-cli');
    expect(read('full-report').runs.map(({ outcome }) => outcome)).toEqual(['succeeded']);
    // The client's name and argument reached the model, or nothing was left out.
    expect(JSON.stringify(asked())).toContain('"mcp_todo_add_task"');
    expect(JSON.stringify(asked())).toContain('wait_for_previous');
  });

  it('merges its parts into the result of the whole', async () => {
    await play('tasks-whole', '--client', 'gemini-cli');
    for (const part of [1, 2])
      await play(`tasks-${part}`, '--client', 'gemini-cli', '--shard', `${part}/2`);
    const merged = await runCommand(
      ['merge', at('tasks-1.json'), at('tasks-2.json'), '--report', at('tasks-merged.json')],
      { workspace: at('workspace') },
    );
    expect(merged.code, merged.stderr).toBe(0);
    const [one, whole] = [read('tasks-merged'), read('tasks-whole')];
    const facts = (report: TaskReport) => ({
      client: report.settings.client,
      runs: report.runs.map((run) => [run.task, run.outcome]),
      sent: report.sent_tools.map(({ left_out: out }) => out),
      causes: report.causes.map(({ did }) => did),
    });
    expect(facts(one)).toEqual(facts(whole));
    expect(one.settings.client).toBe('gemini-cli');
    const verified = await runCommand(['verify', at('tasks-merged.json')], {
      workspace: at('workspace'),
    });
    expect(verified.code, verified.stdout).toBe(0);
  });

  it('runs as several clients and compares their success rates', async () => {
    const ended = await play('tasks-several', '--client', 'cline,gemini-cli', '--json');
    expect(ended.code, ended.stderr).toBe(0);
    const { comparison } = JSON.parse(ended.stdout) as { comparison: object };
    expect(comparison).toMatchObject({
      clients: [
        { client: 'cline', passed: { value: 1, n: 2 }, hidden: 0 },
        { client: 'gemini-cli', passed: { value: 0.5, n: 2 }, hidden: 1 },
      ],
    });
  });

  it('compares tasks of two clients, and names the client as what differs', async () => {
    await play('tasks-none');
    expect(read('tasks-none').runs.map(({ outcome }) => outcome)).toEqual([
      'succeeded',
      'succeeded',
    ]);
    const compared = await runCommand(['compare', at('tasks-none.json'), at('tasks-gemini.json')], {
      workspace: at('workspace'),
    });
    expect(compared.stdout + compared.stderr).toContain('client: ');
  });

  it('tries a client on ended tasks', async () => {
    const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });
    await run('suite', 'import', at('tasks.json'));
    const ended = await run(
      ...['eval', '--suite', 'Tasks as a client', '--tools', at('tools.json')],
      ...['--provider', 'builtin', '--json'],
    );
    const { number } = JSON.parse(ended.stdout) as { number: number };
    const tried = await run('what-if', String(number), '--client', 'claude-code');
    expect([tried.code, tried.stderr]).toEqual([0, expect.any(String)]);
    expect(tried.stdout + tried.stderr).toContain('tools presented as Claude Code');
  });
});
