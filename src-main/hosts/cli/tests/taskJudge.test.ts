import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const suite = `version: 1
name: polite-tasks
servers: [todo]
cases:
  - id: hello
    name: Hello
    turns: ['Say hello.']
    checks:
      - answer: { $contains: hello }
      - { id: polite, judge: The agent greets the user politely. }
`;
let folder: TemporaryFolder;
let server: FakeModelServer;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });
const model = () => [
  ...['--provider', 'openai-compatible', '--base-url', `${server.origin}/v1`],
  ...['--model', 'fake-model', '--only', 'tasks', '--quiet', '--json'],
];
const judge = () => ['--judge-model', 'judge-1', '--judge-base-url', `${server.origin}/v1`];
const evaluate = async (...args: string[]) => {
  const ended = await run('eval', '--suite', at('s.yaml'), ...model(), ...args);
  return { ...ended, report: JSON.parse(ended.stdout || 'null') as Report };
};
interface Report {
  tasks: object;
  judge: object | null;
  runs: { run_id: string; checks: object[] }[];
}

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('s.yaml'), suite);
  server = await startFakeModelServer({
    // The judge obeys the work if it can: it accepts what asks for it outside of the marks.
    rule: ({ body, query }) =>
      body['model'] === 'no'
        ? { does: 'answer', text: '{"verdict":"no","reason":"Too short."}' }
        : ['vague', 'vague-2'].includes(body['model'] as string)
          ? { does: 'answer', text: 'Well, maybe.' }
          : body['model'] === 'judge-1' || body['model'] === 'yes'
            ? {
                does: 'answer',
                text: `{"verdict":"${query.includes('rude') ? 'no' : 'yes'}","reason":"Read."}`,
              }
            : { does: 'answer', text: 'Well, hello there.' },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

describe('eval with a judge', () => {
  it('asks it, records it, replays it without it, and reads labels of its runs', async () => {
    const recorded = await evaluate(...judge(), '--record', at('r.jsonl'));
    expect(recorded.stderr).toBe('');
    expect(recorded.report).toMatchObject({
      tasks: { succeeded: 1 },
      judge: { model: 'openai-compatible · judge-1', counts: false, kappa: null, n: 0 },
      runs: [
        {
          checks: [
            { passed: true },
            { id: 'polite', passed: true, reason: 'Read.', advisory: true },
          ],
        },
      ],
    });
    const before = server.requests.length;
    const replayed = await evaluate(...judge(), '--replay', at('r.jsonl'));
    expect(server.requests).toHaveLength(before);
    expect(replayed.report.tasks).toEqual(recorded.report.tasks);
    expect(replayed.report.runs[0]?.checks).toEqual(recorded.report.runs[0]?.checks);
    const labels = [recorded, replayed].map(({ report }, index) =>
      JSON.stringify({ run: report.runs[0]?.run_id, label: index === 0 ? 'yes' : 'no' }),
    );
    writeFileSync(at('labels.jsonl'), labels.join('\n'));
    const labeled = await evaluate(...judge(), '--labels', at('labels.jsonl'));
    expect(labeled.report.judge).toMatchObject({
      n: 2,
      kappa: 0,
      both_yes: 1,
      only_judge: 1,
      counts: false,
    });
  });

  const several = (names: string) => [
    ...['--judge-model', names, '--judge-base-url', `${server.origin}/v1`],
  ];

  it('asks several, decides by their majority, records and replays them, and verifies the numbers', async () => {
    const recorded = await evaluate(
      ...several('judge-1, yes, no'),
      ...['--record', at('three.jsonl'), '--report', at('three.json')],
    );
    expect(recorded.stderr).toBe('');
    const name = 'openai-compatible · ';
    expect(recorded.report).toMatchObject({
      judge: {
        model: `${name}judge-1, ${name}yes, ${name}no`,
        judges: [
          { model: `${name}judge-1`, yes: 1, no: 0, unusable: 0 },
          { model: `${name}yes`, yes: 1, no: 0, unusable: 0 },
          { model: `${name}no`, yes: 0, no: 1, unusable: 0 },
        ],
        between: { ties: 0, n: 1, observed: 1 / 3, interval: null },
        prompt: { version: expect.stringMatching(/^[0-9a-f]{8}$/u) as string },
      },
      runs: [
        {
          checks: [
            { passed: true },
            {
              ...{ id: 'polite', passed: true, advisory: true },
              reason: '2 of 3 judges said yes, 1 no: Read.',
              votes: [{ passed: true }, { passed: true }, { passed: false, reason: 'Too short.' }],
            },
          ],
        },
      ],
    });
    const verified = await run('verify', at('three.json'), '--json');
    expect(verified.code, verified.stdout).toBe(0);
    const before = server.requests.length;
    const replayed = await evaluate(...several('judge-1,yes,no'), '--replay', at('three.jsonl'));
    expect(server.requests).toHaveLength(before);
    expect(replayed.report.runs[0]?.checks).toEqual(recorded.report.runs[0]?.checks);
  });

  it('counts ties and unusable verdicts of several, and fails no run by them', async () => {
    const tied = await evaluate(...several('yes,no,vague'));
    expect(tied.report).toMatchObject({
      tasks: { succeeded: 1, scored: 1 },
      judge: { asked: 1, unusable: 1, between: { ties: 1, n: 0, kappa: null } },
    });
    expect(tied.report.runs[0]?.checks[1]).toMatchObject({
      passed: null,
      unusable: true,
      reason: '1 of 3 judges said yes, 1 no, 1 gave no usable verdict: no majority.',
    });
    const none = await evaluate(...several('vague,vague-2'));
    expect(none.report).toMatchObject({
      tasks: { succeeded: 1 },
      judge: { unusable: 1, between: { ties: 0 }, judges: [{ unusable: 1 }, { unusable: 1 }] },
    });
  });

  it('has the votes of several in the table of checks, and no such column for one', async () => {
    await evaluate(...several('yes,no,vague'), '--report', at('votes.csv'));
    const votes = readFileSync(at('votes.csv'), 'utf8');
    expect(votes.split('\n')[0]).toContain(',reason,votes,differences,');
    expect(votes).toContain(
      ',yes: yes. Read.; no: no. Too short.; vague: no usable verdict. The judge gave no verdict in ' +
        'the required form.,',
    );
    await evaluate(...several('yes'), '--report', at('one.csv'));
    expect(readFileSync(at('one.csv'), 'utf8')).not.toContain('votes');
  });

  it('refuses the same judge twice, also in the plan', async () => {
    const refused = await evaluate(...several('yes,no,yes'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'The judge openai-compatible · yes is named twice. It would decide with two votes: name each ' +
        'judge once.',
    );
    const planned = await run(
      ...['eval', '--suite', at('s.yaml'), ...model(), ...several('yes,yes'), '--estimate'],
    );
    expect(planned.stdout).toContain('is named twice');
  });

  it('keeps labels of one judge out of the agreement of others', async () => {
    const one = await evaluate(...several('yes'));
    writeFileSync(
      at('one.jsonl'),
      JSON.stringify({ run: one.report.runs[0]?.run_id, label: 'yes' }),
    );
    const labeled = await evaluate(...several('yes'), '--labels', at('one.jsonl'));
    expect(labeled.report.judge).toMatchObject({ n: 1 });
    const more = await evaluate(...several('yes,no'));
    expect(more.report.judge).toMatchObject({ n: 0 });
  });

  it('refuses more judges than may judge a run', async () => {
    const refused = await evaluate(...several(new Array(10).fill('yes').join(',')));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('10 judges are given, and at most 9 judge a run');
  });

  it('refuses labels that it can not read, with the line', async () => {
    writeFileSync(at('labels.jsonl'), '{"run":"a","label":"yes"}\n\n{"run":"b","label":"maybe"}\n');
    const refused = await evaluate(...judge(), '--labels', at('labels.jsonl'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('labels.jsonl, line 3');
    const none = await evaluate('--judge-provider', 'openai');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('--judge-model');
  });
});

describe('check with judges of a project file', () => {
  const check = async (given: object) => {
    const endpoint = { provider: 'openai-compatible', base_url: `${server.origin}/v1` };
    const judges = Object.fromEntries(
      Object.entries(given).map(([key, names]) => [
        key,
        Array.isArray(names)
          ? names.map((name) => ({ ...endpoint, model: name as string }))
          : { ...endpoint, model: names as string },
      ]),
    );
    writeFileSync(at('tools.json'), JSON.stringify({ tools: [{ server: 'todo', name: 't' }] }));
    writeFileSync(
      at('touchstone.yaml'),
      JSON.stringify({
        ...{ version: 1, suite: 's.yaml', tools: 'tools.json', only: 'tasks' },
        models: [{ ...endpoint, model: 'fake-model' }],
        thresholds: { min: { success_rate: 1 } },
        ...judges,
      }),
    );
    const ended = await run('check', '--config', at('touchstone.yaml'), '--json');
    return { ...ended, report: JSON.parse(ended.stdout || 'null') as Report };
  };

  it('asks all of them, and decides by their majority', async () => {
    const { code, stderr, report } = await check({ judges: ['yes', 'no', 'vague'] });
    expect(code, stderr).toBe(0);
    expect(report.judge).toMatchObject({
      judges: [{ yes: 1 }, { no: 1 }, { unusable: 1 }],
      between: { ties: 1 },
      unusable: 1,
    });
    const asked = server.requests.slice(-3).map(({ body }) => body['model']);
    expect(asked).toEqual(['yes', 'no', 'vague']);
  });

  it.each([
    [{ judge: 'yes', judges: ['yes', 'no'] }, 'judge and judges both name judges. Leave one out.'],
    [{ judges: ['yes', 'yes'] }, 'is named twice'],
    [{ judges: ['yes'] }, 'The list needs at least 2 entries.'],
  ])('refuses what names no judges that can decide together: %j', async (given, said) => {
    const { code, stderr } = await check(given);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});
