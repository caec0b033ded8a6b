import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const suite = `version: 1
name: todo-tasks
servers: [todo]
execute: full
cases:
  - { id: add, name: Add, query: Add milk, expected_calls: [{ server: todo, tool: add_task }] }
  - id: buy-milk
    name: Add, then complete
    turns: ['Add a task "Buy milk" for user u-1.', 'Mark the task as completed.']
    setup: [{ server: todo, tool: add_task, arguments: { user_id: u-1, title: Pay rent } }]
    checks:
      - state: { server: todo, tool: list_tasks, arguments: { user_id: u-1 }, at: /tasks, contains: { title: { $contains: milk }, completed: true } }
      - calls: { must: [add_task, complete_task], ordered: true, never: [delete_task] }
  - id: list
    name: List
    turns: ['List the tasks of user u-1.']
    checks: [{ answer: nothing }]
`;
interface Estimated {
  executes: object[];
  models: { input_tokens: number; cost_usd: number }[];
  cost_usd: number;
}
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });
const tasks = (...args: string[]) =>
  run('eval', '--suite', at('s.yaml'), '--provider', 'builtin', '--only', 'tasks', ...args);

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('s.yaml'), suite.replace('execute: full\n', ''));
  writeFileSync(at('raised.yaml'), suite);
});
afterAll(() => folder.remove());

