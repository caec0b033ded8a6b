import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import {
  defaultTaskLimits,
  type TaskCheck,
  type TaskEnd,
} from '../../../src-shared/domain/task.ts';
import { AjvJudge } from '../../scoring/ajvJudge.ts';
import { judgeTask } from '../../scoring/tasks/judgeTask.ts';
import type { Ending } from '../../testing/fakeMcpServer/effectModes.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { tool } from '../../testing/fakeModelServer/openTestModel.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import {
  called,
  calls,
  environmentParts,
  says,
  scripted,
  soon,
  taskRun,
} from '../../testing/taskRuns.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { runTask } from './runTask.ts';
import { openEnvironment } from './taskEnvironment.ts';

afterEach(expectNoLeaks);

const object = { type: 'object' };
const tools = ['act', 'wipe'].map((name) => tool(name, object, 'fake'));
const never = (...names: string[]): TaskCheck[] => [
  { id: 'calls', kind: 'calls', must: [], ordered: false, never: names },
];

/** A call of the model: the tool, and what becomes of it. */
type Made = readonly ['act' | 'wipe', Ending];

/** Plays replies with these calls on a server of its own; returns what it did outside of itself. */
async function play(
  replies: readonly (readonly Made[])[],
  {
    config = fakeStdioServer('effects'),
    limits = {},
    callMs = 20_000,
    checks = never('wipe'),
  }: {
    config?: ServerConfig;
    limits?: object;
    callMs?: number;
    checks?: TaskCheck[];
  } = {},
) {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'effects');
  const { model } = scripted([
    ...replies.map((made) =>
      calls(...made.map(([name, then]) => called(name, { file, then }, 'fake'))),
    ),
    says('Done.'),
  ]);
  const environment = await openEnvironment(
    [{ name: 'fake', config }],
    environmentParts({ deadlines: { callMs } }),
    soon(),
  );
  try {
    const run = taskRun({
      mode: 'full',
      environment,
      tools,
      known: tools,
      checks,
      limits: { ...defaultTaskLimits, ...limits },
    });
    const sent: unknown[] = [];
    const trajectory = await runTask(run, model, soon(), {
      onSend: (steps) => sent.push(steps.flatMap((step) => step.calls).at(-1)?.name),
    });
    let effects: string[] = [];
    try {
      effects = readFileSync(file, 'utf8').trim().split('\n');
    } catch {
      // Nothing had an effect.
    }
    return {
      trajectory,
      effects,
      sent,
      made: trajectory.steps.map((step) => step.calls.map(({ answeredBy }) => answeredBy)),
      verdict: judgeTask(checks, trajectory, new AjvJudge()),
    };
  } finally {
    await environment[Symbol.asyncDispose]();
  }
}

const broken = { by: 'infrastructure', stage: 'tool' } satisfies Partial<TaskEnd>;
const fine: Made = ['act', 'answer'];

/** Ways in which a call gets no answer, and what is known of it then. */
const endings: [string, Ending, 'server_ended' | 'no_answer', boolean][] = [
  ['ends its server before it acts', 'exit-first', 'server_ended', false],
  ['acts and ends its server', 'exit', 'server_ended', true],
  ['acts and hangs', 'hang', 'no_answer', true],
  ['acts and floods its output', 'flood', 'no_answer', true],
];
/** Where the call is: alone, after others, and with others after it in the same reply. */
const places: [string, (call: Made) => Made[][]][] = [
  ['the only call', (call) => [[call]]],
  ['a call of the second reply', (call) => [[fine], [call]]],
  ['the first call of a reply', (call) => [[call, ['act', 'answer'], ['wipe', 'answer']]]],
  ['the last call of a reply', (call) => [[['act', 'refuse'], call]]],
];

