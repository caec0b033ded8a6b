import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import type { Reaction } from '../../../testing/fakeModelServer/react.ts';
import { remoteProviders, type RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import { ask, noteWaits, openTestModel } from '../../../testing/fakeModelServer/openTestModel.ts';
import { ChatFailure } from '../chatModel.ts';
import { classifyFailure } from './classifyFailure.ts';
import { systemTiming } from './timing.ts';

const limited = (retryAfter?: string): Reaction => ({
  does: 'error',
  status: 429,
  type: 'rate_limit_error',
  message: 'Slow down.',
  ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
});
const page = '<html><body>Sign in to the hotel network</body></html>';
const never = new AbortController().signal;

let server: FakeModelServer;
beforeAll(async () => void (server = await startFakeModelServer()));
afterAll(() => server[Symbol.asyncDispose]());

/**
 * The failure of one request to a server that reacts so, with the waits before it and the requests
 * made.
 */
async function fail(provider: RemoteProvider, reactions: Reaction[], maxRetries = 2) {
  const timing = noteWaits();
  const model = await openTestModel(server, provider, { timing, configuration: { maxRetries } });
  const before = server.requests.length;
  server.script(...reactions);
  const error = await model.choose(ask('add_task'), never).then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, waits: timing.waits, requests: server.requests.length - before };
}

