import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteProviders } from '../../../src-shared/domain/provider.ts';
import { openTestModel, tool } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { toolDefinitions } from '../../servers/todo/toolSchemas.ts';
import { createBuiltinModel } from './builtin/builtinModel.ts';
import type { ChatModel, Conversation } from './chatModel.ts';

let server: FakeModelServer;
beforeEach(async () => void (server = await startFakeModelServer()));
afterEach(() => server[Symbol.asyncDispose]());

const soon = () => AbortSignal.timeout(20_000);
const tools = [tool('add_task'), tool('delete_task')];

function converse(model: ChatModel, system: string | null = null): Conversation {
  if (!model.converse) throw new Error('The model has no conversations.');
  return model.converse({ system, messages: [], tools, repetition: 1 });
}

describe.each(remoteProviders)('a conversation with %s', (provider) => {
  it('sends results and further user turns after what was said before', async () => {
    const model = await openTestModel(server, provider);
    const conversation = converse(model, 'Be brief.');
    server.script(
      {
        does: 'answer',
        calls: [
          { id: 'a', name: 'todo__add_task', arguments: { title: 'milk' } },
          { id: 'b', name: 'todo__delete_task', arguments: {} },
        ],
      },
      { does: 'answer', text: 'Added.' },
      { does: 'answer', text: 'You are welcome.' },
    );
    const first = await conversation.next({ by: 'user', text: 'Add milk.' }, soon());
    expect(first.observation.calls.map(({ id, tool: name }) => [id, name])).toEqual([
      ['a', 'add_task'],
      ['b', 'delete_task'],
    ]);
    const results = [
      { id: 'a', text: '{"id":1}', isError: false },
      { id: 'b', text: 'no such task', isError: true },
    ];
    const second = await conversation.next({ by: 'tools', results }, soon());
    expect(second.observation).toMatchObject({ calls: [], text: 'Added.', stopReason: 'answered' });
    const sent = server.requests.at(-1);
    expect(sent?.results.map(({ id, text }) => [id, text])).toEqual([
      ['a', '{"id":1}'],
      ['b', 'no such task'],
    ]);
    if (provider === 'anthropic')
      expect(sent?.results.map(({ isError }) => isError)).toEqual([false, true]);
    const third = await conversation.next({ by: 'user', text: 'Thanks!' }, soon());
    expect(third.observation.text).toBe('You are welcome.');
    expect(server.requests.at(-1)?.query).toBe('Thanks!');
    const whole = JSON.stringify(server.requests.at(-1)?.body);
    for (const text of ['Be brief.', 'Add milk.', 'no such task', 'Added.'])
      expect(whole).toContain(text);
  });

  it('counts tokens of each reply by itself', async () => {
    const conversation = converse(await openTestModel(server, provider));
    server.script(
      { does: 'answer', text: 'One.', usage: { input: 10, output: 1 } },
      { does: 'answer', text: 'Two.', usage: { input: 30, output: 2 } },
    );
    const first = await conversation.next({ by: 'user', text: 'one' }, soon());
    const second = await conversation.next({ by: 'user', text: 'two' }, soon());
    expect([first.observation.usage, second.observation.usage]).toEqual([
      { input: 10, output: 1, source: 'measured' },
      { input: 30, output: 2, source: 'measured' },
    ]);
  });

  it('stops before it sends more than the model takes', async () => {
    const model = await openTestModel(server, provider, {
      configuration: { contextTokens: 6_000 },
    });
    const conversation = converse(model);
    server.script({ does: 'answer', calls: [{ id: 'a', name: 'todo__add_task', arguments: {} }] });
    await conversation.next({ by: 'user', text: 'go' }, soon());
    const sent = server.requests.length;
    const results = [{ id: 'a', text: 'long words '.repeat(6_000), isError: false }];
    await expect(conversation.next({ by: 'tools', results }, soon())).rejects.toThrow(
      'Nothing was sent.',
    );
    expect(server.requests).toHaveLength(sent);
  });
});

describe('a conversation with builtin', () => {
  const todo = toolDefinitions.map((each) => ({
    ...tool(each.name, each.inputSchema, 'todo', each.description),
    outputSchema: each.outputSchema,
  }));
  const begin = () => {
    const conversation = createBuiltinModel().converse?.({
      system: null,
      messages: [],
      tools: todo,
      repetition: 1,
    });
    if (!conversation) throw new Error('builtin has no conversations.');
    return conversation;
  };

  it('calls one tool per turn, quotes its result, and uses the ID that it returned', async () => {
    const conversation = begin();
    const first = await conversation.next(
      { by: 'user', text: 'Add a task "Buy milk" for user u-1.' },
      soon(),
    );
    expect(first.observation.calls).toMatchObject([
      { tool: 'add_task', arguments: { user_id: 'u-1', title: 'Buy milk' } },
    ]);
    const text = '{"id":17,"title":"Buy milk","user_id":"u-1"}';
    const results = [{ id: first.observation.calls[0]?.id ?? '', text, isError: false }];
    const answer = await conversation.next({ by: 'tools', results }, soon());
    expect(answer.observation).toMatchObject({
      calls: [],
      text: `add_task returned: ${text}`,
      stopReason: 'answered',
    });
    const second = await conversation.next(
      { by: 'user', text: 'Mark the task as completed.' },
      soon(),
    );
    expect(second.observation.calls).toMatchObject([
      { tool: 'complete_task', arguments: { user_id: 'u-1', task_id: 17 } },
    ]);
  });

  it('learns nothing from a result that is an error', async () => {
    const conversation = begin();
    await conversation.next({ by: 'user', text: 'Add a task "Buy milk" for user u-1.' }, soon());
    const results = [{ id: 'call_1', text: '{"id":17}', isError: true }];
    const answer = await conversation.next({ by: 'tools', results }, soon());
    expect(answer.observation.text).toBe('add_task failed: {"id":17}');
    const second = await conversation.next(
      { by: 'user', text: 'Mark the task as completed.' },
      soon(),
    );
    expect(second.observation.calls[0]?.arguments).not.toHaveProperty('task_id');
  });

  it('says that no tool fits', async () => {
    const said = await begin().next({ by: 'user', text: 'What is the capital of France?' }, soon());
    expect(said.observation).toMatchObject({ calls: [], text: 'No tool fits this request.' });
  });
});
