import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { shardedEvaluation } from './shard.fixture.ts';

const { at, run, evaluate, replay, runParts, expectAsWhole, expectNoRegression, refused } =
  shardedEvaluation('--only', 'tasks', '--repetitions', '2');

const names = ['archive', 'delete', 'forward', 'read', 'send'];
const tools = (description: (name: string) => string) => ({
  tools: names.map((name) => ({
    server: 'mail',
    name: `${name}_message`,
    description: description(name),
    input_schema: { type: 'object', properties: { id: { type: 'integer' } } },
    annotations: { destructiveHint: name === 'delete' },
  })),
});
/** 11 tasks, so that parts have different sizes; some of them fail, and each in its own way. */
const suite = {
  version: 1,
  name: 'mail',
  servers: ['mail'],
  cases: [
    ...Array.from({ length: 11 }, (_, number) => ({
      id: `task-${number}`,
      name: `Task ${number}`,
      turns: [`${names[number % 5]} message ${number}`, `${names[(number + 1) % 5]} it`],
      checks: [
        { calls: { must: [`${names[(number + (number % 3)) % 5] ?? ''}_message`] } },
        { answer: { $contains: number % 4 === 0 ? 'nothing of this kind' : 'found' } },
        { judge: 'The answer is polite.' },
      ],
      ...(number === 7 && { limits: { steps: 1 } }),
      stub_results: names.map((name) => ({
        server: 'mail',
        tool: `${name}_message`,
        result: { found: `${name} ${number} é` },
      })),
    })),
    { id: 'one', name: 'A case', query: 'Send it', expected_calls: [] },
  ],
};

beforeAll(async () => {
  writeFileSync(at('suite.json'), JSON.stringify(suite));
  writeFileSync(at('tools.json'), JSON.stringify(tools((name) => `To ${name} a message.`)));
  const other = tools((name) => (name === 'send' ? 'Sends.' : `To ${name} a message.`));
  writeFileSync(at('other-tools.json'), JSON.stringify(other));
  // One after the other, so that the order of the recording is that of the suite.
  const recorded = await evaluate(
    ...['--provider', 'builtin', '--concurrency', '1', '--record', at('all.jsonl')],
  );
  expect(recorded.code, recorded.stderr).toBe(0);
  const lines = readFileSync(at('all.jsonl'), 'utf8').trim().split('\n');
  const isRun = (line: string): boolean => line.includes('"trajectory"');
  expect(lines.filter(isRun)).toHaveLength(11 * 2);
  // Some runs are missing, so that runs in two parts have no score.
  const runs = lines.filter(isRun);
  const gone = new Set([runs[1], runs[4]]);
  writeFileSync(at('some.jsonl'), lines.filter((line) => !gone.has(line)).join('\n'));
});

describe('touchstone merge of parts that ran tasks', () => {
  it.each([
    ['all.jsonl', 4, ['--min', 'success_rate=0.99'], 1],
    ['all.jsonl', 2, ['--min', 'success_rate=0.01'], 0],
    // More parts than tasks: some have none.
    ['all.jsonl', 12, [], 0],
    ['some.jsonl', 4, ['--min', 'success_rate=0.01'], 3],
  ])(
    'of a replay of %s in %i parts %j gives the bytes of one run in every format, and its code',
    (recording, of, more, code) => expectAsWhole(of, [...replay(recording), ...more], code),
  );

  it('compares all parts together with a baseline', expectNoRegression);

  it('says what differs between parts that are not of one evaluation', async () => {
    const args = replay('all.jsonl');
    const { files } = await runParts(2, ...args);
    const [second = '', first = ''] = files;
    expect(await refused(first)).toContain('Part 2 of 2 is missing.');
    await evaluate(...args, '--report', at('all.json'));
    expect(await refused(at('all.json'))).toContain("It's the report of a whole evaluation.");
    const other = at('other.json');
    const part = ['--shard', '2/2', '--report', other];
    await evaluate('--provider', 'builtin', ...part);
    expect(await refused(first, other)).toContain('Parts 1 and 2 asked different models');
    await evaluate(...args, '--tools', at('other-tools.json'), ...part);
    expect(await refused(first, other)).toContain(
      'Parts 1 and 2 saw different tools: mail:send_message.',
    );
    await run(
      ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--only', 'cases'],
      ...['--provider', 'builtin', '--quiet', ...part],
    );
    expect(await refused(first, other)).toContain('Some parts ran test cases, and others');
    const damaged = JSON.parse(readFileSync(second, 'utf8')) as {
      shard: { runs: { trajectory: string | null }[] };
    };
    for (const each of damaged.shard.runs) each.trajectory = '{}';
    writeFileSync(other, JSON.stringify(damaged));
    expect(await refused(first, other)).toContain('changed after it was written');
  });
});

describe('a part of tasks in a workspace', () => {
  it('resumes only its own tasks, and is judged when it is merged', async () => {
    const inWorkspace = (...args: string[]) => runCommand(args, { workspace: at('resumed') });
    await inWorkspace('suite', 'import', at('suite.json'));
    const started = await inWorkspace(
      ...['eval', '--suite', 'mail', '--tools', at('tools.json'), '--only', 'tasks'],
      ...[...replay('some.jsonl'), '--repetitions', '2', '--shard', '2/4'],
      ...['--min', 'success_rate=0.99', '--report', at('resumed.json')],
    );
    expect([started.code, started.stderr]).toEqual([
      3,
      expect.stringContaining('Part 2 of 4: `touchstone merge` judges all parts together.'),
    ]);
    const resumed = await inWorkspace('eval', '--resume', 'latest', '--only', 'tasks', '--json');
    expect(resumed.stderr).toContain('Running 1 run without a score.');
    const { runs } = JSON.parse(resumed.stdout) as { runs: { task: string; outcome: unknown }[] };
    const own = runs.filter(({ outcome }) => outcome !== null).map(({ task }) => task);
    expect(new Set(own)).toEqual(new Set(['task-1', 'task-5', 'task-9']));
  });
});
