import { afterEach, describe, expect, it } from 'vitest';
import { taskReport } from '../../../src-shared/domain/taskReport.ts';
import type { ChatRequest } from '../../adapters/llm/chatModel.ts';
import { createBuiltinModel } from '../../adapters/llm/builtin/builtinModel.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { says, scripted } from '../../testing/taskRuns.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import { publish } from '../reports/documents/published.ts';
import { tasksDocument } from '../reports/documents/tasksDocument.ts';
import { verifyReport } from '../../verify/verifyReport.ts';

afterEach(expectNoLeaks);

const user = { goal: 'Get a task "Buy milk".', persona: '', knows: ['You are u-1.'], maxTurns: 3 };
const answered = { checks: [{ id: 'bye', kind: 'answer' as const, expected: 'Bye.' }], user };
const playing = { userModel: { provider: 'openai', model: 'user-1' } };

/** An agent that asks, answers and takes leave, and a user that gives these replies. */
function dialogue(replies: (string | null)[], change: object = {}) {
  const asked: ChatRequest[] = [];
  const player = {
    ...scripted([]).model,
    provider: 'openai' as const,
    choose: async (request: ChatRequest) => {
      const text = replies[asked.push(request) - 1] ?? null;
      return {
        observation: {
          calls: [],
          text,
          reasoning: null,
          stopReason: 'answered' as const,
          confidence: null,
          usage: { input: 100, output: 5, source: 'measured' as const },
        },
        request: { number: asked.length },
        response: { text },
        elapsedMs: 1,
      };
    },
  };
  const agent = scripted([says('Who are you?'), says('Done. More?'), says('Bye.'), says('Bye.')]);
  const at = createTaskService([task('one', { ...answered, ...change })], ({ provider }) =>
    provider === 'openai' ? player : agent.model,
  );
  return { at, asked, agent };
}

describe('a simulated user', () => {
  it('answers the model with its own roles exchanged until it stops', async () => {
    const { at, asked, agent } = dialogue(['I am u-1.', 'No, thanks.', '###STOP###']);
    await using service = at;
    const id = await service.start(playing);
    await service.drain(id);
    const report = taskReport.parse(await service.service.report({ id }));
    expect(report.runs).toMatchObject([
      {
        outcome: 'succeeded',
        facts: { steps: 3, tokens: 33, user: { turns: 2, tokens: 315, cost: null } },
      },
    ]);
    expect(report.user).toMatchObject({ runs: 1, turns: 2, tokens: 315 });
    expect(agent.inputs.map((input) => (input.by === 'user' ? input.text : ''))).toEqual([
      'Add a task "Buy milk" for user u-1.',
      'I am u-1.',
      'No, thanks.',
    ]);
    expect(asked[1]?.messages).toEqual([
      { role: 'user', content: 'How can I help you?' },
      { role: 'assistant', content: 'Add a task "Buy milk" for user u-1.' },
      { role: 'user', content: 'Who are you?' },
      { role: 'assistant', content: 'I am u-1.' },
    ]);
    expect(asked[1]?.query).toBe('Done. More?');
    expect(asked[0]?.system).toContain('You are u-1.');
    const runId = report.runs[0]?.runId ?? '';
    const { trajectory } = await service.service.run({ id, runId });
    expect(trajectory?.user?.turns.map(({ text }) => text)).toEqual([
      'I am u-1.',
      'No, thanks.',
      null,
    ]);
    const document = { format: 'touchstone-tasks', version: 1, ...publish(tasksDocument, report) };
    const differences = () =>
      verifyReport(JSON.parse(JSON.stringify(document)))?.differences.map(({ path }) => path);
    expect(differences()).toEqual([]);
    if (document.simulated_user) document.simulated_user.turns = 9;
    expect(differences()).toEqual(['simulated_user.turns']);
  });

  it('ends the run after its last allowed reply', async () => {
    const { at, asked } = dialogue(['a', 'b', 'c'], { user: { ...user, maxTurns: 2 } });
    await using service = at;
    const id = await service.start(playing);
    await service.drain(id);
    expect(asked).toHaveLength(2);
    expect(await service.runs(id)).toMatchObject([{ outcome: 'succeeded' }]);
  });

  it('is not scored when it gives no reply', async () => {
    const { at } = dialogue(['I am u-1.', null]);
    await using service = at;
    const id = await service.start(playing);
    await service.drain(id);
    expect(await service.runs(id)).toMatchObject([{ outcome: 'not_scored', failure: 'user' }]);
  });

  it('is left out with a warning where no model plays it', async () => {
    const { at, asked } = dialogue([]);
    await using service = at;
    const plan = await service.service.plan(service.request());
    expect(plan.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('choose a model that plays the user'),
    ]);
    const id = await service.start({});
    await service.drain(id);
    expect(asked).toEqual([]);
    expect(await service.runs(id)).toMatchObject([{ facts: { steps: 1 } }]);
  });

  it.each([[2], [20]])(
    'says its script without a model, whatever its limit of %i replies is',
    async (maxTurns) => {
      const script = ['I am u-1.', 'Yes, one more.', 'No, thanks.'];
      const { at, asked, agent } = dialogue([], { user: { ...user, maxTurns, script } });
      await using service = at;
      const plan = await service.service.plan(service.request());
      expect(plan.problems).toEqual([]);
      const id = await service.start({});
      await service.drain(id);
      expect(asked).toEqual([]);
      expect(agent.inputs.map((input) => (input.by === 'user' ? input.text : ''))).toEqual([
        'Add a task "Buy milk" for user u-1.',
        ...script,
      ]);
      const report = taskReport.parse(await service.service.report({ id }));
      expect(report.user).toEqual({ model: 'script', runs: 1, turns: 3, tokens: null, cost: null });
      const document = {
        format: 'touchstone-tasks',
        version: 1,
        ...publish(tasksDocument, report),
      };
      expect(verifyReport(JSON.parse(JSON.stringify(document)))?.differences).toEqual([]);
    },
  );

  it('is played by its model where there is one, whatever its script says', async () => {
    const { at, asked, agent } = dialogue(['I am u-1.', '###STOP###'], {
      user: { ...user, script: ['I am u-2.'] },
    });
    await using service = at;
    const id = await service.start(playing);
    await service.drain(id);
    expect(asked).toHaveLength(2);
    expect(agent.inputs.at(-1)).toEqual({ by: 'user', text: 'I am u-1.' });
  });

  it('tells its facts one after the other without a model', async () => {
    const agent = scripted([says('Who are you?'), says('Bye.')]);
    let opened = 0;
    await using service = createTaskService([task('one', answered)], () =>
      opened++ === 0 ? agent.model : createBuiltinModel(),
    );
    const id = await service.start({ userModel: { provider: 'builtin', model: 'default-v1' } });
    await service.drain(id);
    expect(agent.inputs.at(-1)).toEqual({ by: 'user', text: 'You are u-1.' });
    expect(await service.runs(id)).toMatchObject([{ outcome: 'succeeded' }]);
  });
});