describe('eval on a suite with tasks', () => {
  it('executes everything only with --yes, and names what it would execute', async () => {
    const refused = await tasks('--execute', 'full');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('todo:delete_task');
    expect(refused.stderr).toContain('Give --yes');
    const ended = await tasks('--execute', 'full', '--yes', '--json', '--quiet');
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      mode: 'full',
      tasks: { scored: 2, succeeded: 1, success_rate: { value: 0.5, n: 2 } },
      executed: [
        { tool: 'todo:add_task', calls: 1 },
        { tool: 'todo:complete_task', calls: 1 },
        { tool: 'todo:list_tasks', calls: 1 },
      ],
      runs: [
        { task: 'buy-milk', outcome: 'succeeded', checks: [{ passed: true }, { passed: true }] },
        { task: 'list', outcome: 'check_failed', failed_check: 'answer' },
      ],
    });
  });

  it('estimates tokens and cost before the start, and executes nothing for it', async () => {
    const priced = ['--provider', 'openai', '--model', 'gpt-4.1-mini'];
    const asked = ['--execute', 'full', '--estimate', '--json', ...priced];
    const ended = await tasks(...asked, '--repetitions', '3');
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const once = JSON.parse((await tasks(...asked)).stdout) as Estimated;
    const thrice = JSON.parse(ended.stdout) as Estimated;
    expect(once).toMatchObject({ tasks: 2, runs: 2, mode: 'full', servers: ['todo'] });
    expect(once.executes).toContainEqual({
      server: 'todo',
      tool: 'delete_task',
      read_only: false,
      destructive: true,
    });
    const [model] = once.models;
    // Four requests of the first task and two of the second, 120 tokens for each answer.
    expect(model).toMatchObject({ tools: expect.any(Number) as number, output_tokens: 6 * 120 });
    expect(model?.cost_usd).toBeCloseTo(
      ((model?.input_tokens ?? 0) * 0.4 + 720 * 1.6) / 1_000_000,
      12,
    );
    expect(once.cost_usd).toBe(model?.cost_usd);
    expect(thrice.cost_usd).toBeCloseTo(3 * once.cost_usd, 12);
    const text = await tasks('--estimate', ...priced);
    expect(text.stdout).toContain(
      '2 tasks, 2 runs, execution mode stub. No data changes: no tool is executed.',
    );
    const refused = await tasks('--estimate', '--count', ...priced);
    expect(refused.stderr).toContain('--count: It applies to test cases');
  });

  it('writes reports that say what ran, and whose numbers can be recounted', async () => {
    const files = ['r.json', 'r.md', 'r.html', 'r.xml', 'r.csv'].map(at);
    const ended = await tasks(
      '--execute',
      'full',
      '--yes',
      '--repetitions',
      '2',
      '--report',
      ...files,
    );
    expect(ended.code).toBe(0);
    const [json = '', md = '', html = '', xml = '', csv = ''] = files.map((file) =>
      readFileSync(file, 'utf8'),
    );
    const schema = readFileSync(join(programFiles.datasets, 'tasks_report.schema.json'), 'utf8');
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(schema) as object,
    );
    expect([validate(JSON.parse(json)), validate.errors]).toEqual([true, null]);
    for (const text of [md, html]) expect(text).toContain('2 of 4 runs succeeded');
    expect(md).toContain(
      'Execution mode full: Every tool that the model calls is executed. 6 calls',
    );
    expect(xml).toContain('tests="4" failures="0" errors="0" skipped="2"');
    expect(csv.split('\n')[0]).toContain('check');
    const verified = await run('verify', at('r.json'));
    expect(verified.code).toBe(0);
    expect(verified.stdout).toContain('agree with its rows');
    writeFileSync(at('r.json'), json.replace('"succeeded":2', '"succeeded":3'));
    expect((await run('verify', at('r.json'))).code).toBe(1);
  });

  it('replays a recorded run with the same numbers, without executing anything', async () => {
    const json = async (...args: string[]) => {
      const ended = await tasks('--execute', 'full', '--json', '--quiet', ...args);
      expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
      const {
        tasks: numbers,
        runs,
        ...rest
      } = JSON.parse(ended.stdout) as {
        tasks: object;
        runs: { run_id: string; model: string; model_id: string; spend: object }[];
        executed: object;
      };
      // Only its ids, the label of the provider and what was paid tell a replayed run from the
      // recorded one.
      const own = runs.map(
        ({ run_id: _id, model: _m, model_id: _mid, spend: _spend, ...run }) => run,
      );
      return { numbers, runs: own, rest };
    };
    const recorded = await json('--yes', '--record', at('runs.jsonl'));
    const replayed = await json('--replay', at('runs.jsonl'));
    expect(JSON.stringify(replayed.numbers)).toBe(JSON.stringify(recorded.numbers));
    expect(JSON.stringify(replayed.runs)).toBe(JSON.stringify(recorded.runs));
    const shown = await tasks('--execute', 'full', '--replay', at('runs.jsonl'));
    expect(shown.stdout).toContain('so nothing was executed now');
    // The model and the execution mode are those of the recording.
    const alone = await run(
      ...['eval', '--suite', at('s.yaml'), '--only', 'tasks', '--replay', at('runs.jsonl')],
      ...['--json', '--quiet'],
    );
    expect([alone.code, JSON.parse(alone.stdout)]).toMatchObject([
      0,
      {
        mode: 'full',
        tasks: { scored: 2, not_scored: 0 },
        models: [{ provider: 'replay' }],
        // Nobody was asked, so nothing was paid.
        spend: { cost_usd: 0, unanswered_requests: 0 },
      },
    ]);
    const other = suite
      .replace('execute: full\n', '')
      .replace('answer: nothing', 'answer: { $contains: count }');
    writeFileSync(at('s.yaml'), other);
    expect((await json('--replay', at('runs.jsonl'))).numbers).toMatchObject({ succeeded: 2 });
    writeFileSync(at('s.yaml'), other.replace('List the tasks', 'Show the tasks'));
    const unknown = await tasks('--execute', 'full', '--replay', at('runs.jsonl'));
    expect(unknown.code).toBe(3);
    expect(unknown.stderr).toContain('The recording has no such run');
  });

  it('says which tool was called in place of which, in the answer and in reports', async () => {
    const wrong = `version: 1
name: wrong-tools
servers: [todo]
cases:
  - { id: right, name: Right, turns: ['Add a task "Tea" for user u-1.'], checks: [{ calls: { must: [add_task] } }] }
  - { id: wrong, name: Wrong, turns: ['Add a task "Milk" for user u-1.'], checks: [{ calls: { must: [complete_task] } }] }
`;
    writeFileSync(at('wrong.yaml'), wrong);
    const start = ['eval', '--suite', at('wrong.yaml'), '--provider', 'builtin'];
    const ended = await run(...start, '--report', at('w.json'), at('w.md'));
    expect(ended.stdout).toContain(
      'Biggest cause: Called add_task instead of complete_task in 1 task.',
    );
    const report = JSON.parse(readFileSync(at('w.json'), 'utf8')) as object;
    expect(report).toMatchObject({
      tasks: {
        first_wrong_steps: { known: 2, wrong: 1 },
        confusions: [{ expected: 'todo:complete_task', called: 'todo:add_task', runs: 1 }],
        tools: [
          { tool: 'todo:add_task', needed: 1, called: 2, missed: 0, wrong: 1, calls: 2 },
          { tool: 'todo:complete_task', needed: 1, called: 0, missed: 1, wrong: 0, calls: 0 },
        ],
      },
      runs: [
        { task: 'right', steps_known: true, first_wrong_step: null },
        {
          task: 'wrong',
          cause: { kind: 'wrong_tool', tool: 'todo:complete_task', called: 'todo:add_task' },
          first_wrong_step: {
            step: 1,
            expected: 'todo:complete_task',
            called: 'todo:add_task',
            by: 'check',
          },
        },
      ],
    });
    expect(readFileSync(at('w.md'), 'utf8')).toContain('First wrong steps');
    const verified = await run('verify', at('w.json'));
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('agree')]);
    writeFileSync(
      at('w.json'),
      JSON.stringify(report).replace('"missed":1,"wrong":0', '"missed":0,"wrong":0'),
    );
    expect((await run('verify', at('w.json'))).code).toBe(1);
  });

  it('ends with 3 if the mode keeps a task from being scored', async () => {
    const ended = await tasks();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('buy-milk');
    expect(ended.stdout).toContain('No call was executed');
  });

  it('resumes the latest evaluation if it is one of tasks, and runs only what has no score', async () => {
    // The state check keeps one of the two from being scored in this mode.
    await tasks();
    const resume = (...args: string[]) => run('eval', '--resume', 'latest', ...args);
    const unscored = await resume();
    expect([unscored.code, unscored.stderr]).toEqual([
      3,
      expect.stringContaining('Running 1 run without a score.'),
    ]);
    const ended = await tasks('--execute', 'full', '--yes');
    expect(ended.code).toBe(0);
    const nothing = await resume('--json');
    expect(nothing.stderr).toContain('Nothing is left to run');
    expect(JSON.parse(nothing.stdout)).toMatchObject({ mode: 'full', tasks: { scored: 2 } });
    const raised = await resume('--execute', 'full', '--yes');
    expect([raised.code, raised.stderr]).toEqual([
      2,
      expect.stringContaining('Leave out --execute'),
    ]);
  });

  it('runs the cases by default and mentions the tasks, and a suite can never raise the mode', async () => {
    const cases = await run('eval', '--suite', at('s.yaml'), '--provider', 'builtin');
    expect(cases.stderr).toContain('--only tasks');
    const raised = await run('suite', 'validate', at('raised.yaml'));
    expect(raised.code).toBe(2);
    expect(raised.stdout + raised.stderr).toContain('"execute"');
  });
});

