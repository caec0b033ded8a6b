import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createBuiltinModel } from '../../adapters/llm/builtin/builtinModel.ts';
import type { ChatModel } from '../../adapters/llm/chatModel.ts';
import type { ConnectorOptions } from '../../adapters/mcp/connect.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { StateCheck, TaskCheck } from '../../../src-shared/domain/task.ts';
import { AjvJudge } from '../../scoring/ajvJudge.ts';
import { judgeTask } from '../../scoring/tasks/judgeTask.ts';
import { fakeStdioServer, startFakeHttpServer } from '../../testing/fakeMcpServer/start.ts';
import { mixedCharacters } from '../../testing/fakeMcpServer/faultModes.ts';
import { tool } from '../../testing/fakeModelServer/openTestModel.ts';
import { expectNoLeaks, findLeaks } from '../../testing/leakCheck.ts';
import { isNightly } from '../../testing/nightly.ts';
import { watchMemory } from '../../testing/watchMemory.ts';
import { runTask, type TaskRun } from './runTask.ts';
import { openEnvironment, type TaskEnvironment } from './taskEnvironment.ts';
import {
  called,
  calls,
  environmentParts,
  says,
  scripted,
  soon,
  taskRun,
  todoServer,
} from '../../testing/taskRuns.ts';

afterEach(expectNoLeaks);

const require = createRequire(import.meta.url);
const installed = (name: string, args: string[] = [], env = {}): ServerConfig => ({
  transport: 'stdio',
  command: process.execPath,
  args: [
    join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js'),
    ...args,
  ],
  cwd: null,
  env,
});

/** Runs one task in an environment of its own, which is closed afterwards. */
async function perform(
  model: ChatModel,
  change: Partial<TaskRun>,
  {
    name = 'todo',
    config = todoServer,
    options,
  }: { name?: string; config?: ServerConfig; options?: ConnectorOptions } = {},
) {
  const environment = await openEnvironment([{ name, config }], environmentParts(options), soon());
  try {
    const run = taskRun({ mode: 'full', environment, ...change });
    const trajectory = await runTask(run, model, soon());
    return { trajectory, verdict: judgeTask(run.checks, trajectory, new AjvJudge()) };
  } finally {
    await environment[Symbol.asyncDispose]();
    expect(existsSync(environment.folder)).toBe(false);
  }
}

const listed = (test: StateCheck['test'], expected: StateCheck['expected']): TaskCheck => ({
  id: 'state',
  kind: 'state',
  server: 'todo',
  tool: 'list_tasks',
  arguments: { user_id: 'u-1' },
  at: '/tasks',
  test,
  expected,
});

