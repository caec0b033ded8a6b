import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  executionTransitions,
  executionStatuses,
  isFinal,
  type ExecutionStatus,
  type ToolExecution,
} from '../../../src-shared/domain/toolExecution.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolContent } from '../../../src-shared/domain/workshop.ts';
import { readProcess } from '../../adapters/process/processTable.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { pythonHere } from '../../testing/python.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import {
  createTestWorkshop,
  nodeTool,
  noSignal,
  toolOf,
  type TestWorkshop,
} from '../../testing/workshop.ts';

afterEach(expectNoLeaks);

const make = async (at: TestWorkshop, content: ToolContent): Promise<string> =>
  (await at.workshop.create({ content, categoryId: null, changelog: '' }, noSignal)).id;
const run = (at: TestWorkshop, tool: string, args: JsonObject = {}): Promise<ToolExecution> =>
  at.workshop.execute({ tool, arguments: args, activeOnly: false }, noSignal);
const runContent = async (
  at: TestWorkshop,
  content: ToolContent,
  args: JsonObject = {},
): Promise<ToolExecution> => run(at, await make(at, content), args);
/** Says that it is up by making a file, then stays until it is ended. */
const staying = `require('node:fs').writeFileSync(process.env.UP, ''); setInterval(() => {}, 1000)`;

