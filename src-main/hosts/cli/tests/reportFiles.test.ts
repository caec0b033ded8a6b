import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]): Promise<Ended> => runCommand(args, { workspace: at('workspace') });
const write = async (name: string, content: unknown): Promise<string> => {
  await writeFile(at(name), JSON.stringify(content));
  return at(name);
};

const names = ['add', 'remove', 'list', 'rename', 'share', 'archive', 'print', 'export'];
const phrases: Record<string, string> = {
  add: 'add a new note',
  remove: 'remove a note for good',
  list: 'list all notes',
  rename: 'rename a note',
  share: 'share a note with a colleague',
  archive: 'archive an old note',
  print: 'print a note on paper',
  export: 'export notes as a file',
};
/** The tools; the reworded ones say nothing that a request asks for. */
const tools = (reworded: readonly string[] = []) => ({
  tools: names.map((name) => ({
    server: 's',
    name: `tool_${names.indexOf(name)}`,
    description: reworded.includes(name) ? 'Zzz.' : `Use it to ${phrases[name] ?? ''}.`,
    input_schema: { type: 'object' },
  })),
});
const suite = (kept = names, name = 'notes') => ({
  version: 1,
  name,
  servers: ['s'],
  cases: kept.map((each) => ({
    id: each,
    name: each,
    query: phrases[each],
    expected_calls: [{ server: 's', tool: `tool_${names.indexOf(each)}` }],
  })),
});

async function evaluate(
  report: string,
  suiteContent: unknown,
  toolsContent: unknown,
  ...more: string[]
): Promise<string> {
  const [suiteFile, toolsFile] = [
    await write('suite.json', suiteContent),
    await write('tools.json', toolsContent),
  ];
  const { code, stderr } = await run(
    'eval',
    '--suite',
    suiteFile,
    '--tools',
    toolsFile,
    '--provider',
    'builtin',
    '--report',
    at(report),
    ...more,
  );
  expect(code, stderr).toBe(0);
  return at(report);
}

let baseline: string;
let worse: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  baseline = await evaluate('baseline.json', suite(), tools());
  worse = await evaluate('worse.json', suite(), tools(names.slice(0, 7)));
});
afterAll(() => folder.remove());

interface Gated {
  passed: boolean;
  failed: string[];
  check: { baseline: { models: { regressed: { case_id: string }[]; answer: string }[] } };
}