describe('the Todo server', () => {
  const setup = [
    { server: 'todo', tool: 'add_task', arguments: { user_id: 'u-1', title: 'Pay rent' } },
  ];
  const checks: TaskCheck[] = [
    listed('contains', { title: { $contains: 'milk' }, completed: true }),
    { id: 'answer', kind: 'answer', expected: { $contains: '"completed":true' } },
    {
      id: 'calls',
      kind: 'calls',
      must: ['add_task', 'complete_task'],
      ordered: true,
      never: ['delete_task'],
    },
  ];

  it('is changed by builtin in two turns, and the state shows it', async () => {
    const { trajectory, verdict } = await perform(createBuiltinModel(), {
      turns: ['Add a task "Buy milk" for user u-1.', 'Mark the task as completed.'],
      setup,
      checks,
    });
    expect(verdict).toMatchObject({
      outcome: 'succeeded',
      checks: [{ passed: true }, { passed: true }, { passed: true }],
    });
    expect(trajectory.steps.map(({ turn, calls: made }) => [turn, made.length])).toEqual([
      [0, 1],
      [0, 0],
      [1, 1],
      [1, 0],
    ]);
    // The first ID belongs to the task of the setup.
    expect(trajectory.steps[2]?.calls[0]?.arguments).toEqual({ user_id: 'u-1', task_id: 2 });
  });

  it('is new for each run', async () => {
    const run = { turns: ['List the tasks of user u-1.'], setup };
    for (const _ of [1, 2]) {
      const { trajectory } = await perform(createBuiltinModel(), run);
      expect(trajectory.steps[0]?.calls[0]?.result.structured).toMatchObject({ count: 1 });
    }
  });

  it('stays unchanged in read-only mode, and the model is told', async () => {
    const { model, inputs } = scripted([
      calls(
        called('add_task', { user_id: 'u-1', title: 'x' }),
        called('list_tasks', { user_id: 'u-1' }),
      ),
      says('Done.'),
    ]);
    const { verdict } = await perform(model, {
      mode: 'read-only',
      checks: [listed('excludes', { title: 'x' })],
    });
    expect(verdict.outcome).toBe('succeeded');
    expect(inputs[1]).toMatchObject({
      results: [
        { text: 'not executed in this mode' },
        { text: expect.stringContaining('"count":0') },
      ],
    });
  });

  it('is not set up in read-only mode, so the run is not scored', async () => {
    const { verdict, trajectory } = await perform(createBuiltinModel(), {
      mode: 'read-only',
      setup,
    });
    expect(verdict.outcome).toBe('not_scored');
    expect(trajectory.end).toMatchObject({ by: 'infrastructure', stage: 'setup' });
  });

  it('refuses arguments that fail the schema, and the model can correct them', async () => {
    const { model, inputs } = scripted([
      calls(called('add_task', { user_id: 'u-1', title: 5 })),
      calls(called('add_task', { user_id: 'u-1', title: 'Five' })),
      says('Done.'),
    ]);
    const checks = [listed('contains', { title: 'Five' })];
    const { verdict, trajectory } = await perform(model, { checks });
    expect(inputs[1]).toMatchObject({ results: [{ isError: true }] });
    expect(trajectory.steps[0]?.calls[0]?.answeredBy).toBe('executed');
    expect(verdict.outcome).toBe('succeeded');
  });

  it('is not scored if its setup returns an error', async () => {
    const { verdict, trajectory } = await perform(createBuiltinModel(), {
      setup: [{ server: 'todo', tool: 'add_task', arguments: {} }],
    });
    expect(verdict.outcome).toBe('not_scored');
    expect(trajectory.end).toMatchObject({ stage: 'setup' });
  });

  it('takes 100 parallel calls of one reply in their order', async () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      ...called('add_task', { user_id: 'u-1', title: `Task ${at}` }),
      id: `call_${at}`,
    }));
    const { model } = scripted([calls(...many), says('Done.')]);
    const { trajectory } = await perform(model, {
      limits: { steps: 2, toolCalls: 100, seconds: 30, tokens: 1_000 },
      checks: [listed('contains', { title: 'Task 99', id: 100 })],
    });
    expect(trajectory.end).toEqual({ by: 'answered' });
    expect(trajectory.steps[0]?.calls.map(({ result }) => result.structured)).toMatchObject(
      many.map((_, at) => ({ id: at + 1 })),
    );
  });
});

describe('published servers', () => {
  it('writes a file with server-filesystem into the folder of the run', async () => {
    const { model } = scripted(() => says('Done.'));
    const environment = await openEnvironment(
      [{ name: 'files', config: installed('server-filesystem', ['{{run_dir}}']) }],
      environmentParts(),
      soon(),
    );
    await using _ = environment;
    const path = join(environment.folder, 'note.txt');
    const writer = scripted([
      calls(called('write_file', { path, content: 'Buy milk' }, 'files')),
      says('Done.'),
    ]);
    const checks: TaskCheck[] = [
      {
        id: 'state',
        kind: 'state',
        server: 'files',
        tool: 'read_text_file',
        arguments: { path },
        at: '',
        test: 'contains',
        expected: { content: { $contains: 'milk' } },
      },
    ];
    const run = taskRun({ mode: 'full', environment, checks });
    const trajectory = await runTask(run, writer.model, soon());
    expect(judgeTask(checks, trajectory, new AjvJudge()).outcome).toBe('succeeded');
    expect(await readFile(path, 'utf8')).toBe('Buy milk');
    const idle = await runTask(run, model, soon());
    expect(judgeTask(checks, idle, new AjvJudge()).outcome).toBe('succeeded');
  });

  it.runIf(isNightly)('remembers an entity with server-memory, in a file of the run', async () => {
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }];
    const { model } = scripted([
      calls(called('create_entities', { entities }, 'memory')),
      says('Saved.'),
    ]);
    const { verdict } = await perform(
      model,
      {
        checks: [
          {
            id: 'state',
            kind: 'state',
            server: 'memory',
            tool: 'read_graph',
            arguments: {},
            at: '/entities',
            test: 'contains',
            expected: { name: 'Ada' },
          },
        ],
      },
      {
        name: 'memory',
        config: installed('server-memory', [], { MEMORY_FILE_PATH: '{{run_dir}}/memory.jsonl' }),
      },
    );
    expect(verdict.outcome).toBe('succeeded');
  });

  it.runIf(isNightly)(
    'notes the image of server-everything and passes on its structured content',
    async () => {
      const { model, inputs } = scripted([
        calls(called('get-tiny-image', {}, 'all'), called('echo', { message: 'hi' }, 'all')),
        says('Seen.'),
      ]);
      const { trajectory } = await perform(
        model,
        {},
        { name: 'all', config: installed('server-everything') },
      );
      expect(trajectory.steps[0]?.calls[0]?.result.omitted).toEqual(['image/png']);
      expect(inputs[1]).toMatchObject({
        results: [
          { text: expect.stringContaining('[image/png content, not sent]') },
          { text: 'Echo: hi' },
        ],
      });
    },
  );
});

