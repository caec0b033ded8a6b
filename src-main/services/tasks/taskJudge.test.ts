import { afterEach, expect, it } from 'vitest';
import type { Trajectory } from '../../../src-shared/domain/task.ts';
import { called } from '../../testing/taskRuns.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { TaskJudge } from './taskJudge.ts';

afterEach(expectNoLeaks);

/** Takes longer than any limit on the text below. */
const endless = '^(a+)+$';
const text = `${'a'.repeat(40)}!`;
const stub = (pattern: string, result: string) => ({
  server: 'todo',
  tool: 'add_task',
  arguments: { title: { $regex: pattern } },
  result,
  isError: false,
});

it('leaves out a stub whose pattern does not finish, and takes the next one', async () => {
  await using judge = new TaskJudge({ cpuLimitMs: 50 });
  const args = called('add_task', { title: text }).arguments ?? {};
  const found = await judge.findStub([stub(endless, 'slow'), stub('a!$', 'quick')], args);
  expect(found?.result).toBe('quick');
  expect(await judge.findStub([stub(endless, 'slow')], args)).toBeNull();
});

const answering = (answer: string): Trajectory => ({
  steps: [
    {
      ...{ turn: 0, text: answer, reasoning: null, stopReason: 'answered' },
      ...{ calls: [], usage: null, elapsedMs: 1 },
    },
  ],
  end: { by: 'answered' },
  states: {},
});

it('fails a check whose pattern does not finish, and says why', async () => {
  await using judge = new TaskJudge({ cpuLimitMs: 50 });
  const verdict = await judge.judge(
    [{ id: 'said', kind: 'answer', expected: { $regex: endless } }],
    answering(text),
  );
  expect(verdict.outcome).toBe('check_failed');
  expect(verdict.checks[0]?.reason).toContain("didn't finish within 50 ms");
});

it('leaves a check undecided whose schema does not finish, and judges the others', async () => {
  await using judge = new TaskJudge({ cpuLimitMs: 50 });
  const json = { kind: 'answer', read: 'json', expected: { $ignore: true } } as const;
  const verdict = await judge.judge(
    [
      { id: 'slow', ...json, schema: { type: 'string', pattern: endless } },
      { id: 'said', kind: 'answer', expected: { $contains: 'aaa' } },
    ],
    answering(JSON.stringify(text)),
  );
  expect(verdict.outcome).toBe('not_scored');
  expect(verdict.checks[0]).toMatchObject({
    passed: null,
    reason: expect.stringContaining("didn't finish within 50 ms") as string,
  });
  expect(verdict.checks[1]?.passed).toBe(true);
});
