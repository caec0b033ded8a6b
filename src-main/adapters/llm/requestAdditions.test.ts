import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import { remoteProviders, type RemoteProvider } from '../../../src-shared/domain/provider.ts';
import { ask, openTestModel, testKey, tool } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';

let server: FakeModelServer;
beforeAll(async () => void (server = await startFakeModelServer()));
afterAll(() => server[Symbol.asyncDispose]());
const soon = () => AbortSignal.timeout(20_000);
const last = () => server.requests.at(-1);

describe.each(remoteProviders)('additions to requests to %s', (provider) => {
  it('are sent with each request, and are part of its settings', async () => {
    const model = await openTestModel(server, provider, {
      configuration: {
        headers: { 'X-Tier': 'fast' },
        query: { v: '2' },
        body: { top_p: 0.5, tool_choice: 'required', parallel_tool_calls: false },
      },
    });
    await model.choose(ask('add_task'), soon());
    expect(last()?.headers['x-tier']).toBe('fast');
    expect(last()?.search).toBe('?v=2');
    expect(last()?.body).toMatchObject({ top_p: 0.5, tool_choice: 'required' });
    expect(model.sent).toMatchObject({
      headers: '{"X-Tier":"fast"}',
      query: '{"v":"2"}',
      tool_choice: 'required',
    });
    // What only goes with tools is left out where none are offered.
    await model.choose(ask('hello', []), soon());
    expect(last()?.body).toMatchObject({ top_p: 0.5 });
    expect(last()?.body).not.toHaveProperty('parallel_tool_calls');
  });

  it('leave out the key where a header signs in', async () => {
    const model = await openTestModel(server, provider, {
      configuration: { headers: { 'api-key': 'own-0123456789' } },
    });
    await model.choose(ask('add_task'), soon());
    expect(last()?.headers['api-key']).toBe('own-0123456789');
    expect(JSON.stringify(last()?.headers)).not.toContain(testKey);
    const withoutKey = await openTestModel(server, provider, {
      key: null,
      configuration: { headers: { Authorization: 'Bearer own-0123456789' } },
    });
    await withoutKey.choose(ask('add_task'), soon());
    expect(last()?.headers.authorization).toBe('Bearer own-0123456789');
  });

  it('keep the query of the base URL and append it to the path', async () => {
    const path = provider === 'anthropic' ? '' : '/v1';
    const model = await openTestModel(server, provider, {
      configuration: {
        baseUrl: `${server.origin}${path}?api-version=2024-10-21`,
        query: { v: '2' },
      },
    });
    await model.choose(ask('add_task'), soon());
    expect(last()?.search).toBe('?api-version=2024-10-21&v=2');
  });

  it('are refused in a base URL where they are a credential', async () => {
    await expect(
      openTestModel(server, provider, {
        configuration: { baseUrl: `${server.origin}/v1?api_key=0123456789abcdef` },
      }),
    ).rejects.toMatchObject({
      data: { cause: expect.stringContaining('api_key is a credential') },
    });
  });

  it('never replace the content of a request', () => {
    const faultOf = (more: object) =>
      modelConfiguration.safeParse({ provider, model: 'm', ...more }).error?.issues[0]?.message;
    for (const body of [{ model: 'x' }, { messages: [] }, { tools: [] }, { temperature: 1 }])
      expect(faultOf({ body })).toMatch(/ is decided by the .* Remove it here\.$/);
    expect(faultOf({ headers: { Host: 'x' } })).toMatch(/^The connection sets the header Host/);
    for (const headers of [{ 'content-length': '1' }, { 'a b': '1' }, { a: 'x\ny' }, { '': '1' }])
      expect(faultOf({ headers })).toBeDefined();
  });

  it('leave temperature out where the configuration sends none', async () => {
    const model = await openTestModel(server, provider, { configuration: { temperature: null } });
    await model.choose(ask('add_task'), soon());
    expect(last()?.body).not.toHaveProperty('temperature');
    expect(model.sent['temperature']).toBeNull();
  });
});

it('reads a base URL of the Messages format with or without /v1', async () => {
  for (const path of ['', '/v1', '/v1/']) {
    const baseUrl = `${server.origin}${path}`;
    const model = await openTestModel(server, 'anthropic', { configuration: { baseUrl } });
    await model.choose(ask('add_task'), soon());
    expect(last()?.path).toBe('/v1/messages');
  }
});

/** A model whose provider sends a temperature to it. */
const withTemperature: Record<RemoteProvider, string> = {
  openai: 'gpt-4.1',
  anthropic: 'claude-opus-4-6',
  'openai-compatible': 'any',
};

