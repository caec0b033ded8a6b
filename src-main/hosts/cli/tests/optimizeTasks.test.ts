import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantDamage } from '../../../optimize/planted.fixture.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);

/** Six tools with a sentence of their neighbor; a task and, of two of them, a case for each. */
beforeAll(async () => {
  folder = await temporaryFolder();
  const { damaged, cases } = plantDamage();
  const tools = [...damaged.slice(0, 6), ...damaged.slice(24)];
  const names = new Set(damaged.slice(0, 6).map(({ name }) => name));
  const requests = cases.flatMap(({ id, query, expectedCalls: [call] }) =>
    call !== undefined && 'tool' in call && names.has(call.tool)
      ? [{ id, query, tool: call.tool }]
      : [],
  );
  await writeFile(
    at('tools.json'),
    JSON.stringify({
      tools: tools.map(({ server, name, description, inputSchema }) => ({
        server,
        name,
        description,
        inputSchema,
      })),
    }),
  );
  const tasks = requests.map(({ id, query, tool }) => ({
    id: `task-${id}`,
    name: id,
    turns: [query],
    checks: [{ calls: { must: [tool] } }],
  }));
  const suite = { version: 1, name: 'planted', servers: ['office'] };
  await writeFile(at('tasks.json'), JSON.stringify({ ...suite, cases: tasks }));
  await writeFile(
    at('both.json'),
    JSON.stringify({
      ...suite,
      cases: [
        ...requests.slice(0, 16).map(({ id, query, tool }) => ({
          id,
          name: id,
          query,
          expected_calls: [{ server: 'office', tool }],
        })),
        ...tasks,
      ],
    }),
  );
});
afterAll(() => folder.remove());

const optimize = (suite: string, ...more: string[]) =>
  runCommand(
    [
      ...['optimize', '--suite', at(suite), '--tools', at('tools.json')],
      ...['--provider', 'builtin', '--json', ...more],
    ],
    { workspace: at('workspace') },
  );

interface Answer {
  status: string;
  unit: string;
  result: { cases: number; passedBefore: number; passedAfter: number } | null;
}

describe('touchstone optimize on tasks', () => {
  it('proves a better success rate of a suite that has only tasks, and writes the patch', async () => {
    const { code, stdout, stderr } = await optimize('tasks.json', '--markdown', at('pr.md'));
    expect(code, stderr).toBe(0);
    const { status, unit, result } = JSON.parse(stdout) as Answer;
    expect({ status, unit }).toEqual({ status: 'accepted', unit: 'task' });
    expect(result?.passedAfter).toBeGreaterThan(result?.passedBefore ?? Infinity);
    expect(stderr).toContain('Running all tasks with the tools as they are.');
    expect(stderr).toMatch(/\d+ tasks to search with, \d+ tasks to prove with/u);
  });

  it('searches on the cases of a suite with both, and on its tasks with --only tasks', async () => {
    const budget = ['--steps', '2'];
    const cases = await optimize('both.json', ...budget);
    expect(JSON.parse(cases.stdout)).toMatchObject({ unit: 'case' });
    const tasks = await optimize('both.json', '--only', 'tasks', ...budget);
    expect(JSON.parse(tasks.stdout)).toMatchObject({ unit: 'task' });
  });

  it('refuses to execute tools without consent, of a file, or for cases', async () => {
    const todo = [
      ...['optimize', '--suite', 'todo-tasks', '--provider', 'builtin', '--execute', 'full'],
    ];
    await writeFile(
      at('todo.json'),
      JSON.stringify({
        version: 1,
        name: 'todo-tasks',
        servers: ['todo'],
        cases: [
          { id: 'a', name: 'a', turns: ['Add milk'], checks: [{ calls: { must: ['add_task'] } }] },
        ],
      }),
    );
    const workspace = { workspace: at('other') };
    const unasked = await runCommand(
      todo.map((word) => (word === 'todo-tasks' ? at('todo.json') : word)),
      workspace,
    );
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('--execute full: It executes every tool that a model calls');
    expect(unasked.stderr).toContain('Every candidate repeats that. Give --yes to agree');
    const ofFile = await optimize('tasks.json', '--execute', 'full', '--yes');
    expect(ofFile.code).toBe(2);
    expect(ofFile.stderr).toContain("Tools of a file can't be executed.");
    const ofCases = await optimize('both.json', '--execute', 'read-only');
    expect(ofCases.code).toBe(2);
    expect(ofCases.stderr).toContain('--execute and --yes apply to tasks.');
  });
});
