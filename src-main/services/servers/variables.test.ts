import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { ServerFileInput } from '../../../src-shared/domain/serverImport.ts';
import { createSecretGuard } from '../../adapters/secrets/secretGuard.ts';
import { connectWithVariables, createFillTarget } from './connectWithVariables.ts';
import { expandVariables, inputValues } from './variables.ts';

const stdio = (...args: string[]): ServerConfig => ({
  transport: 'stdio',
  command: 'x',
  args,
  cwd: null,
  env: {},
});
const expand = (
  text: string,
  environment: Record<string, string> = {},
  inputs: Record<string, string> = {},
) => {
  const { config, unresolved } = expandVariables(stdio(text), environment, inputs);
  return [config.transport === 'stdio' ? config.args[0] : null, unresolved];
};

describe('expandVariables', () => {
  it.each<[string, string, string[]]>([
    ['${A}', 'one', []],
    ['<${A}-${env:A}>', '<one-one>', []],
    ['${A:-other}', 'one', []],
    ['${NONE:-other}', 'other', []],
    ['${EMPTY:-other}', 'other', []],
    ['${NONE:-}', '', []],
    ['${EMPTY}', '', []],
    ['${NONE}', '${NONE}', ['${NONE}']],
    ['${env:NONE}${env:NONE}', '${env:NONE}${env:NONE}', ['${env:NONE}']],
    ['${input:key}', 'given', []],
    ['${input:none}', '${input:none}', ['${input:none}']],
    ['${NESTED}', '${A}', []],
    ['${userHome}${/}x', '/home/me/x', []],
    ['${workspaceFolder}', '${workspaceFolder}', ['${workspaceFolder}']],
    ['${constructor}', '${constructor}', ['${constructor}']],
    ['${input:__proto__}', '${input:__proto__}', ['${input:__proto__}']],
    ['$A ${A[@]} ${#A} $(x)', '$A ${A[@]} ${#A} $(x)', []],
    ['${secret:a/b}', '${secret:a/b}', ['${secret:a/b}']],
  ])('%s becomes %s', (text, expected, unresolved) => {
    expect(
      expand(text, { A: 'one', EMPTY: '', NESTED: '${A}', HOME: '/home/me' }, { key: 'given' }),
    ).toEqual([expected, unresolved]);
  });

  it('expands every field and no variable or header name', () => {
    const environment = { V: 'v' };
    expect(
      expandVariables(
        {
          transport: 'stdio',
          command: '${V}',
          args: ['${V}'],
          cwd: '${V}',
          env: { '${V}': '${V}' },
        },
        environment,
        {},
      ).config,
    ).toEqual({ transport: 'stdio', command: 'v', args: ['v'], cwd: 'v', env: { '${V}': 'v' } });
    expect(
      expandVariables(
        { transport: 'sse', url: 'https://${V}/x', headers: { H: 'Bearer ${V}' } },
        environment,
        {},
      ).config,
    ).toEqual({ transport: 'sse', url: 'https://v/x', headers: { H: 'Bearer v' } });
  });

  it('prefers the environment to the defaults of the file', () => {
    const config = stdio('${input:api-key}', '${input:region}', '${input:none}');
    const defaults = [
      { id: 'api-key', default: 'd' },
      { id: 'region', default: 'eu' },
      { id: 'none', default: null },
    ];
    expect(inputValues(config, { TOUCHSTONE_INPUT_API_KEY: 'mine' }, defaults)).toEqual({
      'api-key': 'mine',
      region: 'eu',
    });
  });
});

describe('connectWithVariables', () => {
  const connectWith = async (
    config: ServerConfig,
    environment: Record<string, string>,
    inputs: ServerFileInput[] = [],
    secrets: Record<string, string> = {},
  ) => {
    const reached: ServerConfig[] = [];
    const guard = createSecretGuard();
    const connect = connectWithVariables(
      async (target) => {
        reached.push(target.config);
        throw new Error('reached');
      },
      createFillTarget(
        environment,
        (name) => ({ id: 'w', inputs: name === 'weather' ? inputs : [], values: {} }),
        { get: async (name) => secrets[name] ?? null },
        async () => null,
        guard,
      ),
      guard,
    );
    const error: unknown = await connect(
      { name: 'weather', config },
      new AbortController().signal,
    ).catch((reason: unknown) => reason);
    return { reached, error };
  };

  it('starts no server with an unresolved variable, and says which one and where to set it', async () => {
    const { reached, error } = await connectWith(
      stdio('${KEY}', '${input:tok-en}', '${env:OTHER}'),
      {},
    );
    expect(reached).toEqual([]);
    expect(error).toMatchObject({
      code: 'TROUBLE',
      data: {
        thing: 'Server weather',
        cause: expect.stringContaining(
          '${KEY}, ${input:tok-en}, ${env:OTHER} have no value',
        ) as string,
        nextStep: expect.stringContaining('TOUCHSTONE_INPUT_TOK_EN') as string,
      },
    });
  });

  it('refuses an address that is invalid after expansion', async () => {
    const { reached, error } = await connectWith(
      { transport: 'sse', url: '${BASE}/mcp', headers: {} },
      { BASE: 'file:///etc' },
    );
    expect(reached).toEqual([]);
    expect(error).toMatchObject({
      code: 'TROUBLE',
      data: { cause: expect.stringContaining('http') as string },
    });
  });

  it('passes the expanded values to the server', async () => {
    const inputs: ServerFileInput[] = [
      { id: 'region', description: null, password: false, default: 'eu' },
    ];
    expect(
      (await connectWith(stdio('${KEY}', '${input:region}'), { KEY: 'k' }, inputs)).reached,
    ).toEqual([stdio('k', 'eu')]);
    expect(
      (
        await connectWith(stdio('${secret:weather/KEY}', '${input:region}'), {}, inputs, {
          'weather/KEY': 's',
          'input/w/region': 'us',
        })
      ).reached,
    ).toEqual([stdio('s', 'us')]);
  });
});