describe.each(endings)('a call that %s', (_what, ending, state, acts) => {
  it.each(places)('stays in the run as %s', async (_where, script) => {
    const replies = script(['act', ending]);
    const callMs = ending === 'hang' ? 500 : 20_000;
    const { made, effects, trajectory } = await play(replies, { callMs });
    const all = replies.flat();
    const at = all.findIndex(([, then]) => then === ending);
    // What came before is answered, and what would come after it was never sent.
    expect(made.flat()).toEqual(
      all.map((_, index) => (index < at ? 'executed' : index === at ? state : 'run_ended')),
    );
    const answered = all.slice(0, at).filter(([, then]) => then === 'answer');
    expect(effects).toEqual([...answered, ...(acts ? [['act']] : [])].map(([name]) => name));
    expect(trajectory.end).toMatchObject(broken);
    const call = trajectory.steps.flatMap((step) => step.calls)[at];
    expect(call).toMatchObject({ result: { isError: true } });
    expect(call?.result.text).toContain('Server "fake"');
    expect(call?.durationMs).toBeGreaterThanOrEqual(ending === 'hang' ? 499 : 1);
  });

  it('fails the run if it is forbidden, and else leaves it without a score', async () => {
    const callMs = ending === 'hang' ? 500 : 20_000;
    const forbidden = await play([[['wipe', ending]]], { callMs });
    expect(forbidden.verdict).toMatchObject({
      outcome: 'check_failed',
      checks: [{ passed: false, reason: expect.stringContaining('“wipe”') as string }],
    });
    const allowed = await play([[['act', ending]]], { callMs });
    expect(allowed.verdict).toMatchObject({ outcome: 'not_scored', checks: [{ passed: null }] });
  });
});

describe('a time limit', () => {
  const limits = { seconds: 1 };

  it('leaves a run without a score if its server kept it waiting, and shows the wait', async () => {
    const { trajectory, made, verdict } = await play([[['act', 'hang'], fine]], { limits });
    expect(made).toEqual([['no_answer', 'run_ended']]);
    expect(trajectory.steps[0]?.calls[0]?.durationMs).toBeGreaterThan(800);
    expect(trajectory.end).toMatchObject({
      ...broken,
      message: expect.stringContaining('no answer to act in') as string,
    });
    expect(verdict.outcome).toBe('not_scored');
  });

  it('fails a run whose forbidden call hangs', async () => {
    const { verdict, effects } = await play([[['wipe', 'hang']]], { limits });
    expect([verdict.outcome, effects]).toEqual(['check_failed', ['wipe']]);
  });
});

describe('a limit of calls', () => {
  it('sends no call of a reply that exceeds it, and counts all of them as made', async () => {
    const { trajectory, made, effects, verdict } = await play(
      [[fine], [fine, ['wipe', 'answer'], fine]],
      { limits: { toolCalls: 3 } },
    );
    expect(made).toEqual([['executed'], ['over_limit', 'over_limit', 'over_limit']]);
    expect(effects).toEqual(['act']);
    expect(trajectory.end).toEqual({ by: 'limit', limit: 'toolCalls' });
    expect(verdict.checks).toMatchObject([{ passed: false }]);
  });

  it.each([
    ['steps', { steps: 1 }],
    ['tokens', { tokens: 5 }],
  ])('of %s keeps the calls of the last reply', async (limit, limits) => {
    const { trajectory, made, effects } = await play([[fine, fine]], { limits });
    expect(trajectory.end).toEqual({ by: 'limit', limit });
    expect(made).toEqual([['executed', 'executed']]);
    expect(effects).toEqual(['act', 'act']);
  });
});

describe('a server that ended between two calls', () => {
  it('gets no further call, which certainly had no effect', async () => {
    const { made, effects, trajectory } = await play([
      [['act', 'answer-exit']],
      [['wipe', 'answer']],
    ]);
    expect(effects).toEqual(['act']);
    // Without its exit being noticed, the call may have been handed over.
    expect(made[0]).toEqual(['executed']);
    expect(['not_sent', 'server_ended']).toContain(made[1]?.[0]);
    expect(trajectory.end).toMatchObject(broken);
  });
});

describe('a server over HTTP', () => {
  it('that resets the connection during a call may have done what it was asked', async () => {
    await using server = await startFakeHttpServer('effects');
    const { made, effects, verdict } = await play([[fine], [['wipe', 'exit'], fine]], {
      config: server.config(),
    });
    expect(made).toEqual([['executed'], ['server_ended', 'run_ended']]);
    expect(effects).toEqual(['act', 'wipe']);
    expect(verdict.outcome).toBe('check_failed');
  });

  it('that is gone before a call never received it', async () => {
    const server = await startFakeHttpServer('effects');
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'effects');
    const act = calls(called('act', { file, then: 'answer' }, 'fake'));
    const { model } = scripted(async (_input, step) => {
      if (step === 1) await server.close();
      return act;
    });
    const environment = await openEnvironment(
      [{ name: 'fake', config: server.config() }],
      environmentParts(),
      soon(),
    );
    await using _ = environment;
    const run = taskRun({ mode: 'full', environment, tools, known: tools });
    const { steps, end } = await runTask(run, model, soon());
    expect(steps.flatMap((step) => step.calls.map(({ answeredBy }) => answeredBy))).toEqual([
      'executed',
      'not_sent',
    ]);
    expect(end).toMatchObject(broken);
  });
});