describe.each(remoteProviders)('a setting that %s refuses', (provider) => {
  const open = (more: object = {}) =>
    openTestModel(server, provider, {
      configuration: { model: withTemperature[provider], ...more },
    });
  const refuse = (message: string) =>
    server.script({ does: 'error', status: 400, type: 'invalid_request_error', message });

  it('is left out of the repeated request and of all that follow', async () => {
    const model = await open();
    refuse("Unsupported parameter: 'temperature' is not supported with this model.");
    const before = server.requests.length;
    const { observation, request } = await model.choose(ask('add_task'), soon());
    const sent = server.requests.slice(before).map(({ body }) => 'temperature' in body);
    expect(sent).toEqual([true, false]);
    expect(observation.calls).toHaveLength(1);
    // The stored request is the one that was answered.
    expect(request).not.toHaveProperty('temperature');
    await model.choose(ask('delete_task'), soon());
    expect(last()?.body).not.toHaveProperty('temperature');
    const refused = [expect.objectContaining({ setting: 'temperature', instead: null })];
    expect(model.refused).toEqual(refused);
    expect(observation.details).toMatchObject({ refused });
    // The settings that identify a run don't change while it runs.
    expect(model.sent['temperature']).toBe(0.4);
  });

  it('is told from others, one after the other', async () => {
    const model = await open({ body: { seed: 7, top_p: 0.5 } });
    refuse("Unknown parameter: 'seed'.");
    refuse('`temperature` and `top_p` cannot both be specified for this model.');
    await model.choose(ask('add_task'), soon());
    expect(model.refused?.map(({ setting }) => setting)).toEqual(['seed', 'temperature']);
    expect(last()?.body).toMatchObject({ top_p: 0.5 });
  });

  it('is known from the start where the same evaluation goes on', async () => {
    const first = await open();
    refuse('`temperature` is deprecated for this model.');
    const conversation = first.converse?.({ system: null, messages: [], tools: [], repetition: 1 });
    await conversation?.next({ by: 'user', text: 'hello' }, soon());
    expect(last()?.body).not.toHaveProperty('temperature');
    expect(first.refused).toHaveLength(1);
  });

  it('ends the run where the error is about something else', async () => {
    const model = await open();
    refuse('temperature: Input should be less than or equal to 1');
    await expect(model.choose(ask('add_task'), soon())).rejects.toThrow(/less than or equal/);
    expect(model.refused).toEqual([]);
  });

  it('is streaming, where the endpoint answers no other way', async () => {
    const model = await open();
    refuse('stream must be true');
    const data = {
      openai: [
        {
          type: 'response.completed',
          response: {
            status: 'completed',
            output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }],
          },
        },
      ],
      'openai-compatible': [
        { choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] },
      ],
      anthropic: [
        { type: 'message_start', message: { type: 'message', content: [] } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi.' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      ],
    }[provider];
    server.script({
      does: 'http',
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: data.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
    });
    const before = server.requests.length;
    const { observation } = await model.choose(ask('hello', [tool('add_task')]), soon());
    const streamed = server.requests.slice(before).map(({ body }) => body['stream'] === true);
    expect(streamed.slice(0, 2)).toEqual([false, true]);
    expect(observation).toMatchObject({ text: 'Hi.', stopReason: 'answered' });
    expect(model.refused).toMatchObject([{ setting: 'stream', instead: 'stream' }]);
  });
});

it('asks for usage where Chat Completions are streamed', async () => {
  const model = await openTestModel(server, 'openai-compatible', {
    configuration: { stream: true },
  });
  await model.choose(ask('add_task'), soon());
  expect(last()?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect(model.sent['stream']).toBe(true);
});

describe('strict mode that an endpoint refuses', () => {
  it.each(['openai', 'openai-compatible'] as const)(
    'is off from then on with %s',
    async (provider) => {
      const schema = { type: 'object', properties: { n: { type: 'integer' } } };
      const tools = [tool('add_task', schema)];
      const options = { configuration: { model: 'gpt-4.1' } };
      const model = await openTestModel(server, provider, {
        configuration: { ...options.configuration, strict: true },
      });
      const message = "Unknown parameter: 'tools[0].function.strict'.";
      server.script({ does: 'error', status: 400, type: 'invalid_request_error', message });
      await model.choose(ask('add_task', tools), soon());
      expect(model.refused?.map(({ setting }) => setting)).toEqual(['strict']);
      const { body } = last()!;
      await (await openTestModel(server, provider, options)).choose(ask('add_task', tools), soon());
      expect(body).toEqual(last()?.body);
    },
  );
});

it('gives up where an endpoint refuses both ways', async () => {
  const model = await openTestModel(server, 'openai-compatible');
  for (const message of ['stream must be true', "'stream' is not supported."])
    server.script({ does: 'error', status: 400, type: 'invalid_request_error', message });
  await expect(model.choose(ask('add_task'), soon())).rejects.toThrow(/'stream' is not supported/);
});
