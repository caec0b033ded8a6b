import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { shardedEvaluation } from './shard.fixture.ts';

const { at, run, evaluate, replay, runParts, expectAsWhole, expectNoRegression, refused } =
  shardedEvaluation('--repetitions', '3');

const names = ['archive', 'delete', 'forward', 'read', 'reply', 'send', 'star'];
const writeTools = (description: (name: string) => string): void =>
  writeFileSync(
    at('tools.json'),
    JSON.stringify({
      tools: names.map((name) => ({
        server: 'mail',
        name: `${name}_message`,
        description: description(name),
        input_schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      })),
    }),
  );
const plain = (name: string): string => `To ${name} a message.`;

beforeAll(async () => {
  writeFileSync(
    at('suite.json'),
    JSON.stringify({
      version: 1,
      name: 'mail',
      servers: ['mail'],
      // 13 cases, so that parts have different sizes; some of them fail.
      cases: Array.from({ length: 13 }, (_, number) => ({
        id: `case-${number}`,
        name: `Case ${number}`,
        query: `${number % 4 === 0 ? 'Do something with' : names[number % 7]} message ${number}`,
        expected_calls: [
          {
            server: 'mail',
            tool: `${names[number % 7] ?? ''}_message`,
            parameters: { id: number % 5 === 0 ? -1 : number },
          },
        ],
        ...(number === 3 && {
          system: 'Be brief.',
          messages: [{ role: 'user', content: 'There is mail.' }],
        }),
      })),
    }),
  );
  writeTools(plain);
  const recorded = await evaluate('--provider', 'builtin', '--record', at('all.jsonl'));
  expect(recorded.code, recorded.stderr).toBe(0);
  const lines = readFileSync(at('all.jsonl'), 'utf8').trim().split('\n');
  expect(lines.length).toBe(13 * 3);
  // Some answers are missing, so that runs in two parts fail.
  writeFileSync(at('some.jsonl'), lines.filter((_, index) => ![1, 4].includes(index)).join('\n'));
});

describe('touchstone merge', () => {
  it.each([
    ['all.jsonl', 4, ['--min', 'pass_rate=0.99'], 1],
    ['all.jsonl', 2, ['--min', 'pass_rate=0.01', '--shuffle-cases', '--seed', '7'], 0],
    // More parts than cases: some have none.
    ['all.jsonl', 14, [], 0],
    ['some.jsonl', 4, ['--min', 'pass_rate=0.01'], 3],
  ])(
    'of a replay of %s in %i parts %j gives the bytes of one run in every format, and its code',
    (recording, of, more, code) => expectAsWhole(of, [...replay(recording), ...more], code),
  );

  it('gets parts that hold their own runs and cases alone', async () => {
    const { files } = await runParts(4, ...replay('all.jsonl'));
    for (const file of files) {
      const { counts, runs, shard } = JSON.parse(readFileSync(file, 'utf8')) as {
        counts: { total: number; open: number };
        runs: unknown[];
        shard: { index: number; planned: object; cases: { position: number }[]; runs: unknown[] };
      };
      const own = [...Array(13).keys()].filter((position) => position % 4 === shard.index - 1);
      expect(shard.cases.map(({ position }) => position)).toEqual(own);
      expect([counts.total, counts.open]).toEqual([own.length * 3, 0]);
      expect([runs.length, shard.runs.length]).toEqual([own.length * 3, own.length * 3]);
      expect(shard.planned).toMatchObject({ entries: 13 });
    }
  });

  it('gives parts of different workspaces one id per model, and the time from first to last', async () => {
    const parts: string[] = [];
    for (const index of [1, 2]) {
      const file = at(`own-${index}.json`);
      await runCommand(
        [
          ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json')],
          ...['--provider', 'builtin', '--shard', `${index}/2`, '--report', file],
        ],
        { workspace: at(`workspace-${index}`) },
      );
      parts.push(file);
    }
    const { code, stderr } = await run('merge', ...parts, '--report', at('own.json'));
    expect(code, stderr).toBe(0);
    const read = (file: string) =>
      JSON.parse(readFileSync(file, 'utf8')) as {
        started_at: string;
        completed_at: string;
        models: unknown[];
        counts: object;
        runs: { run_id: string }[];
      };
    const [first, second, merged] = [...parts, at('own.json')].map(read);
    expect(merged).toMatchObject({
      started_at: first?.started_at,
      completed_at: second?.completed_at,
      counts: { total: 13, open: 0, failed: 0 },
    });
    expect(merged?.models).toHaveLength(1);
    expect(new Set(merged?.runs.map(({ run_id: id }) => id)).size).toBe(13);
  });

  it('compares all parts together with a baseline', expectNoRegression);
});

describe('what is no part of one evaluation', () => {
  it('is refused with what differs', async () => {
    const args = replay('all.jsonl');
    const { files } = await runParts(2, ...args);
    const [second = '', first = ''] = files;
    expect(await refused(first)).toContain('Part 2 of 2 is missing.');
    expect(await refused(first, second, first)).toContain('Part 1 of 2 is there twice.');
    await evaluate(...args, '--report', at('whole.json'));
    expect(await refused(at('whole.json'))).toContain("It's the report of a whole evaluation.");
    expect(await refused(at('tools.json'))).toContain("It isn't the JSON report of a part.");

    const three = await runParts(3, ...args);
    expect(await refused(first, three.files[0] ?? '')).toContain(
      'One is a part of 2, and another one of 3.',
    );

    const other = at('other.json');
    const part = ['--shard', '2/2', '--report', other];
    await evaluate(...args, '--seed', '3', ...part);
    expect(await refused(first, other)).toContain('Parts 1 and 2 ran with different settings.');
    await evaluate('--provider', 'builtin', ...part);
    expect(await refused(first, other)).toContain('Parts 1 and 2 asked different models');
    writeTools((name) => (name === 'star' ? 'Marks a message.' : plain(name)));
    await evaluate(...args, ...part);
    writeTools(plain);
    expect(await refused(first, other)).toContain(
      'Parts 1 and 2 saw different tools: mail:star_message.',
    );

    for (const [version, says] of [
      [undefined, 'An earlier version of Touchstone wrote this part. Run this part again'],
      [3, 'A later version of Touchstone wrote this part. Merge with the version'],
    ] as const) {
      const old = JSON.parse(readFileSync(second, 'utf8')) as { shard: object };
      writeFileSync(other, JSON.stringify({ ...old, shard: { ...old.shard, version } }));
      expect(await refused(first, other)).toContain(says);
    }

    const damaged = JSON.parse(readFileSync(second, 'utf8')) as {
      shard: { runs: { observation: string | null }[] };
    };
    for (const each of damaged.shard.runs) each.observation = '{}';
    writeFileSync(other, JSON.stringify(damaged));
    expect(await refused(first, other)).toContain('changed after it was written');
  });

  it.each([
    [['--shard', '0/4'], 'It needs the form I/N'],
    [['--shard', '5/4'], 'It needs the form I/N'],
    [['--shard', '1/1'], 'It needs the form I/N'],
    [['--shard', '1/4'], 'Give --report FILE.json.'],
  ])('ends eval %j with 2', async (args, says) => {
    const { code, stderr } = await evaluate('--provider', 'builtin', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says) as string]);
  });
});