describe('a suite with cases and tasks', () => {
  const evaluate = (...args: string[]) =>
    run('eval', '--suite', at('s.yaml'), '--provider', 'builtin', ...args);
  const ofCases =
    'The suite also has 2 tasks. Cases and tasks run apart, and the tasks are left out.';
  const ofTasks =
    'The suite also has 1 case. Cases and tasks run apart, and the cases are left out.';

  it('says in the plan what is left out, and which command runs it', async () => {
    const cases = await evaluate('--estimate');
    expect(cases.stdout).toContain(`${ofCases} --only tasks runs those.`);
    const tasksOnly = await evaluate('--only', 'tasks', '--estimate');
    expect(tasksOnly.stdout).toContain(`${ofTasks} --only cases runs those.`);
    const leftOut = async (...args: string[]) =>
      (
        JSON.parse((await evaluate('--estimate', '--json', ...args)).stdout) as {
          left_out?: object;
        }
      ).left_out;
    expect(await leftOut()).toEqual({ tasks: 2 });
    expect(await leftOut('--only', 'tasks')).toEqual({ cases: 1 });
  });

  it('says at the end what was left out, unless it was chosen', async () => {
    const note = 'The suite also has 2 tasks: give --only tasks to run them.';
    expect((await evaluate()).stderr).toContain(note);
    expect((await evaluate('--only', 'cases')).stderr).not.toContain(note);
  });

  it('says it of a suite in the workspace too, and not of one with tasks alone', async () => {
    expect((await run('suite', 'import', at('s.yaml'))).code).toBe(0);
    const stored = await run(
      'eval',
      '--suite',
      'todo-tasks',
      '--provider',
      'builtin',
      '--estimate',
    );
    expect(stored.stdout).toContain(ofCases);
    const file = readFileSync(at('s.yaml'), 'utf8');
    writeFileSync(at('alone.yaml'), file.replace(/ {2}- \{ id: add,.*\n/u, ''));
    const alone = await run(
      'eval',
      '--suite',
      at('alone.yaml'),
      '--provider',
      'builtin',
      '--estimate',
    );
    expect(alone.stdout).not.toContain('The suite also has');
  });
});