describe('recording executions', () => {
  it('records input, output, version, caller, trace, times and log', async () => {
    await using at = createTestWorkshop();
    const id = await make(
      at,
      nodeTool(
        `let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () => { console.error('hello from inside'); console.log(JSON.stringify({ got: JSON.parse(text) })); })`,
      ),
    );
    const done = await at.workshop.execute(
      {
        tool: 'echo_text',
        arguments: { text: 'ä "x"' },
        callerId: 'test',
        traceId: 'trace-1',
        activeOnly: false,
      },
      noSignal,
    );
    expect(done).toMatchObject({
      toolId: id,
      toolName: 'echo_text',
      version: 1,
      status: 'SUCCESS',
      inputData: { text: 'ä "x"' },
      outputData: { got: { text: 'ä "x"' } },
      errorCode: null,
      stderrTail: 'hello from inside',
      callerId: 'test',
      traceId: 'trace-1',
    });
    expect(done.durationMs).toBeGreaterThan(0);
    expect(
      [done.createdAt, done.startedAt, done.completedAt].every((moment) => moment !== null),
    ).toBe(true);
    const { rows, total } = await at.workshop.executions(
      {
        filter: { callerId: 'test', traceId: 'trace-1', status: ['SUCCESS'] },
        offset: 0,
        limit: 10,
      },
      noSignal,
    );
    expect([rows, total]).toEqual([[done], 1]);
    expect(
      (
        await at.workshop.executions(
          { filter: { status: ['FAILED'] }, offset: 0, limit: 10 },
          noSignal,
        )
      ).total,
    ).toBe(0);
    expect(await at.workshop.callers(undefined, noSignal)).toEqual(['test']);
  });

  it('records the version that ran', async () => {
    await using at = createTestWorkshop();
    const id = await make(at, nodeTool('console.log(1)'));
    await at.workshop.save(
      { id, content: nodeTool('console.log(2)'), changelog: '', baseVersion: 1 },
      noSignal,
    );
    expect(await run(at, id)).toMatchObject({ version: 2, outputData: 2 });
    expect(
      await at.workshop.execute(
        { tool: id, arguments: {}, version: 1, activeOnly: false },
        noSignal,
      ),
    ).toMatchObject({ version: 1, outputData: 1 });
    await expect(
      at.workshop.execute({ tool: id, arguments: {}, version: 3, activeOnly: false }, noSignal),
    ).rejects.toThrow('the latest is 2');
  });

  it('rejects a tool that is not active for models, and a disabled one for everyone', async () => {
    await using at = createTestWorkshop();
    const id = await make(at, nodeTool('console.log(1)'));
    await expect(
      at.workshop.execute({ tool: id, arguments: {}, activeOnly: true }, noSignal),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    expect(
      await at.workshop.execute({ tool: id, arguments: {}, activeOnly: true }, noSignal),
    ).toMatchObject({ status: 'SUCCESS' });
    await at.workshop.setStatus({ id, status: 'DISABLED' }, noSignal);
    await expect(run(at, id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('deletes executions older than the retention setting', async () => {
    await using at = createTestWorkshop();
    const id = await make(at, nodeTool('console.log(1)'));
    const [old, young] = [await run(at, id), await run(at, id)];
    at.database.db
      .prepare("UPDATE tool_executions SET created_at = '2020-01-01T00:00:00.000Z' WHERE id = ?")
      .run(old.id);
    await at.workshop.updateSettings({ retentionDays: 1 }, noSignal);
    at.recover();
    expect(
      (await at.workshop.executions({ filter: {}, offset: 0, limit: 10 }, noSignal)).rows.map(
        (row) => row.id,
      ),
    ).toEqual([young.id]);
  });
});

describe('execution status', () => {
  const ways: Record<ExecutionStatus, ExecutionStatus[]> = {
    PENDING: [],
    RUNNING: ['RUNNING'],
    SUCCESS: ['RUNNING', 'SUCCESS'],
    FAILED: ['RUNNING', 'FAILED'],
    TIMEOUT: ['RUNNING', 'TIMEOUT'],
    CANCELLED: ['CANCELLED'],
  };
  it.each(
    executionStatuses.flatMap((from) =>
      executionStatuses.filter((to) => to !== 'PENDING').map((to) => [from, to] as const),
    ),
  )('%s → %s follows the transition table', async (from, to) => {
    await using at = createTestWorkshop();
    const toolId = await make(at, toolOf());
    const { toolExecutions } = at.database.store;
    const { id } = toolExecutions.insert({
      toolId,
      toolName: 'echo_text',
      version: 1,
      inputData: {},
      callerId: null,
      traceId: null,
    });
    const move = (status: ExecutionStatus) =>
      status === 'RUNNING'
        ? toolExecutions.begin(id)
        : toolExecutions.end(id, status, {
            outputData: null,
            errorCode: null,
            errorMessage: null,
            stderrTail: '',
            outputExcerpt: null,
            durationMs: null,
          });
    for (const status of ways[from]) move(status);
    if (executionTransitions[from].includes(to)) expect(move(to).status).toBe(to);
    else expect(() => move(to)).toThrow(ServiceError);
  });

  it('closes executions that a killed process left open', async () => {
    await using at = createTestWorkshop();
    const toolId = await make(at, toolOf());
    const { toolExecutions } = at.database.store;
    const [waiting, running] = [1, 2].map(() =>
      toolExecutions.insert({
        toolId,
        toolName: 'echo_text',
        version: 1,
        inputData: {},
        callerId: null,
        traceId: null,
      }),
    );
    toolExecutions.begin(running!.id);
    at.recover();
    expect([toolExecutions.get(waiting!.id), toolExecutions.get(running!.id)]).toMatchObject([
      { status: 'CANCELLED', errorCode: 'interrupted' },
      { status: 'FAILED', errorCode: 'interrupted' },
    ]);
  });
});

describe('T58: script output', () => {
  it.each([
    ['an exit code', `process.exit(1)`, 'FAILED', 'exit_code', /code 1/],
    ['a signal', `process.kill(process.pid, 'SIGKILL')`, 'FAILED', 'signal', /SIGKILL/],
    ['invalid JSON', `console.log('{"a":')`, 'FAILED', 'not_json', /not JSON/],
    ['two values', `console.log('1 2')`, 'FAILED', 'not_json', /not JSON/],
    ['empty output', ``, 'FAILED', 'not_json', /wrote nothing/],
    [
      'bad UTF-8',
      `process.stdout.write(Buffer.from([0x22, 0xff, 0x22]))`,
      'FAILED',
      'not_text',
      /no UTF-8/,
    ],
    [
      'binary output',
      `process.stdout.write(require('node:crypto').randomBytes(5000))`,
      'FAILED',
      'not_text',
      /no UTF-8/,
    ],
    [
      'a line that never ends',
      `const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); }; more()`,
      'FAILED',
      'too_much_output',
      /more than 1024 kB/,
    ],
    ['an endless wait', `setInterval(() => {}, 1000)`, 'TIMEOUT', 'timeout', /timed out after 1 s/],
  ] as const)(
    '%s fails with its own error code',
    async (_what, script, status, errorCode, message) => {
      await using at = createTestWorkshop();
      const done = await runContent(
        at,
        nodeTool(script, {
          executorConfig: {
            command: process.execPath,
            args: ['-e', script],
            output: 'json',
            timeout: errorCode === 'timeout' ? 1 : 30,
          },
        }),
      );
      expect(done).toMatchObject({ status, errorCode, outputData: null });
      expect(done.errorMessage).toMatch(message);
      if (errorCode === 'too_much_output')
        expect(done.outputExcerpt).toContain('[cut: more than 1024 kB were written]');
      // The next one runs.
      expect(await runContent(at, nodeTool('console.log(7)', { name: 'next' }))).toMatchObject({
        status: 'SUCCESS',
        outputData: 7,
      });
    },
  );

  it('T56: the default timeout is 30 s', async () => {
    await using at = createTestWorkshop();
    await using folder = await temporaryFolder();
    const up = join(folder.path, 'up');
    const args = ['-e', `process.on('SIGTERM', () => {}); ${staying}`];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const running = runContent(
        at,
        nodeTool('', { executorConfig: { command: process.execPath, args, env: { UP: up } } }),
      );
      while (!existsSync(up)) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(29_999);
      const timersBefore = vi.getTimerCount();
      await vi.advanceTimersByTimeAsync(1);
      expect(vi.getTimerCount()).toBe(timersBefore - 1);
      // From here on time passes by itself: the program ignores the first signal.
      vi.setTimerTickMode('interval', 10);
      const done = await running;
      expect(done).toMatchObject({
        status: 'TIMEOUT',
        errorCode: 'timeout',
        errorMessage: 'It timed out after 30 s and was ended.',
      });
      expect(done.durationMs).toBeGreaterThanOrEqual(30_000);
      expect(done.durationMs).toBeLessThan(33_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects an output that breaks the output schema', async () => {
    await using at = createTestWorkshop();
    const content = nodeTool(`console.log('{"words":"three"}')`, {
      outputSchema: { type: 'object', properties: { words: { type: 'integer' } } },
    });
    expect(await runContent(at, content)).toMatchObject({
      status: 'FAILED',
      errorCode: 'output',
      errorMessage: 'The output breaks the output schema: /words must be integer.',
      outputExcerpt: '{"words":"three"}',
    });
  });

  it('reports a missing program as not started', async () => {
    await using at = createTestWorkshop();
    expect(
      await runContent(
        at,
        toolOf({ scriptContent: null, executorConfig: { command: 'no-such-program-here' } }),
      ),
    ).toMatchObject({
      status: 'FAILED',
      errorCode: 'not_started',
      errorMessage: expect.stringContaining('no-such-program-here') as string,
    });
  });
});

describe('T59: arguments and cancellation', () => {
  it.skipIf(process.platform === 'win32')(
    'passes arguments that look like commands as plain text',
    async () => {
      await using at = createTestWorkshop();
      await using folder = await temporaryFolder();
      const trap = join(folder.path, 'made');
      const id = await make(
        at,
        toolOf({
          scriptContent: 'printf "%s|" "$#" "$1" "$2"',
          inputSchema: { type: 'object', properties: { text: {}, more: {} } },
          executorConfig: { args: ['{{text}}', 'x{{more}}'], output: 'text' },
        }),
      );
      for (const text of [
        `$(touch ${trap})`,
        `; touch ${trap}`,
        `\`touch ${trap}\``,
        `a\ntouch ${trap}`,
        '--flag',
        '-e',
        `"; touch ${trap}; "`,
        '{{more}}',
        '${secret:x}',
        '',
      ]) {
        expect(await run(at, id, { text, more: text })).toMatchObject({
          status: 'SUCCESS',
          outputData: `2|${text}|x${text}|`,
        });
      }
      expect(await run(at, id, { text: 'a\0b', more: '' })).toMatchObject({
        status: 'FAILED',
        errorCode: 'template',
        errorMessage: expect.stringContaining('NUL') as string,
      });
      expect(existsSync(trap)).toBe(false);
    },
  );

  it('refuses a value that the program would read as an option', async () => {
    await using at = createTestWorkshop();
    const show = (args: string[], name: string) =>
      toolOf({
        name,
        scriptContent: null,
        inputSchema: { type: 'object', properties: { text: {} } },
        executorConfig: {
          command: process.execPath,
          args: ['-p', 'JSON.stringify(process.argv.slice(1))', ...args],
          output: 'json',
        },
      });
    expect(await runContent(at, show(['{{text}}'], 'bare'), { text: '--version' })).toMatchObject({
      status: 'FAILED',
      errorCode: 'template',
      errorMessage: expect.stringContaining('option') as string,
    });
    expect(
      await runContent(at, show(['--', '{{text}}'], 'after_dashes'), { text: '--version' }),
    ).toMatchObject({ status: 'SUCCESS', outputData: ['--version'] });
    expect(await runContent(at, show(['--', '{{text}}'], 'left_out'))).toMatchObject({
      status: 'SUCCESS',
      outputData: [],
    });
  });

  it('gives each of 100 randomly cancelled executions one final status and no leftover process', async () => {
    await using at = createTestWorkshop();
    await at.workshop.updateSettings({ concurrency: 8 }, noSignal);
    const id = await make(at, nodeTool('setTimeout(() => console.log(1), 60)'));
    // A moment is when so many others have ended: from before the first one runs to after most of
    // them have. Every third one is left to its own end.
    const moments = fc
      .sample(fc.integer({ min: 0, max: 90 }), { numRuns: 100, seed: 7 })
      .map((moment, index) => (index % 3 === 0 ? Number.POSITIVE_INFINITY : moment));
    let ends = 0;
    const waiting = new Set<() => void>();
    const whenEnded = async (count: number): Promise<void> => {
      while (ends < count) await new Promise<void>((resolve) => waiting.add(resolve));
    };
    const ended = await Promise.all(
      moments.map(async (moment) => {
        const started = await at.workshop.start(
          { tool: id, arguments: {}, activeOnly: false },
          noSignal,
        );
        const last = at.workshop.wait({ id: started.id }, noSignal).finally(() => {
          ends += 1;
          for (const wake of waiting) wake();
          waiting.clear();
        });
        await Promise.race([whenEnded(moment), last]);
        const [first, second, waited] = await Promise.all([
          at.workshop.cancel({ id: started.id }, noSignal),
          at.workshop.cancel({ id: started.id }, noSignal),
          last,
        ]);
        expect([second, waited]).toEqual([first, first]);
        return first;
      }),
    );
    for (const { status } of ended) expect(['SUCCESS', 'CANCELLED']).toContain(status);
    for (const status of ['SUCCESS', 'CANCELLED'])
      expect(ended.some((one) => one.status === status)).toBe(true);
    const { rows, total } = await at.workshop.executions(
      { filter: {}, offset: 0, limit: 500 },
      noSignal,
    );
    expect(total).toBe(100);
    expect(rows.every(({ status }) => isFinal(status))).toBe(true);
  });

  it('stops the program when the caller aborts or the app quits, and records the status', async () => {
    await using folder = await temporaryFolder();
    const at = createTestWorkshop();
    const up = (name: string) => join(folder.path, name);
    const content = (name: string) =>
      nodeTool(staying, {
        name,
        executorConfig: {
          command: process.execPath,
          args: ['-e', staying],
          output: 'json',
          env: { UP: up(name) },
        },
      });
    const isUp = async (name: string): Promise<void> => {
      while (!existsSync(up(name))) await new Promise((resolve) => setImmediate(resolve));
    };
    const controller = new AbortController();
    await make(at, content('given_up'));
    const given = at.workshop.execute(
      { tool: 'given_up', arguments: {}, activeOnly: false },
      { signal: controller.signal },
    );
    await isUp('given_up');
    controller.abort();
    expect(await given).toMatchObject({ status: 'CANCELLED', errorCode: 'cancelled' });

    await make(at, content('at_quit'));
    const quit = await at.workshop.start(
      { tool: 'at_quit', arguments: {}, activeOnly: false },
      noSignal,
    );
    await isUp('at_quit');
    await at.close();
    expect(at.database.store.toolExecutions.get(quit.id)).toMatchObject({ status: 'CANCELLED' });
    await expect(
      at.workshop.start({ tool: 'at_quit', arguments: {}, activeOnly: false }, noSignal),
    ).rejects.toMatchObject({ code: 'TROUBLE' });
    at.database.close();
  });

  it('runs 30 invocations with at most 4 at a time', async () => {
    await using at = createTestWorkshop();
    await using folder = await temporaryFolder();
    await at.workshop.updateSettings({ concurrency: 4 }, noSignal);
    const diary = join(folder.path, 'diary');
    // Lines that are added whole: who came and who went, in the order in which it happened.
    const script = `const { appendFileSync } = require('node:fs'); const write = (line) => appendFileSync(process.env.DIARY, line + '\\n'); write('in'); process.on('exit', () => write('out')); process.stdin.resume().on('end', () => console.log(1));`;
    const id = await make(
      at,
      nodeTool(script, {
        executorConfig: {
          command: process.execPath,
          args: ['-e', script],
          output: 'json',
          env: { DIARY: diary },
        },
      }),
    );
    const all = await Promise.all(Array.from({ length: 30 }, () => run(at, id)));
    expect(all.map(({ status }) => status)).toEqual(new Array(30).fill('SUCCESS'));
    const lines = readFileSync(diary, 'utf8').trimEnd().split('\n');
    expect([lines.filter((line) => line === 'in').length, lines.length]).toEqual([30, 60]);
    let [inside, most] = [0, 0];
    for (const line of lines) most = Math.max(most, (inside += line === 'in' ? 1 : -1));
    expect(most).toBeLessThanOrEqual(4);
  });
});

describe('secrets', () => {
  it('T60: redacts a secret that the tool echoes, and fails when a secret has no value', async () => {
    const secret = 'canary-secret-42';
    await using at = createTestWorkshop({ secrets: { api: secret } });
    const script = `console.error(process.env.KEY); console.log(JSON.stringify({ key: process.env.KEY, encoded: encodeURIComponent(process.env.KEY) }))`;
    const content = (name: string, env: Record<string, string>) =>
      nodeTool(script, {
        name,
        executorConfig: { command: process.execPath, args: ['-e', script], output: 'json', env },
      });
    const done = await runContent(at, content('echoes', { KEY: '${secret:api}' }));
    expect(done).toMatchObject({
      status: 'SUCCESS',
      outputData: { key: '[redacted]', encoded: '[redacted]' },
      stderrTail: '[redacted]',
    });
    expect(at.database.db.serialize().includes(secret)).toBe(false);
    expect(await runContent(at, content('unknown', { KEY: '${secret:nope}' }))).toMatchObject({
      status: 'FAILED',
      errorCode: 'secret',
      errorMessage: expect.stringContaining('TOUCHSTONE_SECRET_NOPE') as string,
    });
  });
});

const python = await pythonHere('executions.test.ts');

describe.skipIf(python === null)('python', () => {
  const pythonTool = (scriptContent: string, change: Record<string, unknown> = {}): ToolContent =>
    toolOf({ executorType: 'python', executorConfig: {}, scriptContent, ...change });
  const echo =
    'import json, sys\narguments = json.load(sys.stdin)\njson.dump({"text": arguments["text"], "length": len(arguments["text"])}, sys.stdout, ensure_ascii=False)\n';

  it('passes arguments and results as JSON in every script', async () => {
    await using at = createTestWorkshop();
    expect(await runContent(at, pythonTool(echo), { text: '買い物 🛒 "x"\n\u2028' })).toMatchObject(
      { status: 'SUCCESS', outputData: { text: '買い物 🛒 "x"\n\u2028', length: 11 } },
    );
  });

  it('shows where an exception happened', async () => {
    await using at = createTestWorkshop();
    const done = await runContent(
      at,
      pythonTool('def inner():\n    raise ValueError("here")\ninner()\n'),
    );
    expect(done).toMatchObject({ status: 'FAILED', errorCode: 'exit_code' });
    expect(done.stderrTail).toMatch(/line 2[\s\S]*ValueError: here/);
  });

  it('rejects invalid Python without running it', async () => {
    await using at = createTestWorkshop();
    await using folder = await temporaryFolder();
    const trap = join(folder.path, 'made');
    const error: unknown = await make(
      at,
      pythonTool(`open(${JSON.stringify(trap)}, "w")\ndef f(:\n    pass\n`),
    ).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'INVALID',
      data: { field: 'content.scriptContent', cause: expect.stringContaining('line 2') as string },
    });
    const draft = {
      name: 'x',
      displayName: 'x',
      description: 'x',
      tags: '',
      executorType: 'python' as const,
      inputSchema: '',
      outputSchema: '',
      executorConfig: '',
      scriptContent: 'x = (\n',
    };
    expect((await at.workshop.check({ draft, id: null }, noSignal)).problems).toMatchObject([
      { field: 'scriptContent', line: 1 },
    ]);
    expect(existsSync(trap)).toBe(false);
  });

  it('T58: saves a script without an interpreter and reports the missing interpreter when it runs', async () => {
    await using at = createTestWorkshop();
    await at.workshop.updateSettings({ python: '/nowhere/python3' }, noSignal);
    expect(await at.workshop.interpreter(undefined, noSignal)).toMatchObject({
      found: false,
      reason: expect.stringContaining('/nowhere/python3') as string,
    });
    const id = await make(at, pythonTool(echo));
    expect(await run(at, id, { text: 'a' })).toMatchObject({
      status: 'FAILED',
      errorCode: 'no_interpreter',
      errorMessage: expect.stringContaining('Install Python 3') as string,
    });
    await at.workshop.updateSettings({ python: '' }, noSignal);
    expect(await run(at, id, { text: 'a' })).toMatchObject({ status: 'SUCCESS' });
  });

  it.skipIf(process.platform !== 'linux')(
    'T56, T57: ends a script that double-forks and shows it no secret',
    async () => {
      await using at = createTestWorkshop();
      process.env['TOUCHSTONE_TEST_CANARY'] = 'canary-0123456789';
      try {
        const script = [
          'import json, os, sys',
          'read, write = os.pipe()',
          'if os.fork() == 0:',
          '    os.setsid()',
          '    if os.fork() == 0:',
          '        os.write(write, str(os.getpid()).encode())',
          '        os.execvpe("sleep", ["sleep", "1000"], {})',
          '    os._exit(0)',
          'os.wait()',
          'around = {"env": dict(os.environ), "parent": open(f"/proc/{os.getppid()}/environ").read(), "fds": os.listdir("/proc/self/fd")}',
          'json.dump({"pid": int(os.read(read, 20)), "canary": "canary" in json.dumps(around), "cwd": os.getcwd()}, sys.stdout)',
        ].join('\n');
        const done = await runContent(at, pythonTool(script));
        expect(done).toMatchObject({ status: 'SUCCESS', outputData: { canary: false } });
        const { pid, cwd } = done.outputData as { pid: number; cwd: string };
        expect([await readProcess(pid), existsSync(cwd)]).toEqual([null, false]);
      } finally {
        delete process.env['TOUCHSTONE_TEST_CANARY'];
      }
    },
  );
});
