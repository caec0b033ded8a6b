import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]): Promise<Ended> => runCommand(args, { workspace: at('workspace') });
const json = async (...args: string[]): Promise<unknown> => {
  const ended = await run(...args, '--json');
  expect(ended.code, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout);
};
const call = (...tools: string[]) =>
  tools.length === 1
    ? { server: 's', tool: tools[0] }
    : { any_of: tools.map((tool) => ({ server: 's', tool })) };

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(
    at('suite.json'),
    JSON.stringify({
      version: 1,
      name: 'mine',
      servers: ['s'],
      cases: [
        { id: 'one', name: 'One', query: 'find it', tags: ['t'], expected_calls: [call('find')] },
        { id: 'two', name: 'Two', query: 'show it', expected_calls: [call('show', 'find')] },
        { id: 'none', name: 'None', query: 'hello', expected_calls: [] },
      ],
    }),
  );
  await json('suite', 'import', at('suite.json'));
});
afterAll(() => folder.remove());

describe('a suite on the command line', () => {
  it('is shown with what each case accepts', async () => {
    expect(await json('suite', 'show', 'mine')).toMatchObject({
      name: 'mine',
      servers: ['s'],
      cases: [
        { id: 'one', query: 'find it', tags: ['t'], expected_calls: [['s:find']] },
        { id: 'two', expected_calls: [['s:show', 's:find']] },
        { id: 'none', expected_calls: [] },
      ],
      tasks: [],
    });
    const { stdout } = await run('suite', 'show', 'mine');
    expect(stdout).toMatch(/^mine: 3 cases\n/);
    expect(stdout).toMatch(/^two +Two +s:show or s:find$/m);
    expect(stdout).toMatch(/^none +None +no tool$/m);
  });

  it('is renamed with its cases and removed, and what does not exist is refused', async () => {
    const { id } = (await json('suite', 'show', 'mine')) as { id: string };
    expect(await json('suite', 'rename', 'mine', 'other')).toEqual({ id, name: 'other' });
    expect(await json('suite', 'show', 'other')).toMatchObject({ id, cases: [{}, {}, {}] });
    const taken = await run('suite', 'rename', 'other', 'todo-sample');
    expect([taken.code, taken.stdout]).toEqual([2, '']);
    expect(await json('suite', 'remove', 'other')).toEqual({
      removed: 'other',
      cases: 3,
      tasks: 0,
    });
    for (const action of ['show', 'remove']) {
      const gone = await run('suite', action, 'other');
      expect([gone.code, gone.stderr]).toEqual([
        2,
        expect.stringContaining("Suite other: It isn't in the workspace.") as string,
      ]);
    }
    await json('suite', 'import', at('suite.json'));
  });
});

it('a price of your own is deleted, and only such a one', async () => {
  await json('models', 'prices', '--set', 'openai-compatible:local=1,2');
  const priced = async (...more: string[]) => {
    const { prices } = (await json('models', 'prices', ...more)) as { prices: { model: string }[] };
    return prices.some(({ model }) => model === 'local');
  };
  expect(await priced()).toBe(true);
  expect(await priced('--remove', 'openai-compatible:local')).toBe(false);
  for (const [name, says] of [
    ['openai-compatible:local', 'You set no price for it.'],
    ['nobody:local', 'Unknown value.'],
  ] as const) {
    const refused = await run('models', 'prices', '--remove', name);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(says) as string]);
  }
});
