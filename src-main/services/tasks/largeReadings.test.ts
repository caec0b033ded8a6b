import { afterEach, describe, expect, it } from 'vitest';
import type { ReadingCheck, StateCheck, TaskContent } from '../../../src-shared/domain/task.ts';
import { createConnector } from '../../adapters/mcp/connect.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { isNightly, sampled } from '../../testing/nightly.ts';
import { called, calls, says, scripted, soon } from '../../testing/taskRuns.ts';
import { createTaskService as create, task } from '../../testing/taskService.ts';

afterEach(expectNoLeaks);

const reading = (megabytes: number, as = 'text') => ({
  ...{ server: 'large', tool: 'read_large', arguments: { megabytes, as } },
});
/** More than a model may get, and half as much as a check may read. */
const large = reading(26);
const largest = reading(50);
const state = (
  at: string,
  test: StateCheck['test'],
  expected: StateCheck['expected'],
  read = large,
): StateCheck => ({ id: 'read', kind: 'state', ...read, at, test, expected });
const compared = (change: Partial<ReadingCheck> = {}): ReadingCheck => ({
  ...{ id: 'read', kind: 'unchanged', ...large, at: '/records' },
  ...change,
});
const rename = { server: 'large', tool: 'rename', arguments: { at: 4711, name: 'Other' } };

/** Plays one task on a server whose state is large; the model renames a record, if it is told to. */
async function played(
  content: Partial<TaskContent>,
  { renames = false, at: other = 4711 }: { renames?: boolean; at?: number } = {},
) {
  const made = called('rename', { at: other, name: 'Other' }, 'large');
  const replies = renames ? [calls(made), says('Done.')] : [says('Done.')];
  const one = task('one', { servers: ['large'], ...content });
  await using at = create([one], () => scripted(replies).model);
  const config = { ...fakeStdioServer('large'), isolated: true as const };
  at.store.servers.insert({ name: 'large', url: 'stdio:large', config });
  const id = await at.start({ mode: 'full', agreedServers: ['large'] });
  await at.drain(id);
  const [row] = await at.runs(id);
  const { trajectory, verdict } = await at.service.run({ id, runId: row?.runId ?? '' });
  return { trajectory, verdict, check: verdict?.checks[0] };
}

describe('a reading of more than 25 MB', () => {
  const pointers: readonly [string, StateCheck, boolean, string][] = [
    [
      'a small part of the most that is read',
      state('/meta', 'matches', { count: 50_000, title: 'All records' }, largest),
      true,
      '',
    ],
    ['one element', state('/records/4711/name', 'matches', 'Record "4711"'), true, ''],
    [
      'one element that is another',
      state('/records/4711/name', 'matches', 'Other'),
      false,
      'expected "Other", got "Record \\"4711\\""',
    ],
    ['a long list', state('/records', 'contains', { id: 'r-25999' }), true, ''],
    [
      'a long list without it',
      state('/records', 'contains', { id: 'r-26000' }),
      false,
      'read_large at /records does not contain {"id":"r-26000"}, but should.',
    ],
    [
      'what is not there',
      state('/pages', 'contains', 1),
      false,
      'There is nothing at /pages of read_large.',
    ],
    [
      'structured content',
      state('/records/7/id', 'matches', 'r-7', reading(26, 'structured')),
      true,
      '',
    ],
    [
      'structured content that its text repeats',
      state('/records/7/id', 'matches', 'r-7', reading(26, 'both')),
      true,
      '',
    ],
  ];
  const sample = ['a long list', 'structured content'];
  it.each(sampled(pointers, ([name]) => sample.includes(name)))(
    'is compared at a pointer: %s',
    async (_, check, passed, reason) => {
      const { trajectory, check: judged } = await played({ checks: [check] });
      expect(judged).toMatchObject({ passed, reason: expect.stringContaining(reason) as string });
      // Nothing is kept of it but the part.
      expect(JSON.stringify(trajectory).length).toBeLessThan(3_000);
    },
  );

  it('is unchanged if the run changed nothing in it, of 50 MB too', async () => {
    const { check } = await played({ checks: [compared(largest)] });
    expect(check).toMatchObject({
      passed: true,
      reason: 'read_large at /records is as it is before the run.',
    });
  });

  it.runIf(isNightly)(
    'names the first places that the run changed, as far as hashes of it are kept',
    async () => {
      const { check, trajectory } = await played({ checks: [compared()] }, { renames: true });
      expect(check).toMatchObject({
        passed: false,
        reason:
          'read_large at /records is not as it is before the run: it differs at /4692 to /4742.',
      });
      expect(JSON.stringify(trajectory).length).toBeLessThan(300_000);
    },
  );

  it.runIf(isNightly)('is compared without the members to ignore', async () => {
    const ignoring = compared({ ignore: ['name'] });
    const { check } = await played({ checks: [ignoring] }, { renames: true });
    expect(check).toMatchObject({ passed: true });
  });

  it.runIf(isNightly).each([
    [4711, large, true, 'read_large at /records is as it is after the reference solution.'],
    [3, largest, false, 'it differs at /3/name, /4704 to /4801'],
  ])(
    'is compared with that of the reference solution when the model renames record %i',
    async (at, read, passed, reason) => {
      const { check } = await played(
        { checks: [compared({ kind: 'end_state', ...read })], solution: [rename] },
        { renames: true, at },
      );
      expect(check).toMatchObject({ passed, reason: expect.stringContaining(reason) as string });
    },
  );

  it.runIf(isNightly)('gives a value to what the run is told', async () => {
    const { check } = await played({
      before: { count: { ...large, at: '/meta/count' } },
      checks: [state('/meta/count', 'matches', '{{before.count}}')],
    });
    expect(check).toMatchObject({ passed: true });
  });
});

