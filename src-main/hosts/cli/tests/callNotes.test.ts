import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let server: FakeModelServer;
const at = (name: string) => join(folder.path, name);
const name = 's__ping<|channel|>commentary';
const note =
  `The name came as ${JSON.stringify(name)}. ` + 'The arguments came as "" and were read as {}.';

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({
    rule: ({ body }) => {
      const messages = body['messages'] as { role: string; content: unknown }[];
      const calls = JSON.stringify(messages).includes('odd')
        ? [{ id: 'c', type: 'function', function: { name, arguments: '' } }]
        : [{ id: 'c', type: 'function', function: { name: 's__ping', arguments: '{}' } }];
      const isDone = messages.some(({ role }) => role === 'tool');
      const message = isDone ? { content: 'Done.' } : { content: null, tool_calls: calls };
      return {
        does: 'http',
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }),
      };
    },
  });
  const calls = [{ server: 's', tool: 'ping' }];
  const cases = ['odd', 'plain'].map((id) => ({ id, name: id, query: id, expected_calls: calls }));
  const tasks = ['odd', 'plain'].map((id) => ({
    id,
    name: id,
    turns: [id],
    checks: [{ calls: { must: ['ping'], ordered: false, never: [] } }],
  }));
  const suite = (entries: object[]) =>
    JSON.stringify({ version: 1, name: 's', servers: ['s'], cases: entries });
  await writeFile(at('cases.suite.json'), suite(cases));
  await writeFile(at('tasks.suite.json'), suite(tasks));
  const tool = { server: 's', name: 'ping', description: 'P.', input_schema: { type: 'object' } };
  await writeFile(at('tools.json'), JSON.stringify({ tools: [tool] }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

it.each(['cases', 'tasks'])(
  'names in JSON and CSV what of the calls of %s was read otherwise',
  async (kind) => {
    const workspace = at(kind);
    const [json, csv] = [at(`${kind}.json`), at(`${kind}.csv`)];
    const ended = await runCommand(
      [
        ...['eval', '--suite', at(`${kind}.suite.json`), '--tools', at('tools.json')],
        ...['--provider', 'openai-compatible', '--base-url', `${server.origin}/v1`],
        ...['--model', 'm', '--report', json, '--report', csv],
      ],
      { workspace },
    );
    expect(ended.code, ended.stderr).toBe(0);
    const { runs } = JSON.parse(await readFile(json, 'utf8')) as {
      runs: { name: string; call_notes?: string[] }[];
    };
    expect(runs.map((run) => [run.name, run.call_notes ?? []])).toEqual([
      ['odd', [note]],
      ['plain', []],
    ]);
    const lines = (await readFile(csv, 'utf8')).split(/\r?\n/);
    expect(lines[0]?.split(',')).toContain('call_notes');
    expect(lines.filter((line) => line.includes('were read as {}.'))).toHaveLength(1);
    const verified = await runCommand(['verify', json], { workspace });
    expect(verified.code, verified.stdout).toBe(0);
  },
);

it.each([
  ['""', ['The arguments came as "" and were read as {}.']],
  ['null', ['The arguments came as null and were read as {}.']],
  ['"null"', ['The arguments came as "null" and were read as {}.']],
  ['{}', undefined],
  ['"{}"', undefined],
])('names in a scored line that arguments came as %s', async (given, notes) => {
  const line = `{"id":"a","tools":[{"name":"t"}],"expected_calls":[{"name":"t"}],"actual_calls":[{"name":"t","arguments":${given}}]}`;
  const { stdout } = await runCommand(['score', '--input', '-'], {
    workspace: at('score'),
    input: line,
  });
  expect((JSON.parse(stdout) as { call_notes?: string[] }).call_notes).toEqual(notes);
});
