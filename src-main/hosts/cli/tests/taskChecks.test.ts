import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

interface Run {
  task: string;
  outcome: string;
  reason: string | null;
  checks: { id: string; passed: boolean | null; reason: string }[];
  differences: object[];
  partial_credit: number | null;
  tool_calls: number;
}
interface Report {
  runs: Run[];
  tasks: object;
}

const add = 'Add a task "Buy milk" for user u-1.';
/** Runs tasks of one turn each with the offline model on the bundled Todo server. */
async function played(
  tasks: Record<string, object[] | { checks: object[]; solution?: object[] }>,
  common: object = {},
  options: readonly string[] = [],
) {
  const cases = Object.entries(tasks).map(([id, own]) => ({
    ...{ id, name: id, turns: [add] },
    ...common,
    ...(Array.isArray(own) ? { checks: own } : own),
  }));
  writeFileSync(at('s.yaml'), stringify({ version: 1, name: 'checked', servers: ['todo'], cases }));
  const ended = await run(
    ...['eval', '--suite', at('s.yaml'), '--provider', 'builtin', '--only', 'tasks'],
    ...['--execute', 'full', '--yes', '--report', at('r.json')],
    ...options,
  );
  const report = JSON.parse(readFileSync(at('r.json'), 'utf8')) as Report;
  return { ended, report, of: (id: string) => report.runs.find(({ task }) => task === id) };
}

describe('answers that are read as JSON or a number', () => {
  it('decide about tasks, and a report says what they looked at', async () => {
    const { of } = await played({
      json: [{ answer: 'Buy milk', read: 'json', at: '/title', message: 'any' }],
      number: [{ answer: 1.2, read: 'number', tolerance: 0.5 }],
      schema: [
        { answer: { $ignore: true }, read: 'json', schema: { type: 'object', required: ['due'] } },
      ],
      unit: [{ answer: 1, read: 'number', unit: 'kg' }],
    });
    expect([of('json')?.outcome, of('number')?.outcome]).toEqual(['succeeded', 'succeeded']);
    expect(of('schema')?.reason).toContain("must have required property 'due'");
    expect(of('unit')).toMatchObject({
      outcome: 'check_failed',
      differences: [{ place: 'a number with the unit kg in the last message', expected: 1 }],
    });
    const verified = await run('verify', at('r.json'));
    expect(verified.code).toBe(0);
  });
});

describe('a reference solution', () => {
  const addTo = (user: string, title: string) => ({
    ...{ server: 'todo', tool: 'add_task' },
    arguments: { user_id: user, title },
  });
  const listOf = (user: string) => ({
    ...{ server: 'todo', tool: 'list_tasks', arguments: { user_id: user } },
    ...{ at: '/tasks', ignore: ['created_at', 'updated_at'] },
  });
  const milk = addTo('u-1', 'Buy milk');
  const own = { id: 'own', end_state: listOf('u-1') };

  it('says which end state is right, on a copy of its own', async () => {
    const { of } = await played(
      {
        same: { checks: [own, { id: 'other', unchanged: listOf('u-2') }], solution: [milk] },
        other: { checks: [own], solution: [addTo('u-1', 'Buy bread')] },
        more: { checks: [own], solution: [milk, milk] },
      },
      { setup: [addTo('u-2', 'Pay rent')] },
    );
    expect(of('same')).toMatchObject({ outcome: 'succeeded' });
    expect(of('other')).toMatchObject({
      outcome: 'check_failed',
      reason: expect.stringContaining('/0/title: expected "Buy bread", got "Buy milk"') as string,
    });
    expect(of('more')?.reason).toContain('expected 2 elements, got 1');
    expect((await run('verify', at('r.json'))).code).toBe(0);
  });

  it('finds that something else changed', async () => {
    const { of } = await played({ changed: { checks: [{ unchanged: listOf('u-1') }] } });
    expect(of('changed')?.reason).toContain('is not as it is before the run');
  });

  it('is tried before a model is asked, and leaves its task unscored if it fails', async () => {
    const { ended, of } = await played({
      error: { checks: [own], solution: [addTo('', 'Buy milk')] },
      fails: { checks: [own, { calls: { must: ['complete_task'] } }], solution: [milk] },
      fine: { checks: [own], solution: [milk] },
    });
    expect(ended.code).toBe(3);
    expect(of('fine')?.outcome).toBe('succeeded');
    expect(of('error')?.reason).toContain('add_task returned an error');
    expect(of('fails')?.reason).toContain("doesn't pass the check check-2");
    for (const id of ['error', 'fails'])
      expect(of(id)).toMatchObject({ outcome: 'not_scored', tool_calls: 0 });
  });

  it('is replayed without a server, with the end state that was recorded', async () => {
    const tasks = { same: { checks: [own], solution: [milk] } };
    await played(tasks, {}, ['--record', at('rec.jsonl')]);
    const replayed = await run(
      ...['eval', '--suite', at('s.yaml'), '--replay', at('rec.jsonl'), '--only', 'tasks'],
      ...['--report', at('r.json')],
    );
    expect(replayed.code).toBe(0);
    const { runs } = JSON.parse(readFileSync(at('r.json'), 'utf8')) as Report;
    expect(runs).toMatchObject([{ outcome: 'succeeded' }]);
  });
});

