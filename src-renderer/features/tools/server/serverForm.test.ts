import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';
import {
  argumentLine,
  emptyServerForm,
  formOfServer,
  inputOfForm,
  readArguments,
} from './serverForm.ts';

describe('server form', () => {
  it('keeps every argument through the form', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (args) => {
        expect(readArguments(args.map(argumentLine).join('\n'))).toEqual(args);
      }),
    );
  });

  it('keeps values readable whose mark was cleared, also when they are edited again', () => {
    const form = {
      ...emptyServerForm,
      name: 'x',
      command: 'x',
      env: [{ key: 0, name: 'PUBLIC_KEY', value: 'abc', secret: false }],
      notSecret: ['id-1'],
    };
    const result = inputOfForm(form);
    expect(result).toMatchObject({ ok: true, input: { config: { notSecret: ['abc', 'id-1'] } } });
    if (!result.ok) return;
    expect(formOfServer(result.input).env).toEqual([
      { key: 0, name: 'PUBLIC_KEY', value: 'abc', secret: false },
    ]);
  });

  it('T60: submits marked values as secrets and leaves references alone', () => {
    const env = [
      { key: 0, name: 'LEVEL', value: 'hush', secret: true },
      { key: 1, name: 'API_KEY', value: '${secret:a/API_KEY}' },
      { key: 2, name: 'TOKEN', value: 'plain', secret: false },
    ];
    const result = inputOfForm({
      ...emptyServerForm,
      name: 'a',
      command: 'x',
      env,
      secretPart: 'part',
    });
    expect(result.ok ? result.input.secrets : null).toEqual(['hush', 'part']);
  });

  it('keeps an unchanged server identical', () => {
    const stdio = {
      name: 'todo',
      config: {
        transport: 'stdio' as const,
        command: 'node',
        args: ['a b', '', '--x="1"', 'l\nm'],
        cwd: '/tmp',
        env: { A: '1', B: '' },
        isolated: true as const,
      },
    };
    const http = {
      name: 'remote',
      config: {
        transport: 'sse' as const,
        url: 'http://127.0.0.1:9/x',
        headers: { Authorization: 'Bearer x' },
        isolated: true as const,
      },
    };
    expect(inputOfForm(formOfServer(stdio))).toMatchObject({ ok: true, input: stdio });
    expect(inputOfForm(formOfServer(http))).toMatchObject({ ok: true, input: http });
  });

  it('keeps every start timeout through the form', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 86_400_000 }),
        fc.constantFrom('stdio' as const, 'sse' as const),
        (startTimeoutMs, transport) => {
          const config =
            transport === 'stdio'
              ? { transport, command: 'x', args: [], cwd: null, env: {}, startTimeoutMs }
              : { transport, url: 'http://127.0.0.1:9/x', headers: {}, startTimeoutMs };
          const result = inputOfForm(formOfServer({ name: 'a', config }));
          expect(result.ok && result.input.config).toEqual(config);
        },
      ),
    );
  });

  it.each([
    ['', undefined],
    ['  ', undefined],
    ['90', 90_000],
    [' 1.5 ', 1_500],
    ['1,5', 1_500],
    ['.25', 250],
    ['0.001', 1],
    ['86400', 86_400_000],
  ])('reads the start timeout %j as %j ms', (startTimeout, ms) => {
    const form = { ...emptyServerForm, name: 'a', command: 'x', startTimeout };
    const result = inputOfForm(form);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.input.config).toEqual({
      ...{ transport: 'stdio', command: 'x', args: [], cwd: null, env: {} },
      ...(ms !== undefined && { startTimeoutMs: ms }),
    });
  });

  it.each([
    ...['0', '-5', '90 s', 'soon', '1e3', '0x10', 'Infinity', '1,000'],
    ...['0.0001', '86401'],
  ])('refuses the start timeout %j', (startTimeout) => {
    for (const change of [
      { command: 'x' },
      { transport: 'sse' as const, url: 'http://127.0.0.1:9/x' },
    ])
      expect(inputOfForm({ ...emptyServerForm, name: 'a', ...change, startTimeout })).toEqual({
        ok: false,
        problems: {
          startTimeoutMs:
            'Enter a number of seconds, such as 90 or 1.5, at most 86,400 (24 hours).',
        },
      });
  });

  it('names the field of every problem', () => {
    const refuse = (form: Partial<typeof emptyServerForm>) => {
      const result = inputOfForm({ ...emptyServerForm, ...form });
      return result.ok ? {} : result.problems;
    };
    expect(Object.keys(refuse({}))).toEqual(expect.arrayContaining(['name', 'command']));
    expect(refuse({ name: 'a:b', command: 'x' })).toEqual({
      name: 'A server name holds no colon and no control character.',
    });
    expect(refuse({ name: 'a', transport: 'sse', url: 'ftp://x' })).toHaveProperty('url');
    expect(
      refuse({ name: 'a', command: 'x', env: [{ key: 0, name: '', value: 'lost' }] }),
    ).toHaveProperty('env');
    expect(
      refuse({
        name: 'a',
        command: 'x',
        env: [
          { key: 0, name: 'A', value: '1' },
          { key: 1, name: 'A', value: '2' },
        ],
      }),
    ).toEqual({ env: '“A” is not unique.' });
  });

  it('quotes arguments in the command line', () => {
    expect(
      commandLine({
        transport: 'stdio',
        command: 'my tool',
        args: ["it's", '$(rm)', 'plain'],
        cwd: null,
        env: {},
      }),
    ).toBe(`'my tool' 'it'\\''s' '$(rm)' plain`);
  });
});
