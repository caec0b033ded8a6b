import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { checkKinds } from '../../../../src-shared/domain/checkKinds.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let judge: FakeModelServer;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

const user = { user_id: 'u-1' };
const list = { server: 'todo', tool: 'list_tasks', arguments: user };
const milk = { server: 'todo', tool: 'add_task', arguments: { ...user, title: 'Buy milk' } };
const bread = { ...milk, arguments: { ...user, title: 'Buy bread' } };
const tasks = { ...list, at: '/tasks', ignore: ['created_at', 'updated_at'] };
const exit = (code: number) => [process.execPath, '-e', `process.exit(${code})`];
const verdict = (passed: boolean) => [
  process.execPath,
  '-e',
  `console.log('{"passed": ${passed}, "score": 0.5, "reason": "It said so."}')`,
];

/** A check that passes and one that fails, of each kind and each way to ask. */
const checks: Record<string, [passes: object, fails: object]> = {
  state_contains: [
    { state: { ...list, at: '/tasks', contains: { title: 'Buy milk' } } },
    { state: { ...list, at: '/tasks', contains: { title: 'Buy bread' } } },
  ],
  state_partial: [
    { state: { ...list, contains: { $partial: { tasks: { $contains: { id: 1 } } } } } },
    { state: { ...list, contains: { $partial: { tasks: { $contains: { id: 2 } } } } } },
  ],
  state_excludes: [
    { state: { ...list, at: '/tasks', excludes: { title: 'Buy bread' } } },
    { state: { ...list, at: '/tasks', excludes: { title: 'Buy milk' } } },
  ],
  state_matches: [
    { state: { ...list, at: '/count', matches: { $gte: 1 } } },
    { state: { ...list, at: '/count', matches: 2 } },
  ],
  end_state: [{ end_state: tasks }, { end_state: { ...tasks, at: '/tasks/0' } }],
  unchanged: [
    { unchanged: { ...list, arguments: { user_id: 'u-2' } } },
    { unchanged: { ...list, at: '/count' } },
  ],
  answer: [{ answer: { $contains: 'milk' } }, { answer: 'Done.' }],
  answer_any: [
    { answer: { $contains: 'milk' }, message: 'any' },
    { answer: { $contains: 'bread' }, message: 'any' },
  ],
  answer_json: [
    { answer: 'Buy milk', read: 'json', at: '/title' },
    { answer: { $ignore: true }, read: 'json', schema: { type: 'array' } },
  ],
  answer_number: [
    { answer: 1.2, read: 'number', tolerance: '50%' },
    { answer: 77, read: 'number', unit: 'kg' },
  ],
  calls: [
    { calls: { must: ['add_task'], never: ['delete_task'] } },
    { calls: { must: ['add_task', 'complete_task'], ordered: true } },
  ],
  calls_arguments: [
    { calls: { must: [{ tool: 'add_task', arguments: { title: { $contains: 'milk' } } }] } },
    { calls: { never: [{ tool: 'add_task', arguments: user }] } },
  ],
  calls_counts: [
    { calls: { must: [{ tool: 'add_task', at_most: 1 }], total: { at_most: 1 }, repeats: false } },
    { calls: { must: [{ tool: 'add_task', at_least: 2 }] } },
  ],
  calls_any: [
    { calls: { any: ['add_task', 'complete_task'] } },
    { calls: { any: ['complete_task', 'delete_task'] } },
  ],
  calls_groups: [
    { calls: { must: [[{ tool: 'add_task', at_least: 1 }]], ordered: true } },
    { calls: { must: [['complete_task', 'add_task']], ordered: true } },
  ],
  program: [{ program: { command: verdict(true) } }, { program: { command: verdict(false) } }],
  program_exit: [
    { program: { command: exit(0), exit_code: true } },
    { program: { command: exit(1), exit_code: true } },
  ],
  judge: [{ judge: 'It is polite.' }, { judge: 'It is rude.' }],
};

interface Run {
  task: string;
  outcome: string;
  checks: { id: string; kind: string; passed: boolean | null; reason: string }[];
}
const reports = ['json', 'csv', 'html', 'md', 'xml'] as const;
const read = (name: string): string => readFileSync(at(name), 'utf8');
const report = () => (JSON.parse(read('r.json')) as { runs: Run[] }).runs;

beforeAll(async () => {
  folder = await temporaryFolder();
  judge = await startFakeModelServer({
    rule: ({ query }) => ({
      does: 'answer',
      text: `{"verdict":"${query.includes('rude') ? 'no' : 'yes'}","reason":"Read."}`,
    }),
  });
  const cases = Object.entries(checks).flatMap(([id, both]) =>
    both.map((check, position) => ({
      id: `${id}-${position === 0 ? 'passes' : 'fails'}`,
      name: id,
      turns: ['Add a task "Buy milk" for user u-1.'],
      // Another solution ends elsewhere; times would not do, two plays can share a millisecond.
      ...(id === 'end_state' && { solution: [position === 0 ? milk : bread] }),
      // A verdict of a judge decides nothing until people agreed with it.
      checks: [{ id, ...check }, ...(id === 'judge' ? [{ calls: { must: ['add_task'] } }] : [])],
    })),
  );
  writeFileSync(
    at('every.yaml'),
    stringify({ version: 1, name: 'every', servers: ['todo'], cases }),
  );
  const played = await run(
    ...['eval', '--suite', at('every.yaml'), '--provider', 'builtin', '--only', 'tasks'],
    ...['--execute', 'full', '--yes', '--allow-programs', '--quiet', '--record', at('r.jsonl')],
    ...['--judge-provider', 'openai-compatible', '--judge-base-url', `${judge.origin}/v1`],
    ...['--judge-model', 'judge'],
    ...reports.flatMap((ending) => ['--report', at(`r.${ending}`)]),
  );
  expect(played.stderr).toBe('');
});
afterAll(async () => {
  await judge[Symbol.asyncDispose]();
  await folder.remove();
});

