import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { listProcesses, readCommand } from '../../adapters/process/processTable.ts';
import { createServices } from '../../app/createServices.ts';
import { startFakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testProgram } from '../../testing/testPrograms.ts';

afterEach(expectNoLeaks);

const child = testProgram('src-main/testing/taskEvaluationChild.ts');

/** Runs the program in a folder until it ends. Its own temporary folders are in the same one. */
async function runChild(
  folder: string,
  step: number,
  ...more: string[]
): Promise<NodeJS.Signals | null> {
  const program = spawn(process.execPath, [child, folder, `${step}`, ...more], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  const [, signal] = (await once(program, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal;
}

/** Commands of processes that name the folder. */
async function servers(folder: string): Promise<string[]> {
  const rows = await listProcesses();
  const commands = await Promise.all(rows.map(({ pid }) => readCommand(pid)));
  return commands.filter((command) => command.includes(folder));
}

const { signal } = new AbortController();
/** From the first listing over setup, calls, states and commits to the last run. */
const steps = [1, 2, 3, 4, 5, 6, 8, 9, 11, 15, 20];
/** What is known of the calls of the first run where a kill cuts it short after one was sent. */
const sentCalls: Readonly<Record<number, string[]>> = {
  5: ['no_answer'],
  6: ['no_answer'],
  8: ['executed', 'no_answer'],
};

describe('a program that is killed during an evaluation of tasks', () => {
  it.each(steps)(
    'leaves no process and no half-counted run, and a resume finishes it: step %i',
    async (step) => {
      await using folder = await temporaryFolder();
      expect(await runChild(folder.path, step)).toBe('SIGKILL');
      await expect.poll(() => servers(folder.path), { timeout: 10_000 }).toEqual([]);
      const opened = await createServices({ host: 'cli', folder: folder.path });
      try {
        const { evaluations: tasks } = opened.services;
        const [left] = await tasks.list({ unit: 'task', limit: 5, baseId: null });
        // A plan is either visible as a whole or not at all.
        if (left === undefined) return;
        expect(left.state).toBe('interrupted');
        const { id } = left;
        const before = await tasks.report({ id });
        expect(before.runs).toHaveLength(3);
        for (const run of before.runs) {
          const { trajectory, verdict } = await tasks.run({ unit: 'task', id, runId: run.runId });
          if (run.outcome === null) {
            expect([verdict, run.facts]).toEqual([null, null]);
            // A call that was sent before the kill is not forgotten.
            const calls = trajectory?.steps.flatMap((each) => each.calls) ?? [];
            const states = calls.map(({ answeredBy }) => answeredBy);
            const known = sentCalls[step];
            if (known !== undefined && run.failure === 'interrupted') expect(states).toEqual(known);
            for (const each of states) expect(['executed', 'no_answer']).toContain(each);
            if (trajectory !== null)
              expect(trajectory.end).toMatchObject({ by: 'infrastructure', stage: 'interrupted' });
          } else {
            expect(run.outcome).toBe('succeeded');
            expect(trajectory?.steps).toHaveLength(run.facts?.steps ?? -1);
          }
        }
        const unanswered = before.executed.reduce((sum, tool) => sum + tool.unanswered, 0);
        if (step in sentCalls) expect(unanswered).toBe(1);
        await tasks.resume({ unit: 'task', id });
        for await (const _ of tasks.watch({ unit: 'task', id, afterSeq: 0 }, { signal }));
        const after = await tasks.report({ id });
        // The attempt that was cut short did what it did.
        expect(after.executed.reduce((sum, tool) => sum + tool.unanswered, 0)).toBe(unanswered);
        expect(after.evaluation).toMatchObject({
          state: 'completed',
          outcomes: { succeeded: 3, not_run: 0, not_scored: 0 },
        });
        // What was finished is not run again.
        const kept = before.runs.filter(({ outcome }) => outcome !== null);
        for (const run of kept)
          expect(after.runs.find(({ runId }) => runId === run.runId)).toEqual(run);
      } finally {
        await opened.close();
      }
    },
    60_000,
  );
});

describe('the spend limit of an evaluation of tasks that was killed', () => {
  it('counts what the interrupted attempt had paid', async () => {
    await using folder = await temporaryFolder();
    // A run has two turns, each with a call and an answer: $4 at $1 per reply.
    await using server = await startFakeModelServer({
      rule: ({ body }) => {
        const last = (body['messages'] as { role: string }[]).at(-1);
        const usage = { input: 1_000, output: 1 };
        return last?.role === 'tool'
          ? { does: 'answer', text: 'Done.', usage }
          : {
              does: 'answer',
              calls: [{ name: 'todo__list_tasks', arguments: { user_id: 'u-1' } }],
              usage,
            };
      },
    });
    // Listing, start of the first run, its setup before and after, then its first call.
    expect(await runChild(folder.path, 5, server.origin, '8.5')).toBe('SIGKILL');
    expect(server.requests).toHaveLength(1);
    const opened = await createServices({ host: 'cli', folder: folder.path });
    try {
      const { evaluations: tasks } = opened.services;
      const [left] = await tasks.list({ unit: 'task', limit: 5, baseId: null });
      const id = left?.id ?? '';
      await tasks.resume({ unit: 'task', id });
      for await (const _ of tasks.watch({ unit: 'task', id, afterSeq: 0 }, { signal }));
      // $1 before the kill and $4 of the first run leave no room for another $4.
      expect(await tasks.get({ unit: 'task', id })).toMatchObject({
        state: 'incomplete',
        reason: expect.stringContaining('$5.00 spent') as string,
        outcomes: { not_run: 2 },
      });
      expect(server.requests).toHaveLength(5);
    } finally {
      await opened.close();
    }
  }, 60_000);
});
