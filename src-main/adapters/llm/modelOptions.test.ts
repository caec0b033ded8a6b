import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { remoteProviders } from '../../../src-shared/domain/provider.ts';
import {
  ask,
  noteWaits,
  openTestModel,
  testKey,
  tool,
} from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { createModelAccess } from './openChatModel.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { selfReportQuestion } from './wire/selfReport.ts';

let server: FakeModelServer;
beforeAll(
  async () => void (server = await startFakeModelServer({ models: ['b-model', 'a-model'] })),
);
afterAll(() => server[Symbol.asyncDispose]());
const soon = () => AbortSignal.timeout(10_000);
const address: JsonObject = {
  type: 'object',
  properties: { street: { type: 'string' }, number: { type: 'integer' } },
  required: ['street'],
};

describe.each(remoteProviders)('options of %s', (provider) => {
  const path = provider === 'anthropic' ? '' : '/v1';
  it('sends the reasoning effort that it shows, and keeps the reasoning', async () => {
    const model = await openTestModel(server, provider, {
      configuration: { reasoningEffort: 'high' },
    });
    server.script({ does: 'answer', thought: 'It is a greeting.', text: 'Hello.' });
    const { observation } = await model.choose(ask('hello'), soon());
    expect(observation).toMatchObject({
      reasoning: 'It is a greeting.',
      text: 'Hello.',
      stopReason: 'answered',
    });
    expect(model.sent).toMatchObject({ reasoning_effort: 'high' });
    const { body } = server.requests.at(-1)!;
    expect(body['reasoning_effort'] ?? body['reasoning'] ?? body['output_config']).toEqual(
      provider === 'openai'
        ? { effort: 'high' }
        : provider === 'anthropic'
          ? { effort: 'high' }
          : 'high',
    );
  });

  it('rejects an unsupported reasoning effort when it opens the model', async () => {
    const wrong = provider === 'anthropic' ? 'minimal' : 'max';
    await expect(
      openTestModel(server, provider, { configuration: { reasoningEffort: wrong } }),
    ).rejects.toMatchObject({ code: 'INVALID', data: { field: 'reasoningEffort' } });
  });

  it('T41: sends 128 tools, and nothing for 129 tools or a context that is too long', async () => {
    const model = await openTestModel(server, provider, {
      configuration: { contextTokens: 6_000 },
    });
    const before = server.requests.length;
    const large = [
      tool(
        'a',
        { type: 'object', properties: {} },
        's',
        'many words in a description '.repeat(1_000),
      ),
    ];
    await expect(model.choose(ask('x', large), soon())).rejects.toMatchObject({
      kind: 'provider',
      fatal: false,
      message: expect.stringMatching(
        /About \d,\d{3} tokens would be sent \(\d,\d{3} of them tools\), and the model takes 6,000.*Nothing was sent/,
      ),
    });
    await expect(model.choose(ask('long words '.repeat(3_000)), soon())).rejects.toMatchObject({
      message: expect.stringContaining('Nothing was sent'),
    });
    const many = (count: number) => Array.from({ length: count }, (_, index) => tool(`t${index}`));
    const plain = await openTestModel(server, provider);
    await expect(plain.choose(ask('x', many(129)), soon())).rejects.toMatchObject({
      message: expect.stringMatching(/^129 tools are offered, and .* takes 128\. Nothing was sent/),
    });
    expect(server.requests).toHaveLength(before);
    for (const count of [127, 128]) await plain.choose(ask('x', many(count)), soon());
    expect(server.requests.slice(before).map(({ toolNames }) => toolNames.length)).toEqual([
      127, 128,
    ]);
  });

  it('T42 T44: answers calls with stubs up to the last turn, and collects all calls', async () => {
    const access = createModelAccess({
      secrets: createSecrets({ memory: new Map([[provider, testKey]]), environment: {} }),
      timing: noteWaits(),
    });
    const model = await access.open(
      { ...(await configurationOf(provider)), baseUrl: server.origin + path },
      { maxTurns: 3 },
    );
    expect(model.sent['max_turns']).toBe(3);
    const call = (name: string, args: JsonObject | string, id: string) => ({
      name,
      arguments: args,
      id,
    });
    server.script(
      {
        does: 'answer',
        thought: 'First look.',
        calls: [
          call('todo__list', {}, 'c1'),
          call('nobody', {}, 'c2'),
          call('todo__add', '{"a":', 'c3'),
        ],
        usage: { input: 10, output: 1 },
      },
      {
        does: 'answer',
        calls: [call('todo__add', { title: 'x' }, 'c4')],
        usage: { input: 20, output: 2 },
      },
      {
        does: 'answer',
        calls: [call('todo__add', { title: 'y' }, 'c5')],
        usage: { input: 30, output: 3 },
      },
    );
    const before = server.requests.length;
    const request = ask('go', [tool('list'), tool('add')], {
      turns: { maximum: 3, stubs: [{ server: 'todo', tool: 'list', result: [{ id: 7 }] }] },
    });
    const { observation, response } = await model.choose(request, soon());
    expect(server.requests.length - before).toBe(3);
    expect(server.requests.at(-1)?.results).toEqual([
      { id: 'c1', text: '[{"id":7}]', isError: false },
      {
        id: 'c2',
        text: expect.stringContaining('no tool named "nobody"'),
        isError: provider === 'anthropic',
      },
      { id: 'c3', text: "The arguments aren't a JSON object.", isError: provider === 'anthropic' },
      { id: 'c4', text: 'accepted, not executed', isError: false },
    ]);
    const messages = server.requests.at(-1)?.body['messages'];
    if (provider === 'anthropic' && Array.isArray(messages))
      expect(messages.map((message) => (message as JsonObject)['role'])).toEqual([
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
      ]);
    expect(observation.calls.map(({ name }) => name)).toEqual([
      'todo__list',
      'nobody',
      'todo__add',
      'todo__add',
      'todo__add',
    ]);
    expect(observation).toMatchObject({
      stopReason: 'called',
      usage: { input: 60, output: 6, source: 'measured' },
      details: { turns: 3, stopped: expect.stringContaining('3 turns') },
    });
    expect(response).toMatchObject({ turns: [{}, {}, {}] });
  });

  it('asks for a self-report in a conversation of its own, whose errors do not fail the run', async () => {
    const model = await openTestModel(server, provider, {
      configuration: { confidence: 'self_report', maxRetries: 0 },
    });
    const before = server.requests.length;
    server.script(
      {
        does: 'answer',
        calls: [{ name: 'todo__add_task', arguments: {} }],
        usage: { input: 100, output: 5 },
      },
      { does: 'answer', text: 'I am 85 % sure.', usage: { input: 40, output: 2 } },
    );
    const { observation, request } = await model.choose(ask('add'), soon());
    expect(observation).toMatchObject({
      confidence: { score: 0.85, method: 'self_report' },
      usage: { input: 100, output: 5 },
      details: { followUp: 'I am 85 % sure.', followUpTokens: { input: 40, output: 2 } },
    });
    const [asked, followUp] = server.requests.slice(before);
    expect(asked?.query).toBe('add');
    expect(followUp).toMatchObject({ query: selfReportQuestion, toolNames: [] });
    expect(JSON.stringify(request)).not.toContain(selfReportQuestion);
    server.script(
      { does: 'answer', calls: [{ name: 'todo__add_task', arguments: {} }] },
      { does: 'http', status: 500, body: 'broken' },
    );
    expect((await model.choose(ask('add'), soon())).observation).toMatchObject({
      confidence: null,
      stopReason: 'called',
      details: { followUp: expect.stringContaining('could not be reached') },
    });
  });

  it('sends strict schemas where supported, and drops the nulls that they add', async () => {
    const model = await openTestModel(server, provider, { configuration: { strict: true } });
    const tools = [
      tool('add', {
        type: 'object',
        properties: { title: { type: 'string' }, note: { type: 'string' }, at: address },
        required: ['title'],
      }),
      tool('free', { type: 'object' }),
    ];
    server.script({
      does: 'answer',
      calls: [
        {
          name: 'todo__add',
          arguments: { title: 'x', note: null, at: { street: 's', number: null } },
        },
      ],
    });
    const { observation } = await model.choose(ask('add', tools), soon());
    if (provider === 'anthropic') {
      expect(model.sent['strict']).toBeNull();
      return;
    }
    expect(model.sent['strict']).toBe(true);
    expect(observation.calls[0]?.arguments).toEqual({ title: 'x', at: { street: 's' } });
    expect(observation.details).toMatchObject({
      relaxations: [expect.stringContaining('todo:free #: strict mode off')],
    });
  });

  it('sends deferred tools with their search where supported, and shows what was loaded', async () => {
    const model = await openTestModel(server, provider, { configuration: { deferTools: true } });
    server.script({
      does: 'answer',
      found: ['todo__add_task'],
      calls: [{ name: 'todo__add_task', arguments: {} }],
    });
    const { observation } = await model.choose(ask('add'), soon());
    const { body } = server.requests.at(-1)!;
    if (provider === 'openai-compatible') {
      expect(model.sent['defer_tools']).toBeNull();
      expect(JSON.stringify(body)).not.toContain('defer');
      return;
    }
    expect(model.sent['defer_tools']).toBe(true);
    expect(JSON.stringify(body['tools'])).toMatch(/^\[\{"type":"tool_search/);
    expect(observation).toMatchObject({
      calls: [{ server: 'todo', tool: 'add_task' }],
      details: { loaded: ['todo:add_task'] },
    });
    expect(model.describeTools([tool('add_task'), tool('delete_task')])).toEqual(body['tools']);
  });

  it('lists all models sorted, with the key, and rejects an address without a list', async () => {
    const access = createModelAccess({
      secrets: createSecrets({ memory: new Map([[provider, testKey]]), environment: {} }),
      timing: noteWaits(),
    });
    expect((await access.list({ provider, baseUrl: server.origin + path }, soon())).models).toEqual(
      ['a-model', 'b-model'],
    );
    expect(JSON.stringify(server.requests.at(-1)?.headers)).toContain(testKey);
    await expect(
      access.list({ provider, baseUrl: `${server.origin}/nothing` }, soon()),
    ).rejects.toMatchObject({
      code: 'TROUBLE',
      message: expect.stringContaining('lists no models'),
    });
  });

  it('T62: shows no key when a model is inspected', async () => {
    const model = await openTestModel(server, provider);
    expect(inspect(model, { depth: 20, showHidden: true })).not.toContain(testKey);
  });
});

async function configurationOf(provider: (typeof remoteProviders)[number]) {
  const { modelConfiguration } = await import('../../../src-shared/domain/model.ts');
  return modelConfiguration.parse({ provider, model: 'fake-model' });
}

describe('confidence from logprobs', () => {
  it("multiplies the probabilities of the name's tokens; null where there are none", async () => {
    const model = await openTestModel(server, 'openai-compatible', {
      configuration: { confidence: 'logprobs' },
    });
    const token = (text: string, probability: number) => ({
      token: text,
      logprob: Math.log(probability),
    });
    server.script({
      does: 'answer',
      calls: [{ name: 'todo__add_task', arguments: {} }],
      logprobs: [
        token('{"name": "', 0.1),
        token('todo__', 0.9),
        token('add_task', 0.5),
        token('"}', 0.1),
      ],
    });
    expect((await model.choose(ask('add'), soon())).observation.confidence).toEqual({
      score: expect.closeTo(0.45),
      method: 'logprobs',
    });
    expect(server.requests.at(-1)?.body['logprobs']).toBe(true);
    server.script({ does: 'answer', calls: [{ name: 'todo__add_task', arguments: {} }] });
    expect((await model.choose(ask('add'), soon())).observation.confidence).toBeNull();
    const responses = await openTestModel(server, 'openai', {
      configuration: { confidence: 'logprobs' },
    });
    expect(responses.sent['confidence']).toBeNull();
  });
});
