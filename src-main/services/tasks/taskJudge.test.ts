import { afterEach, expect, it } from 'vitest';
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
}, 30_000);

it('fails a check whose pattern does not finish, and says why', async () => {
  await using judge = new TaskJudge({ cpuLimitMs: 50 });
  const verdict = await judge.judge(
    [{ id: 'said', kind: 'answer', expected: { $regex: endless } }],
    {
      steps: [
        {
          turn: 0,
          text,
          reasoning: null,
          stopReason: 'answered',
          calls: [],
          usage: null,
          elapsedMs: 1,
        },
      ],
      end: { by: 'answered' },
      states: {},
    },
  );
  expect(verdict.outcome).toBe('check_failed');
  expect(verdict.checks[0]?.reason).toContain("didn't finish within 50 ms");
}, 30_000);