describe('a server that misbehaves in the middle of a task', () => {
  const fake = async (mode: string, options: ConnectorOptions = {}) => {
    const { model } = scripted([calls(called('echo', { text: 'hi' }, 'fake')), says('Done.')]);
    return perform(
      model,
      { tools: [tool('echo', { type: 'object' }, 'fake')] },
      { name: 'fake', config: fakeStdioServer(mode), options },
    );
  };

  it.each([
    ['exits', 'exit-at-call'],
    ['crashes', 'crash-at-call'],
    ['closes its pipes', 'broken-pipe'],
    ['returns 50 MB', 'answer-50mb'],
    ['floods its output with 30 MB that never end', 'no-newline-30mb'],
  ])('never makes the run count if it %s during a call', async (_what, mode) => {
    const { trajectory, verdict } = await fake(mode);
    expect(verdict).toMatchObject({ outcome: 'not_scored', succeeded: null });
    expect(trajectory.end).toMatchObject({ by: 'infrastructure', stage: 'tool' });
    expect(trajectory.end).toHaveProperty('message', expect.stringContaining('Server "fake"'));
  });

  it('never makes the run count if it hangs during a call', async () => {
    const { trajectory, verdict } = await fake('silent-call', { deadlines: { callMs: 300 } });
    expect(verdict).toMatchObject({ outcome: 'not_scored', succeeded: null });
    expect(trajectory.end).toMatchObject({ by: 'infrastructure', stage: 'tool' });
  });

  it.each([
    ['floods its error output with 200 MB', 'stderr-flood'],
    ['reports a changed list of tools that did not change', 'list-called-changed'],
    ['reports a changed list without end', 'changing-list'],
  ])('does not disturb the task if it %s', async (_what, mode) => {
    const { trajectory } = await fake(mode);
    expect(trajectory.end).toEqual({ by: 'answered' });
    expect(trajectory.steps[0]?.calls[0]?.result).toMatchObject({ isError: false });
  });

  it('lets the model answer if it changes its list, and the tool is gone at the next call', async () => {
    const echo = () => calls(called('echo', { text: 'hi' }, 'fake'));
    const { model, inputs } = scripted([echo(), echo(), says('The tool is gone.')]);
    const { trajectory } = await perform(
      model,
      { tools: [tool('echo', { type: 'object' }, 'fake')] },
      { name: 'fake', config: fakeStdioServer('list-changes-at-call') },
    );
    expect(inputs[1]).toMatchObject({ results: [{ isError: false }] });
    expect(inputs[2]).toMatchObject({ results: [{ isError: true }] });
    expect(trajectory.end).toEqual({ by: 'answered' });
  });

  it('is ended with all its processes, which ignore SIGTERM, when the time is over', async () => {
    const { model } = scripted((input) =>
      input.by === 'user'
        ? calls(called('echo', { text: 'hi' }, 'fake'))
        : new Promise<never>(() => undefined),
    );
    const { trajectory } = await perform(
      model,
      {
        tools: [tool('echo', { type: 'object' }, 'fake')],
        limits: { steps: 5, toolCalls: 5, seconds: 1, tokens: 1_000 },
      },
      { name: 'fake', config: fakeStdioServer('family') },
    );
    expect(trajectory.end).toEqual({ by: 'limit', limit: 'seconds' });
    expect(trajectory.steps[0]?.calls[0]?.answeredBy).toBe('executed');
    expect(await findLeaks()).toEqual([]);
  });

  it('cuts 20 MB of one character before the model gets it', async () => {
    const { trajectory } = await fake('text-20mb');
    const { text, cutFrom } = trajectory.steps[0]?.calls[0]?.result ?? {};
    expect(cutFrom).toBe(20_000_000);
    expect(text?.length).toBeLessThan(51_000);
  });

  it.runIf(isNightly)(
    'refuses 50 MB of mixed characters by name, and never holds more than its limit',
    async () => {
      using memory = watchMemory();
      const { trajectory, verdict } = await fake('mixed-50mb');
      expect(verdict).toMatchObject({ outcome: 'not_scored', succeeded: null });
      expect(trajectory.end).toHaveProperty(
        'message',
        expect.stringContaining('larger than 25 MB'),
      );
      // The parts of a message are kept until the limit, and joined at most once.
      expect(memory.peakMb()).toBeLessThan(150);
    },
  );

  it.runIf(isNightly)(
    'cuts 50 MB of mixed characters between two of them where the limit allows so much',
    async () => {
      using memory = watchMemory();
      const { trajectory } = await fake('mixed-50mb', { limits: { messageBytes: 60_000_000 } });
      const { text = '', cutFrom } = trajectory.steps[0]?.calls[0]?.result ?? {};
      const [shown = ''] = text.split('\n[Cut: ');
      expect(shown.length).toBeGreaterThan(49_990);
      expect(mixedCharacters.repeat(2_000).startsWith(shown)).toBe(true);
      expect(shown.isWellFormed()).toBe(true);
      expect(cutFrom).toBeGreaterThan(30_000_000);
      expect(memory.peakMb()).toBeLessThan(600);
    },
  );

  it('passes an error of the protocol on to the model', async () => {
    const { model, inputs } = scripted([calls(called('nothing', {}, 'fake')), says('Sorry.')]);
    const { trajectory } = await perform(
      model,
      {},
      { name: 'fake', config: fakeStdioServer('complaining') },
    );
    expect(trajectory.end).toEqual({ by: 'answered' });
    expect(inputs[1]).toMatchObject({ results: [{ isError: true }] });
  });

  it('leaves no process and no folder if it never starts', async () => {
    const opening = openEnvironment(
      [
        { name: 'todo', config: todoServer },
        { name: 'broken', config: fakeStdioServer('exit-at-start') },
      ],
      environmentParts(),
      soon(),
    );
    await expect(opening).rejects.toThrow('Server "broken"');
    expect(await findLeaks()).toEqual([]);
  });

  it('ends with its processes if the run is cancelled during a call', async () => {
    const environment = await openEnvironment(
      [{ name: 'fake', config: fakeStdioServer('silent-call') }],
      environmentParts(),
      soon(),
    );
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const waiting: TaskEnvironment = {
      ...environment,
      call(...call) {
        const answer = environment.call(...call);
        setImmediate(() => controller.abort(reason));
        return answer;
      },
    };
    const { model } = scripted([calls(called('echo', {}, 'fake'))]);
    const run = taskRun({ mode: 'full', environment: waiting });
    await expect(runTask(run, model, controller.signal)).rejects.toBe(reason);
    await environment[Symbol.asyncDispose]();
    expect(await findLeaks()).toEqual([]);
    expect(existsSync(environment.folder)).toBe(false);
  });
});

