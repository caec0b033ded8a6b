import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { leaksOf } from '../../../testing/secretLeaks.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/** The key of the model's service, which the model repeats in place of what is expected. */
const key = 'sk-own-canary-5678901234';
const hidden = '[redacted]';

/*
 * A case and two tasks that passed in the baseline and fail now: every output of the check has the
 * expected and the actual value, and none has the key.
 */
const suites = {
  case: {
    cases: [
      {
        ...{ id: 'c1', name: 'Milk', query: 'Buy milk' },
        expected_calls: [
          { server: 'shop', tool: 'buy', parameters: { item: 'milk', day: 'monday' } },
        ],
      },
    ],
    // The parameter that differs is first in both calls.
    shown: {
      c1: [
        `item: expected "milk", got "${hidden}"`,
        'shop:buy(item: "milk", day: "monday")',
        `shop:buy(item: "${hidden}", day: "monday")`,
      ],
    },
  },
  task: {
    cases: [
      {
        ...{ id: 't1', name: 'Answer', turns: ['Buy milk'] },
        checks: [{ id: 'says', answer: { $contains: 'bought' } }],
      },
      {
        ...{ id: 't2', name: 'Calls', turns: ['Buy milk'] },
        checks: [{ id: 'buys', calls: { must: ['buy'], never: ['sell'] } }],
      },
    ],
    shown: {
      t1: [
        `check says: the last message: "Your key is ${hidden}." does not contain "bought"`,
        'contains "bought"',
        `"Your key is ${hidden}."`,
      ],
      t2: [
        'check buys: “sell” must not be called, but the model called it; called shop:sell',
        'buy; never sell',
        'shop:sell',
      ],
    },
  },
};
type Unit = keyof typeof suites;

let folder: TemporaryFolder;
let server: FakeModelServer;
let isBroken = false;
const at = (name: string): string => join(folder.path, name);

const run = (...args: string[]) =>
  runCommand(args, {
    workspace: at('workspace'),
    env: {
      OPENAI_COMPATIBLE_API_KEY: key,
      GITHUB_STEP_SUMMARY: at('summary.md'),
    },
  });

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({
    key,
    rule: ({ results }) =>
      results.length > 0
        ? { does: 'answer', text: isBroken ? `Your key is ${key}.` : 'It is bought.' }
        : {
            does: 'answer',
            calls: [
              {
                name: isBroken && asTask ? 'shop__sell' : 'shop__buy',
                arguments: { day: 'monday', item: isBroken ? key : 'milk' },
              },
            ],
          },
  });
  const properties = { day: { type: 'string' }, item: { type: 'string' } };
  const tools = ['buy', 'sell'].map((name) => ({
    ...{ server: 'shop', name, description: `Does ${name}.` },
    input_schema: { type: 'object', properties },
  }));
  await writeFile(at('tools.json'), JSON.stringify({ tools }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});
let asTask = false;

const asked = (unit: Unit) => [
  ...['--suite', `${unit}s`, '--tools', at('tools.json'), '--provider', 'openai-compatible'],
  ...['--model', 'fake-model', '--retries', '0', '--base-url', `${server.origin}/v1`],
];

/** A text as the parts of it that a reader sees, whatever the format escapes. */
const readable = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('""', '"')
    .replaceAll('\\"', '"')
    .replaceAll('%0A', '\n');

/** Outputs on one line or in one cell say what differs; the others have both sides as well. */
const short = new Set(['annotations', 'check', 'evaluations show']);

describe.each(['case', 'task'] as const)('a failed %s', (unit) => {
  it('says what differs in every output, without the secret that the model repeated', async () => {
    asTask = unit === 'task';
    isBroken = false;
    const { cases } = suites[unit];
    const suite = { version: 1, name: `${unit}s`, servers: ['shop'], cases };
    await writeFile(at('suite.json'), JSON.stringify(suite));
    expect((await run('suite', 'import', at('suite.json'))).code).toBe(0);
    const file = (name: string) => at(`${unit}-${name}`);
    const first = await run('eval', ...asked(unit), '--report', file('before.json'));
    expect(first).toMatchObject({ code: 0 });
    isBroken = true;
    const against = ['--against', file('before.json'), '--max-broken', '0'];
    const check = (...more: string[]) => run('check', ...asked(unit), ...against, ...more);
    const formats = ['json', 'md', 'html', 'xml', 'csv'];
    const full = await check('--report', 'github', ...formats.map((each) => file(`r.${each}`)));
    expect(full.code).toBe(1);
    const brief = await check('--report', file('short.md'), '--short', '--json');
    const [{ number }] = (
      JSON.parse((await run('evaluations', 'list', '--json')).stdout) as {
        evaluations: [{ number: number }];
      }
    ).evaluations;
    const outputs: Record<string, string> = {
      check: full.stdout,
      'check --json': brief.stdout,
      annotations: full.stderr,
      'step summary': await readFile(at('summary.md'), 'utf8'),
      'short.md': await readFile(file('short.md'), 'utf8'),
      'evaluations show': (await run('evaluations', 'show', `${number}`)).stdout,
      'evaluations show --json': (await run('evaluations', 'show', `${number}`, '--json')).stdout,
    };
    for (const each of formats) outputs[each] = await readFile(file(`r.${each}`), 'utf8');
    for (const [output, text] of Object.entries(outputs))
      for (const [id, [differs = '', ...sides]] of Object.entries(suites[unit].shown)) {
        expect(readable(text), `${output} ${id}`).toContain(differs);
        if (!short.has(output) && !output.endsWith('json'))
          for (const side of sides) expect(readable(text), `${output} ${id}`).toContain(side);
      }
    for (const [output, text] of Object.entries(outputs))
      expect(leaksOf([key], text), output).toEqual([]);
  });
});
