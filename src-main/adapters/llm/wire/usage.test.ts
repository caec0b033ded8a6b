import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { countTokens } from '../../../analysis/tokens/encodings.ts';
import { type RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import { ask, openTestModel, tool } from '../../../testing/fakeModelServer/openTestModel.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
  type FakeModelServerOptions,
} from '../../../testing/fakeModelServer/start.ts';
import type { Reaction } from '../../../testing/fakeModelServer/react.ts';
import { plannedWire } from '../plannedWire.ts';

const silent: Reaction = {
  does: 'answer',
  text: 'Done so.',
  usage: null,
  calls: [{ name: 'todo__add_task', arguments: { title: 'tea' } }],
};
const limit = () => AbortSignal.timeout(5_000);
let server: FakeModelServer;
const serve = async (options: FakeModelServerOptions) => {
  await server[Symbol.asyncDispose]();
  server = await startFakeModelServer(options);
};
const counts = () =>
  server.requests.filter(
    ({ path }) => path.endsWith('/count_tokens') || path.endsWith('/input_tokens'),
  );
/** What the same tools, query and answer take in cl100k_base. */
const estimated = (provider: RemoteProvider, query: string) => {
  const wire = plannedWire(modelConfiguration.parse({ provider, model: 'fake-model' }));
  const tools = ask(query).tools.map((each) => wire?.describeTool(each).slice(1, -1) ?? '');
  return {
    input: countTokens(`[${tools.join(',')}]`) + countTokens(query),
    output:
      countTokens('Done so.') + countTokens('todo__add_task') + countTokens('{"title":"tea"}'),
    source: 'estimated',
  };
};

beforeEach(async () => {
  server = await startFakeModelServer();
});
afterEach(() => server[Symbol.asyncDispose]());

describe.each(['openai', 'anthropic'] as const)('usage that %s leaves out', (provider) => {
  it('counts the input of the very request at the endpoint', async () => {
    await serve({ rule: () => silent, counted: () => 321 });
    const model = await openTestModel(server, provider);
    const { observation, request } = await model.choose(ask('tea please'), limit());
    expect(observation.usage).toEqual({
      ...estimated(provider, 'tea please'),
      input: 321,
      source: 'counted',
    });
    const [counted] = counts();
    // The very request: the same conversation and the same tools.
    expect(counted?.body['messages'] ?? counted?.body['input']).toEqual(
      request['messages'] ?? request['input'],
    );
    expect(counted?.body['tools']).toEqual(model.describeTools(ask('').tools));
  });

  it('estimates after one failed count, without failing the run', async () => {
    for (const counted of [
      null,
      () => ({ does: 'http', status: 200, body: '<html>' }) as const,
      () =>
        ({ does: 'error', status: 429, type: 'rate_limit_error', message: 'Slow down.' }) as const,
    ]) {
      await serve({ rule: () => silent, counted });
      const model = await openTestModel(server, provider);
      for (const query of ['tea please', 'coffee please'])
        expect((await model.choose(ask(query), limit())).observation.usage).toEqual(
          estimated(provider, query),
        );
      expect(counts()).toHaveLength(1);
    }
  });

  it('T37: ends a count on cancel', async () => {
    await serve({ rule: () => silent, counted: () => ({ does: 'stall before headers' }) });
    const stop = new AbortController();
    const asked = openTestModel(server, provider).then((model) =>
      model.choose(ask('tea please'), stop.signal),
    );
    await server.seen(2);
    stop.abort();
    await expect(asked).rejects.toThrow();
  });

  it('counts before the start without an answer, and throws where it cannot', async () => {
    await serve({ counted: () => 77 });
    const model = await openTestModel(server, provider);
    expect(await model.countInput?.(ask('tea please'), limit())).toBe(77);
    expect(server.requests.map(({ path }) => path)).toEqual([
      provider === 'openai' ? '/v1/responses/input_tokens' : '/v1/messages/count_tokens',
    ]);
    await serve({ counted: null });
    await expect(
      (await openTestModel(server, provider)).countInput?.(ask('tea please'), limit()),
    ).rejects.toThrow(/404/);
  });

  it('estimates the tokens of the follow-up question', async () => {
    await serve({
      rule: (request) =>
        request.toolNames.length > 0 ? silent : { does: 'answer', text: '90', usage: null },
      counted: null,
    });
    const { observation } = await (
      await openTestModel(server, provider, { configuration: { confidence: 'self_report' } })
    ).choose(ask('tea please'), limit());
    expect(observation).toMatchObject({
      confidence: { score: 0.9 },
      details: { followUpTokens: { output: countTokens('90'), source: 'estimated' } },
    });
  });
});

it('estimates Chat Completions with tools, turns and calls', async () => {
  await serve({
    rule: (request) =>
      request.results.length === 0 ? silent : { does: 'answer', text: 'It is done.', usage: null },
  });
  const model = await openTestModel(server, 'openai-compatible');
  const one = (await model.choose(ask('tea please'), limit())).observation.usage;
  expect(one).toEqual(estimated('openai-compatible', 'tea please'));
  const turns = await (
    await openTestModel(server, 'openai-compatible')
  ).choose(
    ask('tea please', [tool('add_task'), tool('delete_task')], {
      turns: { maximum: 3, stubs: [] },
    }),
    limit(),
  );
  const second =
    (one?.input ?? 0) +
    (one?.output ?? 0) +
    countTokens(server.requests.at(-1)?.results[0]?.text ?? '');
  expect(turns.observation.usage).toEqual({
    input: (one?.input ?? 0) + second,
    output: (one?.output ?? 0) + countTokens('It is done.'),
    source: 'estimated',
  });
  expect(counts()).toHaveLength(0);
  await expect(model.countInput?.(ask('tea please'), limit())).rejects.toThrow(
    /no API that counts/,
  );
});

it('calls a run estimated where one of its turns is', async () => {
  await serve({
    rule: (request) =>
      request.results.length === 0
        ? { ...silent, usage: { input: 10, output: 2 } }
        : { does: 'answer', text: 'It is done.', usage: null },
  });
  const { observation } = await (
    await openTestModel(server, 'openai-compatible')
  ).choose(
    ask('tea please', [tool('add_task'), tool('delete_task')], {
      turns: { maximum: 3, stubs: [] },
    }),
    limit(),
  );
  expect(observation.usage?.source).toBe('estimated');
});
