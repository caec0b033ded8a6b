import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { listProcesses, readCommand } from '../../adapters/process/processTable.ts';
import { createServices } from '../../app/createServices.ts';
import type { Services } from '../services.ts';
import { startFakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { evaluationUnits, type EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { sampled } from '../../testing/nightly.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testProgram } from '../../testing/testPrograms.ts';

afterEach(expectNoLeaks);

const child = testProgram('src-main/testing/evaluationChild.ts');

/** Runs the program in a folder until it ends. Its own temporary folders are in the same one. */
async function runChild(
  unit: EvaluationUnit,
  folder: string,
  step: number,
  ...more: string[]
): Promise<NodeJS.Signals | null> {
  const program = spawn(process.execPath, [child, unit, folder, `${step}`, ...more], {
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
/**
 * Of cases, from the listing over the events of their groups; of tasks, from the first listing over
 * setup, calls, states and commits to the last run.
 */
const stepsOf = { case: [1, 2, 3, 4, 5, 6], task: [1, 2, 3, 4, 5, 6, 8, 9, 11, 15, 20] };
/** The listing, a commit, a call that was sent and has no answer, and the last one. */
const sampleOf = { case: [1, 4, 6], task: [1, 5, 8, 20] };
const table = evaluationUnits.flatMap((unit) =>
  sampled(stepsOf[unit], (step) => sampleOf[unit].includes(step)).map((step) => ({ unit, step })),
);
/** What is known of the calls of the first run where a kill cuts it short after one was sent. */
const sentCalls: Readonly<Record<number, string[]>> = {
  5: ['no_answer'],
  6: ['no_answer'],
  8: ['executed', 'no_answer'],
};

interface Run {
  runId: string;
  outcome: string | null;
}

describe('a program that is killed during an evaluation', () => {
  it.each(table)(
    'leaves no process and no half-counted run of a $unit, and a resume finishes it: step $step',
    async ({ unit, step }) => {
      await using folder = await temporaryFolder();
      expect(await runChild(unit, folder.path, step)).toBe('SIGKILL');
      await expect.poll(() => servers(folder.path)).toEqual([]);
      const opened = await createServices({ host: 'cli', folder: folder.path });
      try {
        const { evaluations } = opened.services;
        const [left] = await (unit === 'task'
          ? evaluations.list({ unit, limit: 5, baseId: null })
          : evaluations.list({ limit: 5 }));
        // A plan is either visible as a whole or not at all.
        if (left === undefined) return;
        expect(left.state).toBe('interrupted');
        const { id } = left;
        const page = { id, sort: 'position', descending: false, offset: 0, limit: 500 } as const;
        const runs = async (): Promise<Run[]> =>
          unit === 'task'
            ? (await evaluations.runs({ unit, ...page })).rows
            : (await evaluations.runs({ ...page, filter: {} })).rows;
        const before = await runs();
        expect(before).toHaveLength(unit === 'task' ? 3 : 250);
        const isLeft = (outcome: string | null) => outcome === null || outcome === 'not_run';
        if (unit === 'task') await expectWholeTasks(evaluations, id, step);
        const unanswered = async () =>
          unit === 'task' ? unansweredOf((await evaluations.report({ id })).executed) : 0;
        const cutShort = await unanswered();
        for (const { outcome } of before)
          if (!isLeft(outcome))
            expect(['passed', 'wrong_arguments', 'succeeded']).toContain(outcome);
        expect((await resumed(evaluations, unit, id)).state).toBe('completed');
        // The attempt that was cut short did what it did.
        expect(await unanswered()).toBe(cutShort);
        const after = await runs();
        expect(after.some(({ outcome }) => isLeft(outcome) || outcome === 'not_scored')).toBe(
          false,
        );
        // What was finished is not run again.
        for (const run of before.filter(({ outcome }) => !isLeft(outcome)))
          expect(after.find(({ runId }) => runId === run.runId)).toEqual(run);
      } finally {
        await opened.close();
      }
    },
  );
});

/** The evaluation after a resume has ended. */
async function resumed(evaluations: Services['evaluations'], unit: EvaluationUnit, id: string) {
  if (unit === 'task') {
    await evaluations.resume({ unit, id });
    for await (const _ of evaluations.watch({ unit, id, afterSeq: 0 }, { signal }));
    return evaluations.get({ unit, id });
  }
  await evaluations.resume({ id });
  for await (const _ of evaluations.watch({ id, afterSeq: 0 }, { signal }));
  return evaluations.get({ id });
}

const unansweredOf = (executed: readonly { unanswered: number }[]): number =>
  executed.reduce((sum, { unanswered }) => sum + unanswered, 0);

/** What is known of runs of tasks that were cut short, before they are run again. */
async function expectWholeTasks(
  tasks: Services['evaluations'],
  id: string,
  step: number,
): Promise<void> {
  const { runs, executed } = await tasks.report({ id });
  for (const run of runs) {
    const { trajectory, verdict } = await tasks.run({ unit: 'task', id, runId: run.runId });
    if (run.outcome !== null) expect(trajectory?.steps).toHaveLength(run.facts?.steps ?? -1);
    else {
      expect([verdict, run.facts]).toEqual([null, null]);
      // A call that was sent before the kill is not forgotten.
      const calls = trajectory?.steps.flatMap((each) => each.calls) ?? [];
      const states = calls.map(({ answeredBy }) => answeredBy);
      const known = sentCalls[step];
      if (known !== undefined && run.failure === 'interrupted') expect(states).toEqual(known);
      for (const each of states) expect(['executed', 'no_answer']).toContain(each);
      if (trajectory !== null)
        expect(trajectory.end).toMatchObject({ by: 'infrastructure', stage: 'interrupted' });
    }
  }
  if (step in sentCalls) expect(unansweredOf(executed)).toBe(1);
}

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
    expect(await runChild('task', folder.path, 5, server.origin, '8.5')).toBe('SIGKILL');
    expect(server.requests).toHaveLength(1);
    const opened = await createServices({ host: 'cli', folder: folder.path });
    try {
      const { evaluations: tasks } = opened.services;
      const [left] = await tasks.list({ unit: 'task', limit: 5, baseId: null });
      const id = left?.id ?? '';
      // $1 before the kill and $4 of the first run leave no room for another $4.
      expect(await resumed(tasks, 'task', id)).toMatchObject({
        state: 'incomplete',
        reason: expect.stringContaining('$5.00 spent') as string,
        outcomes: { not_run: 2 },
      });
      expect(server.requests).toHaveLength(5);
    } finally {
      await opened.close();
    }
  });
});
