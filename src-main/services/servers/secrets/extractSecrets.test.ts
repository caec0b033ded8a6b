import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import { extractSecrets, secretNames } from './extractSecrets.ts';

const stdio = (env: Record<string, string>, ...args: string[]): ServerConfig => ({
  transport: 'stdio',
  command: 'x',
  args,
  cwd: null,
  env,
});
const http = (url: string, headers: Record<string, string> = {}): ServerConfig => ({
  transport: 'streamable-http',
  url,
  headers,
});
const canary = 'canary-0123456789';

describe('extractSecrets', () => {
  it.each<[string, ServerConfig, ServerConfig]>([
    ['an environment value', stdio({ API_KEY: canary }), stdio({ API_KEY: '${secret:s/API_KEY}' })],
    [
      'a bearer token',
      http('https://x.example', { Authorization: `Bearer ${canary}` }),
      http('https://x.example', { Authorization: 'Bearer ${secret:s/Authorization}' }),
    ],
    [
      'the value after an option',
      stdio({}, '--api-key', canary),
      stdio({}, '--api-key', '${secret:s/api-key}'),
    ],
    [
      'the value in an option',
      stdio({}, `--token=${canary}`),
      stdio({}, '--token=${secret:s/token}'),
    ],
    [
      'a parameter of an address',
      http(`https://x.example/?a=1&key=${canary}`),
      http('https://x.example/?a=1&key=${secret:s/key}'),
    ],
    [
      'a password in an address',
      stdio({}, `postgres://me:${canary}@db/x`),
      stdio({}, 'postgres://me:${secret:s/password}@db/x'),
    ],
    [
      'a value that stands at another place too',
      stdio({ API_KEY: canary, GREETING: `I am ${canary}.` }, '--user', canary),
      stdio(
        { API_KEY: '${secret:s/API_KEY}', GREETING: 'I am ${secret:s/API_KEY}.' },
        '--user',
        '${secret:s/API_KEY}',
      ),
    ],
    [
      'a value in a known token format',
      stdio({ OPTIONS: `a=ghp_${'a'.repeat(20)} b` }),
      stdio({ OPTIONS: 'a=${secret:s/a} b' }),
    ],
  ])('T60: moves %s out of the configuration', (_what, config, expected) => {
    for (const isForeign of [false, true]) {
      const hidden = extractSecrets(config, {}, { server: 's', isForeign });
      expect(hidden.config).toEqual(expected);
      expect([...hidden.values.values()].join()).toMatch(/canary-0123456789|ghp_a+/);
      expect(secretNames(hidden.config)).toEqual([...hidden.values.keys()]);
    }
  });

  it.each<[string, ServerConfig]>([
    ['a reference to a variable', stdio({ API_KEY: '${API_KEY}', TOKEN: 'Bearer ${input:token}' })],
    [
      'a mode, a number and a path with a suspicious name',
      stdio({ AUTH_MODE: 'none', SESSION_LIMIT: '30', KEY_FILES: '/etc/keys' }, '--keyboard', 'us'),
    ],
    [
      'a reference within a text',
      stdio({ MCP: 'Authorization:Bearer ${secret:s/token}' }, 'X-Key:${secret:s/key}'),
    ],
    ['an option that another option follows', stdio({}, '--token', '--verbose')],
  ])('leaves %s in the configuration', (_what, config) => {
    expect(extractSecrets(config, {}, { server: 's' })).toMatchObject({
      config,
      values: new Map(),
    });
  });

  it('moves marked text out everywhere and leaves references intact', () => {
    const { config, values } = extractSecrets(
      stdio({ A: 'pass-me', REF: '${PASS_me}' }, 'x-pass-me-y', '/s/todo'),
      {},
      { server: 'todo', marked: ['pass-me', 'todo'] },
    );
    expect(config).toEqual(
      stdio(
        { A: '${secret:todo/argument}', REF: '${PASS_me}' },
        'x-${secret:todo/argument}-y',
        '/s/${secret:todo/argument-2}',
      ),
    );
    expect(Object.fromEntries(values)).toEqual({
      'todo/argument': 'pass-me',
      'todo/argument-2': 'todo',
    });
  });

  it('leaves what a person marked as not secret', () => {
    const random = 'q8Zt1wPLr0VbX3nKd7YhMcE5aSgUfJ2o';
    const marked = {
      ...stdio({ CLIENT_ID: random, API_KEY: canary }, '--client', random),
      notSecret: [random],
    };
    const { config, values } = extractSecrets(marked, {}, { server: 's' });
    expect(config).toEqual({
      ...marked,
      env: { CLIENT_ID: random, API_KEY: '${secret:s/API_KEY}' },
    });
    expect([...values.keys()]).toEqual(['s/API_KEY']);
  });

  it('T32: gives a foreign file no access to the secret of another server', () => {
    const taken = new Set(['github/TOKEN', 's/TOKEN']);
    const { config, values } = extractSecrets(
      stdio({ X: '${secret:github/TOKEN}', TOKEN: canary }),
      { nested: [{ clientSecret: canary }] },
      { server: 's', isForeign: true, taken },
    );
    expect(config).toMatchObject({ env: { X: '${secret:s/TOKEN-2}' } });
    expect([...values.keys()].every((name) => !taken.has(name))).toBe(true);
  });

  it('T60: moves credentials out of the other members of the file', () => {
    const { extra } = extractSecrets(
      stdio({}),
      { oauth: { clientSecret: canary }, autoApprove: ['read'], list: [`ghp_${'b'.repeat(20)}`] },
      { server: 's' },
    );
    expect(extra).toEqual({
      oauth: { clientSecret: '${secret:s/clientSecret}' },
      autoApprove: ['read'],
      list: ['${secret:s/list}'],
    });
  });
});
