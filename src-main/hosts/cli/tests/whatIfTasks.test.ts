import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const suite = `version: 1
name: what-if-tasks
servers: [todo]
cases:
  - { id: add, name: Add, turns: ['Add a task "Tea" for user u-1.'], checks: [{ calls: { must: [add_task] } }, { answer: { $contains: Tea } }] }
  - { id: list, name: List, turns: ['List the tasks of user u-1.'], checks: [{ calls: { must: [list_tasks] } }] }
`;
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

interface Answer {
  mode: string;
  number: number;
  status: string;
  flipped: { case_id: string; before: string; after: string }[];
  shared_tasks: number;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('s.yaml'), suite);
  await run('suite', 'import', at('s.yaml'));
  const ended = await run(
    ...['eval', '--suite', 'what-if-tasks', '--provider', 'builtin', '--execute', 'full', '--yes'],
  );
  expect([ended.code, ended.stderr, ended.stdout]).toEqual([
    0,
    expect.any(String),
    expect.stringContaining('2 of 2 tasks'),
  ]);
});
afterAll(() => folder.remove());

describe('what-if on an evaluation of tasks', () => {
  it('executes nothing by default, and answers with the recorded results', async () => {
    writeFileSync(
      at('o.json'),
      JSON.stringify({ 'todo:list_tasks': { description: 'Lists the tasks of a user.' } }),
    );
    const same = await run('what-if', '1', '--override', at('o.json'), '--json');
    expect([same.code, same.stderr]).toEqual([0, expect.any(String)]);
    const answer = JSON.parse(same.stdout) as Answer;
    // The answer quotes the title, which only the recorded result of the call holds.
    expect(answer).toMatchObject({
      mode: 'stub',
      status: 'completed',
      flipped: [],
      shared_tasks: 2,
    });
    const shown = await run('eval', '--resume', 'latest', '--only', 'tasks', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ number: 1, mode: 'full' });
  });

  it('compares success task by task', async () => {
    const without = await run('what-if', '1', '--without', 'todo:add_task', '--json');
    const { flipped } = JSON.parse(without.stdout) as Answer;
    expect(flipped).toMatchObject([{ case_id: 'add', before: 'right', after: 'wrong' }]);
    // An ID names the evaluation as well as its number does.
    const listed = await run('evaluations', 'show', '1', '--json');
    const { evaluation_id: id } = JSON.parse(listed.stdout) as { evaluation_id: string };
    const text = await run('what-if', id, '--without', 'todo:list_tasks');
    expect(text.stdout).toMatch(/list +right +wrong/);
  });

  it('raises the mode only with the consent of the person', async () => {
    const full = ['what-if', '1', '--without', 'todo:update_task', '--execute', 'full'];
    const refused = await run(...full);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Give --yes')]);
    const agreed = await run(...full, '--yes', '--json');
    expect(JSON.parse(agreed.stdout)).toMatchObject({ mode: 'full', flipped: [] });
  });

  it('keeps the names of tools, which servers execute', async () => {
    const renamed = await run('what-if', '1', '--rename', 'todo:add_task=create');
    expect([renamed.code, renamed.stderr]).toEqual([
      2,
      expect.stringContaining('can’t be renamed'),
    ]);
    const cases = await run('what-if', '9', '--without', 'todo:add_task');
    expect(cases.code).toBe(2);
  });
});
