import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientNames } from '../../../../src-shared/display/clientTexts.ts';
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
      const asked = query.replace(/\.$/, '');
      const name = toolNames.find((each) => each.replaceAll('-', '_').includes(asked));
      const extra: JsonObject =
        name?.startsWith('mcp_todo') === true || name?.startsWith('mcp_done') === true
          ? { wait_for_previous: true }
          : {};
      return name === undefined
        ? { does: 'answer', text: 'No tool does that.' }
        : { does: 'answer', calls: [{ name, arguments: { title: 'milk', ...extra } }] };
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
          offered.map(({ namespace, wireName, description, schema }) => [
            namespace === null ? wireName : `${namespace}__${wireName}`,
            description,
            schema,
          ]),
        ),
      );
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
    60_000,
  );

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
    expect(compared.stdout + compared.stderr).toContain('client: ');
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
    expect(sent[0]?.left_out).toEqual([
      { tool_id: 'done:end_task', reason: expect.stringContaining('Gemini CLI leaves it out') },
    ]);
    const verified = await runCommand(['verify', at('tasks-gemini.json')], {
      workspace: at('workspace'),
    });
    expect(verified.code).toBe(0);
  }, 60_000);

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
  }, 60_000);

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
  }, 60_000);
});
