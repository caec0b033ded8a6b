import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { remoteProviders } from '../../../src-shared/domain/provider.ts';
import { ask, openTestModel, testKey } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { leaksOf } from '../../testing/secretLeaks.ts';
import { keyVariableOf } from '../../../src-shared/domain/keys.ts';
import { createSecrets } from '../secrets/secrets.ts';

let server: FakeModelServer;
let trap: FakeModelServer;
beforeAll(async () => {
  server = await startFakeModelServer({ key: testKey });
  trap = await startFakeModelServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await trap[Symbol.asyncDispose]();
});
afterEach(() => vi.unstubAllEnvs());

describe.each(remoteProviders)('keys of %s', (provider) => {
  it('T46: ignores the environment variables of the SDKs', async () => {
    const address = `${trap.origin}/v1`;
    const traps: Record<string, string> = {
      OPENAI_BASE_URL: address,
      OPENAI_API_KEY: 'sk-trap-trap-trap',
      OPENAI_ADMIN_KEY: 'sk-trap-admin-key',
      OPENAI_ORG_ID: 'trap-org',
      OPENAI_PROJECT_ID: 'trap-project',
      OPENAI_LOG: 'debug',
      OPENAI_CUSTOM_HEADERS: 'x-trap: yes\nauthorization: Bearer trap',
      ANTHROPIC_BASE_URL: trap.origin,
      ANTHROPIC_API_KEY: 'sk-trap-trap-trap',
      ANTHROPIC_AUTH_TOKEN: 'trap-token',
      ANTHROPIC_PROFILE: 'none',
      ANTHROPIC_LOG: 'debug',
      ANTHROPIC_CUSTOM_HEADERS: 'x-trap: yes\nx-api-key: trap',
      ANTHROPIC_CONFIG_DIR: '/nowhere',
    };
    for (const [name, value] of Object.entries(traps)) vi.stubEnv(name, value);
    const printed = [
      vi.spyOn(console, 'debug'),
      vi.spyOn(console, 'log'),
      vi.spyOn(console, 'info'),
      vi.spyOn(console, 'warn'),
    ];
    const model = await openTestModel(server, provider);
    await model.choose(ask('add_task'), AbortSignal.timeout(5_000));
    const { headers } = server.requests.at(-1)!;
    expect(provider === 'anthropic' ? headers['x-api-key'] : headers.authorization).toBe(
      provider === 'anthropic' ? testKey : `Bearer ${testKey}`,
    );
    expect(JSON.stringify(headers)).not.toMatch(/trap/i);
    expect(provider === 'anthropic' ? headers.authorization : headers['x-api-key']).toBeUndefined();
    expect(trap.requests).toHaveLength(0);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it('redacts the key in answers, errors and stored requests, however it is encoded', async () => {
    const model = await openTestModel(server, provider);
    const base64 = [0, 1, 2].map((offset) =>
      Buffer.from('.'.repeat(offset) + testKey)
        .toString('base64')
        .slice(4, -4),
    );
    const spellings = [
      testKey,
      encodeURIComponent(testKey),
      JSON.stringify(testKey).slice(1, -1).replaceAll('/', '\\/'),
      ...base64,
    ];
    const echoed = `${testKey} ${encodeURIComponent(testKey)} ${Buffer.from(testKey).toString('base64')} .${Buffer.from(`..${testKey}`).toString('base64')}`;
    server.script({
      does: 'answer',
      text: echoed,
      calls: [{ name: 'todo__add_task', arguments: { echoed } }],
    });
    const kept = JSON.stringify(
      await model.choose(ask(`My key is ${testKey}`), AbortSignal.timeout(5_000)),
    );
    server.script({
      does: 'error',
      status: 400,
      type: 'invalid_request_error',
      message: `Bad header: ${echoed}`,
    });
    const failed = await model.choose(ask('hello'), AbortSignal.timeout(5_000)).then(
      () => '',
      (error: unknown) => error,
    );
    const told = String(failed) + JSON.stringify(failed);
    expect(told).toContain('Bad header: [redacted]');
    for (const spelling of spellings)
      expect(kept.includes(spelling) || told.includes(spelling)).toBe(false);
    // The search does find what stands there.
    expect(JSON.stringify({ echoed }).includes(testKey)).toBe(true);
    expect(kept).toContain('My key is [redacted]');
  });

  it('redacts the names in a certificate before it shortens them', async () => {
    const model = await openTestModel(server, provider);
    const altNames = `${'DNS:host.example.test, '.repeat(8)}DNS:`;
    const cause = Object.assign(
      new Error(`Hostname/IP does not match certificate's altnames: ${altNames}${testKey}.test`),
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    );
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })));
    const failed = await model.choose(ask('hello'), AbortSignal.timeout(5_000)).then(
      () => '',
      (error: unknown) => String(error),
    );
    vi.unstubAllGlobals();
    expect(failed).toContain('its certificate is not trusted');
    expect(failed).toContain('[redacted]');
    expect(leaksOf([testKey], failed)).toEqual([]);
  });

  it('T45: stops at a refused key without repeating it', async () => {
    const model = await openTestModel(server, provider, { key: 'sk-wrong-wrong-wrong' });
    await expect(model.choose(ask('hello'), AbortSignal.timeout(5_000))).rejects.toMatchObject({
      fatal: true,
      message: expect.stringMatching(
        /answered 401: Incorrect API key provided: \[redacted\]\.|answered 401: .*\[redacted\]/,
      ),
    });
  });

  it('requires a well-formed key where the provider needs one', async () => {
    const asked = openTestModel(server, provider, { key: null });
    const variable = keyVariableOf(provider);
    if (provider === 'openai-compatible') await expect(asked).resolves.toBeDefined();
    else
      await expect(asked).rejects.toMatchObject({
        code: 'INVALID',
        data: { cause: 'No API key is set.', nextStep: expect.stringContaining(variable) },
      });
    await expect(openTestModel(server, provider, { key: 'two\nlines' })).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.not.stringContaining('two'),
    });
    const fromEnvironment = await openTestModel(server, provider, {
      key: null,
      environment: { [variable]: ` ${testKey}\n` },
    });
    expect(
      (await fromEnvironment.choose(ask('add_task'), AbortSignal.timeout(5_000))).observation.calls,
    ).toHaveLength(1);
  });

  it('T47: rejects an unsafe address without repeating it', async () => {
    const open = (baseUrl: string, key: string | null = testKey, warn = vi.fn()) =>
      openTestModel(server, provider, { configuration: { baseUrl }, key, warn });
    for (const [baseUrl, says] of [
      ['https://me:hunter2-secret@example.test/v1', /It contains credentials/],
      ['https://example.test/v1?api_key=hunter2-secret', /is a credential/],
      ['https://example.test/v1#hunter2-secret', /fragment/],
      ['ftp://example.test', /isn't an HTTP or HTTPS/],
      ['example.test', /isn't an HTTP or HTTPS/],
      ['https://example.test/v1/chat/completions', /address of a single endpoint/],
      ['http://example.test/v1', /(not|isn't) encrypted/],
      ['http://192.168.1.5:11434/v1', /(not|isn't) encrypted/],
      ['http://127.0.0.1.evil.test/v1', /(not|isn't) encrypted/],
    ] satisfies [string, RegExp][]) {
      const error: unknown = await open(baseUrl).catch((reason: unknown) => reason);
      expect(error, baseUrl).toMatchObject({
        code: 'INVALID',
        data: { field: 'baseUrl' },
        message: expect.stringMatching(says),
      });
      expect(String(error)).not.toContain('hunter2');
    }
    for (const baseUrl of [
      'http://localhost:1/v1/',
      'http://[::1]:1',
      'http://127.9.9.9:1/',
      'https://example.test/v1//',
    ])
      await expect(open(baseUrl), baseUrl).resolves.toBeDefined();
    const warn = vi.fn();
    if (provider === 'openai-compatible') {
      await open('http://192.168.1.5:11434/v1', null, warn);
      expect(warn).toHaveBeenCalledWith(expect.stringContaining("isn't encrypted"));
    }
  });
});

describe('settings', () => {
  it.each([
    ['openai', 'gpt-4o', 0.4, 0.4],
    ['openai', 'gpt-5.1', 0.4, null],
    ['openai', 'o3-mini', 0.4, null],
    ['openai', 'gpt-4.1-mini', 2, 2],
    ['openai', 'fake-model', 0.4, null],
    ['anthropic', 'claude-haiku-4-5-20251001', 1, 1],
    ['anthropic', 'claude-opus-4-7', 0.4, null],
    ['anthropic', 'claude-fable-5', 2, null],
    ['openai-compatible', 'gpt-5', 0.4, 0.4],
  ] as const)(
    'sends %s %s at temperature %s as %s, and shows the same',
    async (provider, model, temperature, sent) => {
      const opened = await openTestModel(server, provider, {
        configuration: { model, temperature },
      });
      await opened.choose(ask('add_task'), AbortSignal.timeout(5_000));
      expect(opened.sent).toMatchObject({ temperature: sent, tool_choice: 'auto' });
      expect(server.requests.at(-1)?.body['temperature'] ?? null).toBe(sent);
    },
  );

  it('rejects a temperature out of range and a missing address when it opens the model', async () => {
    await expect(
      openTestModel(server, 'anthropic', {
        configuration: { model: 'claude-haiku-4-5', temperature: 1.5 },
      }),
    ).rejects.toMatchObject({ code: 'INVALID', data: { field: 'temperature' } });
    await expect(
      openTestModel(server, 'openai-compatible', { configuration: { baseUrl: null } }),
    ).rejects.toMatchObject({ data: { cause: 'No base URL is set.' } });
  });

  it('tells for each provider only whether its own key is set', async () => {
    const secrets = createSecrets({
      environment: { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: '  ' },
    });
    expect(
      await Promise.all(
        (['openai', 'anthropic', 'openai-compatible', 'builtin'] as const).map((provider) =>
          secrets.status(provider),
        ),
      ),
    ).toEqual(['set', 'not set', 'not set', 'not set']);
  });
});