describe('a server over HTTP', () => {
  it('serves one run at a time, also of two evaluations', async () => {
    await using server = await startFakeHttpServer();
    const parts = environmentParts();
    const target = { name: 'web', config: server.config() };
    const first = await openEnvironment([target], parts, soon());
    let second: TaskEnvironment | null = null;
    const opening = openEnvironment([target], parts, soon()).then((opened) => (second = opened));
    await first.call('web', 'echo', { text: 'hi' }, soon());
    expect(second).toBeNull();
    await first[Symbol.asyncDispose]();
    await (await opening)[Symbol.asyncDispose]();
    expect(second).not.toBeNull();
  });

  it('serves several runs at a time if it is declared isolated', async () => {
    await using server = await startFakeHttpServer();
    const parts = environmentParts();
    const target = { name: 'web', config: { ...server.config(), isolated: true as const } };
    const first = await openEnvironment([target], parts, soon());
    const second = await openEnvironment([target], parts, soon());
    for (const environment of [first, second]) {
      await environment.call('web', 'echo', { text: 'hi' }, soon());
      await environment[Symbol.asyncDispose]();
    }
  });

  it('gives its place back if a waiting run is cancelled', async () => {
    await using server = await startFakeHttpServer();
    const parts = environmentParts();
    const target = { name: 'web', config: server.config() };
    const first = await openEnvironment([target], parts, soon());
    const controller = new AbortController();
    const waiting = openEnvironment([target], parts, controller.signal);
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    await first[Symbol.asyncDispose]();
    const third = await openEnvironment([target], parts, soon());
    await third[Symbol.asyncDispose]();
  });
});