describe('gate and compare on report files', () => {
  it('fails a report that the paired test finds worse, and names its broken cases', async () => {
    const { code, stdout } = await run('gate', worse, '--baseline', baseline, '--json');
    expect(code).toBe(1);
    const { passed, failed, check } = JSON.parse(stdout) as Gated;
    expect(passed).toBe(false);
    expect(failed).toEqual([expect.stringMatching(/vs\. .*baseline\.json: Worse: −\d/)]);
    expect(check.baseline.models[0]).toMatchObject({ answer: 'worse' });
    expect(check.baseline.models[0]?.regressed.map(({ case_id: id }) => id).sort()).toEqual(
      names.slice(0, 7).sort(),
    );
    expect((await run('gate', baseline, '--baseline', worse)).code).toBe(0);
  });

  it('passes a change within noise unless a tolerance or a limit of broken cases forbids it', async () => {
    const bit = await evaluate('bit.json', suite(), tools(['add', 'print']));
    const gate = (...more: string[]) => run('gate', bit, '--baseline', baseline, ...more);
    expect(await gate()).toMatchObject({ code: 0 });
    expect(await gate('--tolerance', 'pass_rate=0')).toMatchObject({ code: 1 });
    expect(await gate('--tolerance', 'pass_rate=0.5')).toMatchObject({ code: 0 });
    expect(await gate('--max-broken', '2')).toMatchObject({ code: 0 });
    const { code, stdout } = await gate('--max-broken', '1');
    expect(code).toBe(1);
    expect(stdout).toContain('2 broken cases, and 1 allowed.');
    expect(stdout).toContain('Broken: add, print');
  });

  it('refuses another suite, other cases and an incomplete baseline, and says what differs', async () => {
    const fewer = await evaluate('fewer.json', suite(names.slice(1)), tools());
    const deleted = await run('gate', fewer, '--baseline', baseline);
    expect([deleted.code, deleted.stdout]).toEqual([2, '']);
    expect(deleted.stderr).toContain('1 case of the baseline is missing: add.');
    expect((await run('gate', fewer, '--baseline', baseline, '--allow-changed-cases')).code).toBe(
      0,
    );
    const other = await evaluate('other.json', suite(names, 'else'), tools());
    const renamed = await run('gate', other, '--baseline', baseline, '--allow-changed-cases');
    expect([renamed.code, renamed.stderr]).toEqual([
      2,
      expect.stringContaining('The suite is else, and notes in the baseline.'),
    ]);
    const changed = suite();
    changed.cases[0] = { ...changed.cases[0], query: 'add another note' } as never;
    const reworded = await evaluate('changed.json', changed, tools());
    expect((await run('gate', reworded, '--baseline', baseline)).stderr).toContain(
      '1 case has another query or expectation: add.',
    );
  });

  it('pairs the cases of a tool that was renamed, as told', async () => {
    const renaming = (text: object) =>
      JSON.parse(JSON.stringify(text).replaceAll('tool_0', 'note_new')) as object;
    const now = await evaluate('renamed.json', renaming(suite()), renaming(tools()));
    const untold = await run('gate', now, '--baseline', baseline);
    expect([untold.code, untold.stderr]).toEqual([2, expect.stringContaining('expectation: add.')]);
    const gate = ['gate', now, '--baseline', baseline, '--renamed', 'tool_0=note_new'];
    const told = await run(...gate, '--json');
    expect(told.code, told.stderr).toBe(0);
    expect(JSON.parse(told.stdout)).toMatchObject({
      check: {
        baseline: {
          models: [{ difference: { value: 0 }, regressed: [] }],
          renamed: [{ from: 's:tool_0', to: 's:note_new' }],
        },
      },
    });
    expect((await run(...gate)).stdout).toContain('Tools renamed: s:tool_0 → s:note_new');
    const wrong = await run('gate', now, '--baseline', baseline, '--renamed', 'tool_0');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--renamed')]);
  });

  it('says in every output which tasks a check of cases left out, and what checks both', async () => {
    const { cases, ...head } = suite();
    const task = { id: 'first', name: 'First', turns: ['add a note'], checks: [{ answer: 'x' }] };
    const both = await write('mixed.json', { ...head, cases: [...cases, task] });
    const listed = await write('both.tools.json', tools());
    const outputs = ['json', 'html', 'md', 'xml'].map((ending) => at(`both.${ending}`));
    const check = ['check', '--suite', both, '--tools', listed, '--provider', 'builtin'];
    const { code, stdout, stderr } = await runCommand(
      [...check, '--min', 'pass_rate=0.5', '--report', ...outputs, 'github'],
      { workspace: at('workspace'), env: { GITHUB_STEP_SUMMARY: at('both.summary') } },
    );
    expect(code, stderr).toBe(0);
    const written = [...outputs, at('both.summary')].map((name) => readFile(name, 'utf8'));
    for (const text of [stderr, ...(await Promise.all(written))]) {
      expect(text).toContain('Check passed (1 task of the suite not checked)');
      expect(text).toMatch(
        /"unchecked_tasks":1|suites: \[\{suite: FILE, name: cases, only: cases\}/,
      );
    }
    expect(stdout + stderr).toContain(
      '::warning title=Tasks not checked::The suite also has 1 task',
    );
    expect(await run('verify', at('both.json'))).toMatchObject({ code: 0 });
    const cased = await run(...check, '--only', 'cases', '--min', 'pass_rate=0.5');
    expect(cased.stderr).not.toContain('not checked');
    const project = { version: 1, tools: 'both.tools.json', models: [{ provider: 'builtin' }] };
    const suites = ['cases', 'tasks'].map((only) => ({ suite: 'mixed.json', name: only, only }));
    const file = await write('touchstone.yaml', { ...project, suites });
    const checked = await run('check', '--config', file, '--json');
    expect(checked.code, checked.stderr).toBe(0);
    expect(checked.stdout + checked.stderr).not.toContain('not checked');
    expect(checked.stdout).toContain('success_rate');
  });

  it('compares report files as it compares evaluations, and mixes both', async () => {
    const { code, stdout } = await run('compare', baseline, worse, '--json');
    expect(code).toBe(0);
    const [one] = (JSON.parse(stdout) as { candidates: Record<string, unknown>[] }).candidates;
    expect(one).toMatchObject({ shared_cases: 8, answer: 'worse', tools: { added: [] } });
    expect((await run('compare', baseline, worse)).stdout).toContain(
      `${worse} (Built-in selector (no model)) against ${baseline}`,
    );
    expect((await run('compare', baseline, `${worse}/2`)).stderr).toContain('has 1 models');
    await run('eval', '--suite', 'todo-sample', '--provider', 'builtin', '--quiet');
    expect((await run('compare', '1', worse)).stderr).toContain('They have no cases in common.');
    expect((await run('gate', '1', '--baseline', '1')).code).toBe(0);
  });

  it('refuses what is no report of an evaluation', async () => {
    const wrong = await write('wrong.json', { format: 'touchstone-evaluation', version: 1 });
    for (const args of [
      ['gate', wrong, '--baseline', baseline],
      ['compare', wrong, baseline],
      ['compare', await write('text.json', 'hello'), baseline],
    ])
      expect((await run(...args)).code, args.join(' ')).toBe(2);
  });
});