describe('partial credit', () => {
  it('is the weighted share of the checks that passed, which verify counts again', async () => {
    const called = (tool: string, weight?: number) => ({
      calls: { must: [tool] },
      ...(weight !== undefined && { weight }),
    });
    const { of, report } = await played({
      all: [called('add_task', 2)],
      some: [called('add_task', 3), called('delete_task')],
      none: [called('delete_task')],
    });
    const runs = ['all', 'some', 'none'].map((id) => of(id)?.partial_credit);
    expect(runs).toEqual([1, 0.75, 0]);
    expect(report.tasks).toMatchObject({
      success_rate: { value: 1 / 3 },
      partial_credit: { value: 1.75 / 3, n: 3 },
    });
    expect((await run('verify', at('r.json'))).code).toBe(0);
    writeFileSync(at('forged.json'), JSON.stringify(report).replaceAll('0.75', '0.7'));
    const forged = await run('verify', at('forged.json'));
    expect(forged.code).toBe(1);
    expect(forged.stdout).toContain('partial_credit');
  });
});

describe('calls with arguments and counts', () => {
  const milk = { tool: 'add_task', arguments: { title: { $contains: 'milk' } } };

  it('decide about tasks, and a report says what differs', async () => {
    const { of } = await played({
      right: [{ calls: { must: [{ ...milk, at_most: 1 }], any: ['add_task', 'update_task'] } }],
      other: [{ calls: { must: [{ tool: 'add_task', arguments: { title: 'Bread' } }] } }],
      denied: [{ calls: { never: [milk] } }],
    });
    expect(of('right')).toMatchObject({ outcome: 'succeeded' });
    expect(of('other')).toMatchObject({
      outcome: 'check_failed',
      checks: [{ reason: expect.stringContaining('Its call differs: title: expected') as string }],
    });
    expect(of('denied')).toMatchObject({ outcome: 'check_failed' });
    const verified = await run('verify', at('r.json'));
    expect(verified.code).toBe(0);
  });

  it('are never scored where they name a tool that is not offered, which the plan says', async () => {
    const { ended, of } = await played({
      typo: [{ calls: { must: ['add_tsak'] } }],
      never: [{ calls: { must: ['add_task'], never: ['delete_tsak'] } }],
      fine: [{ calls: { must: ['add_task'] } }],
    });
    expect(ended.code).toBe(3);
    // The plan knows the place of a name in the file.
    const line = readFileSync(at('s.yaml'), 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('add_tsak'));
    expect(ended.stderr).toMatch(
      new RegExp(`s\\.yaml:${line + 1}:\\d+: warning: Task typo: .*Did you mean add_task`, 'u'),
    );
    expect(of('fine')).toMatchObject({ outcome: 'succeeded' });
    for (const [id, name] of [
      ['typo', 'add_task'],
      ['never', 'delete_task'],
    ] as const)
      expect(of(id)).toMatchObject({
        outcome: 'not_scored',
        reason: expect.stringContaining(`Did you mean ${name}?`) as string,
      });
  });
});