describe.each(remoteProviders)('errors of %s', (provider) => {
  it.each<[string, string | undefined, number]>([
    ['of seconds', '1', 1_000],
    ['over half a minute', '60', 60_000],
    ['as a date', 'Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
    ['as a date in the past', 'Thu, 01 Jan 2015 00:00:05 GMT', 0],
    ['that is no number', 'NaN', 500],
    ['that is negative', '-5', 500],
    ['absent', undefined, 500],
  ])(
    'T37: honors a Retry-After %s and takes the answer that follows',
    async (_, retryAfter, expected) => {
      const { error, waits, requests } = await fail(provider, [limited(retryAfter)]);
      expect({ error, waits, requests }).toEqual({ error: null, waits: [expected], requests: 2 });
    },
  );

  it.each([
    ['91', '2026-01-01T00:01:31.000Z'],
    ['277403', '2026-01-04T05:03:23.000Z'],
    ['Sun, 04 Jan 2026 00:00:00 GMT', '2026-01-04T00:00:00.000Z'],
    ['1e3', null],
    ['9'.repeat(30), 'a date too far in the future'],
  ])(
    'T37: stops with the time instead of waiting for a Retry-After of %s',
    async (retryAfter, until) => {
      const { error, waits, requests } = await fail(provider, [limited(retryAfter)]);
      if (until === null) {
        expect({ error, waits }).toEqual({ error: null, waits: [500] });
        return;
      }
      expect({ waits, requests }).toEqual({ waits: [], requests: 1 });
      expect(error).toMatchObject({
        kind: 'provider',
        fatal: true,
        message: expect.stringContaining(`wait until ${until}`),
      });
    },
  );

  it('T37: never retries spent quota or a refused key, and stops the evaluation', async () => {
    const quota: Reaction =
      provider === 'anthropic'
        ? {
            does: 'error',
            status: 400,
            type: 'invalid_request_error',
            message: 'Your credit balance is too low to access the Anthropic API.',
          }
        : {
            does: 'error',
            status: 429,
            type: 'insufficient_quota',
            code: 'insufficient_quota',
            message: 'You exceeded your current quota.',
            headers: { 'retry-after': '1' },
          };
    for (const [reaction, says] of [
      [quota, 'out of quota'],
      [{ does: 'error', status: 402, type: 'billing_error', message: 'Pay.' }, 'out of quota'],
      [
        { does: 'error', status: 401, type: 'authentication_error', message: 'Bad key' },
        '. The key was rejected',
      ],
      [
        { does: 'error', status: 403, type: 'permission_error', message: 'Not yours.' },
        'key was rejected',
      ],
      [
        { does: 'error', status: 404, type: 'not_found_error', message: 'No such model.' },
        'Check the model name',
      ],
    ] satisfies [Reaction, string][]) {
      const { error, waits, requests } = await fail(provider, [reaction]);
      expect({ waits, requests }).toEqual({ waits: [], requests: 1 });
      expect(error).toMatchObject({
        kind: 'provider',
        fatal: true,
        message: expect.stringContaining(says),
      });
    }
  });

  it('T38: retries overload and lost connections with growing waits, then reports them', async () => {
    const overloaded: Reaction = {
      does: 'error',
      status: 529,
      type: 'overloaded_error',
      message: 'Overloaded',
    };
    expect(
      await fail(provider, [overloaded, { does: 'reset' }, { does: 'cut off' }], 3),
    ).toMatchObject({ error: null, waits: [500, 1_000, 2_000], requests: 4 });
    const { error, waits } = await fail(
      provider,
      Array.from({ length: 7 }, () => overloaded),
      6,
    );
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(error).toMatchObject({
      kind: 'provider',
      fatal: false,
      message: expect.stringMatching(/answered 529: .*Overloaded/),
    });
    const reset = await fail(provider, [{ does: 'reset' }], 0);
    expect(reset).toMatchObject({
      requests: 1,
      error: { fatal: false, message: expect.stringContaining('the connection failed') },
    });
  });

  it.each<[string, Reaction, RegExp]>([
    [
      'a page of HTML',
      { does: 'http', status: 200, headers: { 'content-type': 'text/html' }, body: page },
      /isn't JSON: <html><body>Sign in to the hotel/,
    ],
    [
      'a stream without an answer',
      {
        does: 'http',
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: 'data: {"choices":[]}\n\ndata: {"choices":[]}\n\ndata: [DONE]\n\n',
      },
      /incomplete answer|ended its stream before the answer was complete/,
    ],
    ['an empty object', { does: 'http', status: 200, body: '{}' }, /incomplete answer .*\{\}/],
    [
      'no choice',
      {
        does: 'http',
        status: 200,
        body: '{"choices":[],"output":[],"status":"completed","content":null,"type":"message"}',
      },
      /incomplete answer|empty answer/,
    ],
    [
      'no content',
      {
        does: 'http',
        status: 200,
        body: '{"choices":[{"finish_reason":"stop","message":{"content":null}}],"output":null,"content":null}',
      },
      /incomplete answer|empty answer/,
    ],
    [
      'an empty text',
      {
        does: 'http',
        status: 200,
        body: '{"choices":[{"finish_reason":"stop","message":{"content":""}}],"output":[{"type":"message","content":[{"type":"output_text","text":" \\n"}]}],"status":"completed","type":"message","stop_reason":"end_turn","content":[{"type":"text","text":""}]}',
      },
      /empty answer, without a call or a text/,
    ],
    [
      'half an object',
      { does: 'http', status: 200, body: '{"choices":[{"mess' },
      /isn't JSON: \{"choices"/,
    ],
    ['nothing', { does: 'http', status: 200, body: '' }, /isn't JSON: nothing/],
    ['a list', { does: 'http', status: 200, body: '[1]' }, /isn't an object/],
    [
      'a call without a name',
      {
        does: 'http',
        status: 200,
        body: '{"choices":[{"message":{"tool_calls":[{"function":{"arguments":"{}"}}]}}],"output":[{"type":"function_call","arguments":"{}"}],"content":[{"type":"tool_use","id":"1","input":{}}],"type":"message"}',
      },
      /incomplete answer/,
    ],
  ])(
    'T38: reports a 200 with %s as a provider error with an excerpt, without a retry',
    async (_, reaction, says) => {
      const { error, requests } = await fail(provider, [reaction]);
      expect(error).toBeInstanceOf(ChatFailure);
      expect(error).toMatchObject({
        kind: 'provider',
        fatal: false,
        message: expect.stringMatching(says),
      });
      expect(requests).toBe(1);
    },
  );

  it('T38: names damaged compression, redirects and pages behind an error status', async () => {
    const damaged: Reaction = {
      does: 'http',
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: 'not gzip',
    };
    expect((await fail(provider, [damaged], 0)).error).toMatchObject({
      kind: 'provider',
      message: expect.stringContaining('connection failed'),
    });
    const moved = await fail(provider, [
      { does: 'http', status: 307, headers: { location: 'https://evil.test/x' }, body: '' },
    ]);
    expect(moved).toMatchObject({
      requests: 1,
      error: {
        message: expect.stringContaining(
          'redirects to https://evil.test; redirects are not followed',
        ),
      },
    });
    for (const [location, what] of [
      ['javascript:alert(1)', 'an address that starts with javascript:'],
      ['file:///etc/passwd', 'an address that starts with file:'],
      ['data:application/json,{}', 'an address that starts with data:'],
      ['http://[', 'an unreadable address'],
    ] as const)
      expect(
        (await fail(provider, [{ does: 'http', status: 307, headers: { location }, body: '' }]))
          .error,
      ).toMatchObject({
        message: expect.stringContaining(
          `redirects to ${what}, where no model can be; redirects are not followed. Check the base URL.`,
        ),
      });
    expect(
      (await fail(provider, [{ does: 'http', status: 502, body: page }], 0)).error,
    ).toMatchObject({ message: expect.stringMatching(/502: .*hotel/) });
  });

  it('T37: ends a stall at the deadline, wherever it is, without a retry', async () => {
    for (const does of ['stall before headers', 'stall in body', 'stall in stream'] as const) {
      const model = await openTestModel(server, provider, { configuration: { timeout: 1 } });
      const before = server.requests.length;
      server.script({ does });
      const began = performance.now();
      await expect(model.choose(ask('add_task'), never)).rejects.toMatchObject({
        kind: 'provider',
        fatal: false,
        message: expect.stringContaining('no complete answer within 1 s'),
      });
      expect(performance.now() - began).toBeLessThan(5_000);
      expect(server.requests.length - before).toBe(1);
    }
  });

  it('T37: cancels within a second before headers, in a body and in a wait', async () => {
    for (const reaction of [
      { does: 'stall before headers' },
      { does: 'stall in body' },
      limited('25'),
    ] satisfies Reaction[]) {
      // Real time: the wait is 25 s, and the deadline 30 s.
      const model = await openTestModel(server, provider, { timing: systemTiming });
      const cancel = new AbortController();
      server.script(reaction);
      const asked = model.choose(ask('add_task'), cancel.signal).then(
        () => null,
        (error: unknown) => error,
      );
      await server.seen(server.requests.length + 1);
      const began = performance.now();
      cancel.abort();
      expect(await asked).toMatchObject({ name: 'AbortError' });
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  });
});

it.each([1, 25, 6000, 6667])(
  'gives up at once on port %i, which HTTP may not use',
  async (port) => {
    const timing = noteWaits();
    const model = await openTestModel({ origin: `http://127.0.0.1:${port}` }, 'openai-compatible', {
      timing,
      configuration: { maxRetries: 3 },
    });
    await expect(model.choose(ask('add_task'), never)).rejects.toMatchObject({
      fatal: true,
      message: expect.stringContaining(`127.0.0.1:${port}): HTTP may not use this port`),
    });
    expect(timing.waits).toEqual([]);
  },
);

it('T45: stops the evaluation at once where nothing listens on this computer', async () => {
  const gone = await startFakeModelServer();
  const { origin } = gone;
  await gone[Symbol.asyncDispose]();
  const timing = noteWaits();
  const model = await openTestModel({ origin }, 'openai-compatible', {
    timing,
    configuration: { maxRetries: 3 },
  });
  await expect(model.choose(ask('add_task'), never)).rejects.toMatchObject({
    fatal: true,
    message: expect.stringMatching(
      /openai-compatible \(127\.0\.0\.1:\d+\): the connection failed \(ECONNREFUSED/,
    ),
  });
  expect(timing.waits).toEqual([]);
});

it.each([
  ['127.0.0.1', false],
  ['::1', false],
  ['192.0.2.7', true],
])('retries a connection that %s refused: %s', (address, retry) => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address });
  const lost = new TypeError('fetch failed', { cause: new AggregateError([refused]) });
  expect(classifyFailure(lost, 'openai (host)', 0)).toMatchObject({
    retry,
    unbilled: true,
    failure: { fatal: true },
  });
});