describe('each kind of check', () => {
  it('is among those that are tried here', () => {
    const tried = new Set(Object.values(checks).flatMap((both) => both.flatMap(Object.keys)));
    expect(checkKinds.filter((kind) => !tried.has(kind))).toEqual([]);
  });

  it.each(Object.keys(checks))('passes and fails, and says why: %s', (id) => {
    const runs = report().filter(({ task }) => task.replace(/-(?:passes|fails)$/u, '') === id);
    const found = runs.map((one) => one.checks.find((check) => check.id === id));
    expect(found.map((check) => check?.passed)).toEqual([true, false]);
    expect(found.every((check) => (check?.reason ?? '') !== '')).toBe(true);
    expect(runs.map(({ outcome }) => outcome)).toEqual([
      'succeeded',
      id === 'judge' ? 'succeeded' : 'check_failed',
    ]);
  });

  it('is verified by its report', async () => {
    const verified = await run('verify', at('r.json'));
    expect(verified.code, verified.stdout).toBe(0);
  });

  it('is replayed with the same verdicts, without a server, a program, or a judge', async () => {
    const before = report();
    const asked = judge.requests.length;
    const replayed = await run(
      ...['eval', '--suite', at('every.yaml'), '--replay', at('r.jsonl'), '--only', 'tasks'],
      ...['--judge-provider', 'openai-compatible', '--judge-base-url', `${judge.origin}/v1`],
      ...['--judge-model', 'judge', '--report', at('again.json')],
    );
    expect(replayed.code, replayed.stderr).toBe(0);
    const { runs } = JSON.parse(read('again.json')) as { runs: Run[] };
    const verdicts = (all: Run[]) =>
      all.map(({ task, outcome, checks: own }) => [task, outcome, own]);
    expect(verdicts(runs)).toEqual(verdicts(before));
    expect(judge.requests).toHaveLength(asked);
  });

  it.each(reports)('is in the report as %s, with the reason where it fails', (ending) => {
    const text = read(`r.${ending}`);
    const decided = report().filter(({ outcome }) => outcome === 'check_failed');
    for (const { task, checks: own } of decided) {
      const [failed] = own;
      expect(text, task).toContain(task);
      expect(text, task).toContain(failed?.id);
    }
    for (const kind of ending === 'json' || ending === 'csv' ? checkKinds : [])
      expect(text).toContain(kind);
  });

  it('is stored in a suite and exported as it was written', async () => {
    expect((await run('suite', 'import', at('every.yaml'))).code).toBe(0);
    const exported = await run('suite', 'export', 'every', '--out', at('out.yaml'));
    expect(exported.code, exported.stderr).toBe(0);
    const cases = (name: string) =>
      (parse(read(name)) as { cases: { id: string; checks: object[] }[] }).cases.map(
        ({ id, checks: own }) => [id, own],
      );
    expect(cases('out.yaml')).toEqual(cases('every.yaml'));
  });
});

/** Every value of YAML in a page of the guide. */
const examples = (text: string): unknown[] =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gmu)].map(([, yaml = '']) => parse(yaml) as unknown);
/** The checks in a value: objects of a list that name a kind. */
const checksIn = (value: unknown): object[] =>
  typeof value !== 'object' || value === null
    ? []
    : Array.isArray(value) && value.every((item) => checkKinds.some((kind) => kind in Object(item)))
      ? (value as object[])
      : Object.values(value).flatMap(checksIn);

describe('the checks that the guide shows', () => {
  const guide = readFileSync(join(programFiles.root, 'docs', 'guide', 'tasks.md'), 'utf8');
  const shown = examples(guide).flatMap(checksIn);

  it('are of all kinds', () => {
    const kinds = checkKinds.filter((kind) => shown.some((check) => kind in check));
    expect(kinds).toEqual(checkKinds);
  });

  it('are valid', async () => {
    const cases = shown.map((check, position) => ({
      ...{ id: `shown-${position}`, name: 'Shown', turns: ['Hello.'], solution: [milk] },
      before: { balance: { server: 'bank', tool: 'get_account', at: '/balance' } },
      checks: [check],
    }));
    writeFileSync(
      at('shown.yaml'),
      stringify({ version: 1, name: 'shown', servers: ['todo'], cases }),
    );
    const { code, stdout, stderr } = await run('suite', 'validate', at('shown.yaml'));
    expect(code, stdout + stderr).toBe(0);
  });
});