describe('what is too large to be compared', () => {
  const above = [
    ['a reading above 50 MB', 51, 'text', 'and a check compares at most 50,000,000'],
    ['a message above 125 MB', 70, 'both', 'the server sent an answer larger than 125 MB'],
  ] as const;
  it.each(sampled(above, ([, megabytes]) => megabytes === 51))(
    'leaves the run unscored: %s',
    async (_, megabytes, as, reason) => {
      const checks = [state('/meta/count', 'matches', 1, reading(megabytes, as))];
      const { trajectory, verdict } = await played({ checks });
      expect(verdict).toMatchObject({ outcome: 'not_scored', succeeded: null });
      expect(trajectory?.end).toMatchObject({
        ...{ by: 'infrastructure', stage: 'state' },
        message: expect.stringContaining(reason) as string,
      });
    },
  );

  it('keeps the limit of 25 MB for what a model calls', async () => {
    const made = called('read_large', { megabytes: 30 }, 'large');
    await using at = create(
      [task('one', { servers: ['large'], checks: [compared()] })],
      () => scripted([calls(made), says('Done.')]).model,
    );
    const config = fakeStdioServer('large');
    at.store.servers.insert({ name: 'large', url: 'stdio:large', config });
    const id = await at.start({ mode: 'full', agreedServers: ['large'] });
    await at.drain(id);
    const [row] = await at.runs(id);
    const { trajectory } = await at.service.run({ id, runId: row?.runId ?? '' });
    expect(trajectory?.end).toMatchObject({
      ...{ by: 'infrastructure', stage: 'tool' },
      message: expect.stringContaining('larger than 25 MB') as string,
    });
  });

  it.each(sampled(['json', 'events'] as const, (shape) => shape === 'events'))(
    'is larger than what a model may get, over HTTP too (%s)',
    async (shape) => {
      await using server = await startFakeHttpServer('large', shape);
      const target = { name: 'large', config: server.config() };
      const connection = await createConnector()(target, soon());
      try {
        const args = { megabytes: 30 };
        const { content } = await connection.callTool('read_large', args, soon(), {
          isReading: true,
        });
        expect(JSON.stringify(content).length).toBeGreaterThan(15_000_000);
        await expect(connection.callTool('read_large', args, soon())).rejects.toThrow(
          'larger than 25 MB',
        );
      } finally {
        await connection.close();
      }
    },
  );
});
