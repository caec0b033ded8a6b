import { describe, expect, it } from 'vitest';
import { costOf } from '../../../src-shared/domain/price.ts';
import { remoteProviders } from '../../../src-shared/domain/provider.ts';
import { openTestModel, tool } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import type { Conversation } from './chatModel.ts';

const soon = () => AbortSignal.timeout(20_000);
/** About 1,500 tokens in the fake server, which counts four characters as one. */
const longText = 'Use the tools. '.repeat(400);
const tools = [tool('add_task', { type: 'object' }, 'todo', longText), tool('delete_task')];

async function converse(
  server: FakeModelServer,
  provider: (typeof remoteProviders)[number],
  system: string | null = 'Be brief.',
): Promise<Conversation> {
  const model = await openTestModel(server, provider);
  if (!model.converse) throw new Error('The model has no conversations.');
  return model.converse({ system, messages: [], tools, repetition: 1 });
}

/** A conversation of three steps, of which the second answers `calls` parallel calls. */
async function threeSteps(conversation: Conversation, server: FakeModelServer, calls = 1) {
  const ids = Array.from({ length: calls }, (_, at) => `c${at}`);
  server.script(
    { does: 'answer', calls: ids.map((id) => ({ id, name: 'todo__add_task', arguments: {} })) },
    { does: 'answer', text: 'Added.' },
    { does: 'answer', text: 'You are welcome.' },
  );
  const results = ids.map((id) => ({ id, text: `result ${id}`, isError: false }));
  const replies = [
    await conversation.next({ by: 'user', text: 'Add milk.' }, soon()),
    await conversation.next({ by: 'tools', results }, soon()),
    await conversation.next({ by: 'user', text: 'Thanks!' }, soon()),
  ];
  return replies.map(({ observation }) => observation.usage);
}

/** The number of cache markers in a request. */
const markers = (body: unknown): number =>
  JSON.stringify(body).split('"cache_control":').length - 1;

describe.each(remoteProviders)('the prompt cache of %s', (provider) => {
  it('is read from the second step on, and its tokens are part of the input', async () => {
    await using server = await startFakeModelServer({ cacheFrom: 1024 });
    const usages = await threeSteps(await converse(server, provider), server);
    expect(usages[0]?.cacheRead).toBeUndefined();
    for (const usage of usages.slice(1)) {
      expect(usage?.cacheRead).toBeGreaterThan(1024);
      expect(usage?.cacheRead).toBeLessThan(usage?.input ?? 0);
    }
    expect(usages.map((usage) => usage?.cacheWrite !== undefined)).toEqual(
      provider === 'anthropic' ? [true, true, true] : [false, false, false],
    );
  });

  it('is not used for a prompt that is too short', async () => {
    await using server = await startFakeModelServer({ cacheFrom: 100_000 });
    const usages = await threeSteps(await converse(server, provider), server);
    for (const usage of usages) {
      expect(usage?.source).toBe('measured');
      expect(usage).not.toHaveProperty('cacheRead');
      expect(usage).not.toHaveProperty('cacheWrite');
    }
  });
});

describe('markers for Anthropic', () => {
  it('are at most four: tools, system prompt, and the last two user messages', async () => {
    await using server = await startFakeModelServer({ cacheFrom: 1024 });
    await threeSteps(await converse(server, 'anthropic'), server);
    expect(server.requests.map(({ body }) => markers(body))).toEqual([3, 4, 4]);
    expect(server.requests.map(({ body }) => markers(body['tools']))).toEqual([1, 1, 1]);
  });

  it('need no system prompt', async () => {
    await using server = await startFakeModelServer({ cacheFrom: 1024 });
    await threeSteps(await converse(server, 'anthropic', null), server);
    expect(server.requests.map(({ body }) => markers(body))).toEqual([2, 3, 3]);
  });

  it('find the cache behind a message of 100 results', async () => {
    await using server = await startFakeModelServer({ cacheFrom: 1024 });
    const usages = await threeSteps(await converse(server, 'anthropic'), server, 100);
    // The third step reads what the second one wrote: all but its own answer and the new turn.
    const [, second, third] = usages;
    expect((third?.input ?? 0) - (third?.cacheRead ?? 0)).toBeLessThan(100);
    expect(third?.cacheRead).toBe((second?.cacheRead ?? 0) + (second?.cacheWrite ?? 0));
  });

  it('are not set for a test case, which is one request', async () => {
    await using server = await startFakeModelServer({ cacheFrom: 1024 });
    const model = await openTestModel(server, 'anthropic');
    const request = { query: 'Hi', system: 'Be brief.', messages: [], tools, repetition: 1 };
    await model.choose(request, soon());
    expect(markers(server.requests[0]?.body)).toBe(0);
  });
});

describe('the fake server', () => {
  const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
  it.each([
    ['five markers', { messages: [{ role: 'user', content: Array(5).fill(marked) }] }],
    [
      'a marker on an empty text',
      { messages: [{ role: 'user', content: [{ ...marked, text: ' ' }] }] },
    ],
    [
      'an unknown kind of marker',
      {
        messages: [{ role: 'user', content: [{ ...marked, cache_control: { type: 'forever' } }] }],
      },
    ],
  ])('refuses %s', async (_, body) => {
    await using server = await startFakeModelServer();
    const answer = await fetch(`${server.origin}/v1/messages`, {
      method: 'POST',
      headers: { 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'm', max_tokens: 1, ...body }),
    });
    expect(answer.status).toBe(400);
  });
});

describe('the cost of cached input', () => {
  const tokens = { input: 10_000, output: 100, cacheRead: 6_000, cacheWrite: 3_000 };
  it('uses the prices of cache reads and writes', () => {
    // (1,000 × 3 + 6,000 × 0.3 + 3,000 × 3.75 + 100 × 15) ÷ 1,000,000
    const price = { inputUsd: 3, outputUsd: 15, cacheReadUsd: 0.3, cacheWriteUsd: 3.75 };
    expect(costOf(tokens, price)).toBeCloseTo(0.01755, 12);
  });
  it('is that of other input for a model without such prices', () => {
    expect(costOf(tokens, { inputUsd: 3, outputUsd: 15 })).toBeCloseTo(0.0315, 12);
  });
});
