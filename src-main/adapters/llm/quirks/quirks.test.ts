import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import {
  ask,
  noteWaits,
  openTestModel,
  tool,
} from '../../../testing/fakeModelServer/openTestModel.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import type { ChatModel } from '../chatModel.ts';
import { RequestAccount, SendingHalted } from '../request/requestAccount.ts';
import { systemTiming } from '../request/timing.ts';
import { answerQuirks as answers } from './answers.fixture.ts';
import { errorQuirks } from './errors.fixture.ts';
import { shapeQuirks } from './shapes.fixture.ts';
import { turnQuirks } from './turns.fixture.ts';

const answerQuirks = [...answers, ...shapeQuirks];

let server: FakeModelServer;
beforeAll(async () => void (server = await startFakeModelServer()));
afterAll(() => server[Symbol.asyncDispose]());

const soon = () => AbortSignal.timeout(20_000);
const tools = [tool('add_task'), tool('delete_task')];
const http = (body: JsonValue, status = 200, headers: Readonly<Record<string, string>> = {}) => ({
  does: 'http' as const,
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

it.each(answerQuirks)('reads $quirk ($format)', async ({ format, body, reads }) => {
  const model = await openTestModel(server, format, { configuration: { maxRetries: 0 } });
  server.script(http(body));
  expect((await model.choose(ask('hello', tools), soon())).observation).toMatchObject(reads);
});

it.each<[JsonValue, RemoteProvider]>([
  [{ prompt_tokens: 'many', completion_tokens: 3 }, 'openai-compatible'],
  [{ prompt_tokens: null, completion_tokens: 3 }, 'openai-compatible'],
  [{ prompt_tokens: -5, completion_tokens: 3 }, 'openai-compatible'],
  [{ prompt_tokens: 0, completion_tokens: 0 }, 'openai-compatible'],
  [{ prompt_tokens: 5, completion_tokens: 3.5 }, 'openai-compatible'],
  [null, 'openai-compatible'],
  [7, 'openai-compatible'],
])('takes usage %j for unknown and estimates it', async (usage, format) => {
  const model = await openTestModel(server, format);
  server.script(http({ choices: [{ message: { content: 'Hi.' } }], usage }));
  const { observation } = await model.choose(ask('hello', tools), soon());
  expect(observation.usage).toMatchObject({ source: 'estimated' });
  expect(observation.usage?.input).toBeGreaterThan(0);
});

it('leaves blank arguments unread where the tool requires some', async () => {
  const model = await openTestModel(server, 'openai-compatible');
  const strict = tool('add_task', { type: 'object', required: ['title'] });
  const call = { id: 'c', function: { name: 'todo__add_task', arguments: '' } };
  server.script(http({ choices: [{ message: { tool_calls: [call] }, finish_reason: 'stop' }] }));
  const { observation } = await model.choose(ask('hello', [strict]), soon());
  expect(observation.calls).toEqual([
    expect.objectContaining({ tool: 'add_task', arguments: null, argumentsText: '' }),
  ]);
  expect(observation.calls[0]).not.toHaveProperty('note');
});

describe('an error', () => {
  it.each(errorQuirks)('is told by $quirk', async ({ status, headers, body, means, says }) => {
    const timing = noteWaits();
    const model = await openTestModel(server, 'openai-compatible', { timing });
    const before = server.requests.length;
    server.script(http(body, status, headers));
    const answered = await model.choose(ask('hello', tools), soon()).then(
      ({ observation }) => observation,
      (error: unknown) => error,
    );
    const requests = server.requests.length - before;
    if (typeof means === 'number') {
      expect({ waits: timing.waits, requests }).toEqual({ waits: [means], requests: 2 });
      expect(answered).toMatchObject({ stopReason: 'answered' });
      return;
    }
    expect({ waits: timing.waits, requests }).toEqual({ waits: [], requests: 1 });
    expect(answered).toMatchObject({
      kind: 'provider',
      fatal: means === 'the model',
      message: expect.stringMatching(says ?? /./),
    });
  });

  it('is waited for as long as the longest wait allows, else stops the model', async () => {
    for (const [maxWait, wait, waits] of [
      [null, 89, [89_000]],
      [120, 119, [119_000]],
      [120, 121, []],
      [5, 6, []],
      [0, 1, []],
    ] as const) {
      const timing = noteWaits();
      const model = await openTestModel(server, 'openai-compatible', {
        timing,
        configuration: { maxWait },
      });
      server.script(http({ error: { message: 'Slow down' } }, 429, { 'retry-after': `${wait}` }));
      const error = await model.choose(ask('hello', tools), soon()).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(timing.waits).toEqual(waits);
      if (waits.length === 0)
        expect(error).toMatchObject({
          fatal: true,
          message: expect.stringMatching(/Slow down\. It asks to wait until .*longest wait/),
        });
      else expect(error).toBeNull();
    }
  });
});

it('ends a wait with the reason why nothing more may be sent', async () => {
  const halt = new AbortController();
  const account = new RequestAccount(halt.signal);
  const model = await openTestModel(server, 'openai-compatible', { timing: systemTiming });
  server.script(http({ error: { message: 'Slow down' } }, 429, { 'retry-after': '30' }));
  const seen = server.seen(server.requests.length + 1);
  const answered = model.choose(ask('hello', tools), soon(), account);
  await seen;
  halt.abort(new SendingHalted('The money is spent.'));
  await expect(answered).rejects.toBeInstanceOf(SendingHalted);
});

const converse = (model: ChatModel) => {
  const conversation = model.converse?.({ system: null, messages: [], tools, repetition: 1 });
  if (!conversation) throw new Error('The model has no conversations.');
  return conversation;
};
const resultsFor = (calls: readonly { id: string }[]) => ({
  by: 'tools' as const,
  results: calls.map(({ id }) => ({ id, text: 'ok', isError: false })),
});
/** The messages or items of the last request after that of the user, without their results. */
function sentBack(): JsonObject[] {
  const body = server.requests.at(-1)?.body ?? {};
  const list = (body['messages'] ?? body['input']) as JsonObject[];
  return list
    .slice(1)
    .filter(
      ({ role, type }) => role !== 'tool' && role !== 'user' && type !== 'function_call_output',
    );
}

describe('the next turn', () => {
  it.each(turnQuirks)('brings back $quirk ($format)', async ({ format, body, sends }) => {
    const conversation = converse(await openTestModel(server, format));
    server.script(http(body), { does: 'answer', text: 'Done.' });
    const first = await conversation.next({ by: 'user', text: 'hello' }, soon());
    await conversation.next(resultsFor(first.observation.calls), soon());
    expect(sentBack()).toMatchObject(sends);
    expect(sentBack()).toHaveLength(sends.length);
    // What is stored can be played again: it has all that came.
    expect(first.response).toEqual(body);
  });

  it('asks for encrypted reasoning only of models that reason', async () => {
    for (const [model, include] of [
      ['gpt-5.1', ['reasoning.encrypted_content']],
      ['gpt-4.1', undefined],
    ] as const) {
      const conversation = converse(
        await openTestModel(server, 'openai', { configuration: { model } }),
      );
      server.script({ does: 'answer', text: 'Hi.' });
      await conversation.next({ by: 'user', text: 'hello' }, soon());
      expect(server.requests.at(-1)?.body['include']).toEqual(include);
    }
  });

  it.each<[string, number, JsonValue]>([
    [
      'Groq, janhq/jan#8136',
      400,
      { error: { message: "for 'role:assistant' property 'reasoning_content' is unsupported" } },
    ],
    [
      'Mistral, by its path',
      422,
      {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
      },
    ],
    [
      'in words of what not to do',
      400,
      { error: { message: 'The reasoning_content should not be passed back.' } },
    ],
  ])('leaves out what the endpoint refuses to get back (%s)', async (_who, status, said) => {
    const conversation = converse(await openTestModel(server, 'openai-compatible'));
    const call = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'todo__add_task', arguments: '{}' },
    });
    const thinking = (id: string): JsonObject => ({
      choices: [{ message: { content: null, reasoning_content: 'hm', tool_calls: [call(id)] } }],
    });
    const refusal = http(said, status);
    server.script(http(thinking('a')), refusal, http(thinking('b')), {
      does: 'answer',
      text: 'Done.',
    });
    const before = server.requests.length;
    const first = await conversation.next({ by: 'user', text: 'hello' }, soon());
    const second = await conversation.next(resultsFor(first.observation.calls), soon());
    const third = await conversation.next(resultsFor(second.observation.calls), soon());
    expect(third.observation.text).toBe('Done.');
    expect(server.requests.length - before).toBe(4);
    expect(sentBack()).toEqual(
      ['a', 'b'].map((id) => ({ role: 'assistant', content: null, tool_calls: [call(id)] })),
    );
    expect(second.request['messages']).toEqual(server.requests.at(-2)?.body['messages']);
  });

  it('leaves out a member of an item that Responses refuse', async () => {
    const conversation = converse(await openTestModel(server, 'openai'));
    const call = {
      type: 'function_call',
      call_id: 'a',
      name: 'todo__add_task',
      arguments: '{}',
    };
    server.script(
      http({ status: 'completed', output: [{ ...call, status: 'completed' }] }),
      http({ error: { message: "Unknown parameter: 'input[1].status'." } }, 400),
      { does: 'answer', text: 'Done.' },
    );
    const first = await conversation.next({ by: 'user', text: 'hello' }, soon());
    const second = await conversation.next(resultsFor(first.observation.calls), soon());
    expect(second.observation.text).toBe('Done.');
    expect(sentBack()).toEqual([call]);
  });

  it('leaves out an empty message of Messages', async () => {
    const conversation = converse(await openTestModel(server, 'anthropic'));
    server.script(http({ type: 'message', content: [], stop_reason: 'end_turn' }), {
      does: 'answer',
      text: 'Hi.',
    });
    await conversation.next({ by: 'user', text: 'hello' }, soon());
    await conversation.next({ by: 'user', text: 'are you there?' }, soon());
    expect(sentBack()).toEqual([]);
  });

  it('goes without cache markers where the endpoint refuses them', async () => {
    const model = await openTestModel(server, 'anthropic');
    const conversation = converse(model);
    const message = 'tools.1.cache_control: Extra inputs are not permitted';
    server.script(
      { does: 'error', status: 400, type: 'invalid_request_error', message },
      { does: 'answer', text: 'Hi.' },
    );
    await conversation.next({ by: 'user', text: 'hello' }, soon());
    await conversation.next({ by: 'user', text: 'again' }, soon());
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('cache_control');
    expect(model.refused).toMatchObject([{ setting: 'cache_control' }]);
  });

  it('writes {} for arguments that the endpoint can’t parse', async () => {
    const conversation = converse(await openTestModel(server, 'openai-compatible'));
    const call = {
      id: 'a',
      type: 'function',
      function: { name: 'todo__add_task', arguments: '{"n' },
    };
    // vllm-project/vllm#43995.
    const refusal = http({ error: { message: "Expecting ',' delimiter: line 1 column 54" } }, 400);
    server.script(
      http({ choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }),
      refusal,
      { does: 'answer', text: 'Done.' },
    );
    const first = await conversation.next({ by: 'user', text: 'hello' }, soon());
    const second = await conversation.next(resultsFor(first.observation.calls), soon());
    expect(second.observation.text).toBe('Done.');
    expect(sentBack()).toMatchObject([{ tool_calls: [{ function: { arguments: '{}' } }] }]);
  });
});

it('docs/guide/endpoints.md lists every quirk of these tests, and no other', () => {
  const page = readFileSync(
    new URL('../../../../docs/guide/endpoints.md', import.meta.url),
    'utf8',
  );
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const listed = rows
    .filter(([, quirk = '', , who]) => who !== undefined && !/^(?:---|The )/.test(quirk))
    .map(([, quirk, , who]) => `${quirk} | ${who}`);
  const tested = [...answerQuirks, ...errorQuirks, ...turnQuirks].map(
    ({ quirk, who }) => `${quirk} | ${who}`,
  );
  expect(listed.toSorted()).toEqual(tested.toSorted());
  expect(new Set(tested).size).toBe(tested.length);
});
