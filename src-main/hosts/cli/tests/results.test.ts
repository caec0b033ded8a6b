import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
let first: {
  number: number;
  evaluation_id: string;
  metrics: Record<string, unknown>;
  counts: unknown;
};
const run = (...args: string[]): Promise<Ended> =>
  runCommand(args, { workspace: join(folder.path, 'workspace') });
const read = async <T>(...args: string[]): Promise<T> =>
  JSON.parse((await run(...args, '--json')).stdout) as T;
const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder.path, name);
  await writeFile(path, JSON.stringify(content));
  return path;
};

beforeAll(async () => {
  folder = await temporaryFolder();
  first = await read('eval', '--suite', 'todo-sample', '--provider', 'builtin', '--quiet');
});
afterAll(async () => {
  await folder.remove();
});

interface WhatIf {
  evaluation_id: string;
  number: number;
  base_id: string;
  changes: unknown[];
  flipped: { case_id: string; before: string; after: string }[];
  p_value: number;
  answer: string;
}

describe('results on the command line', () => {
  it('verify agrees with an export, finds a changed number and refuses other files', async () => {
    const { stdout } = await run('export', String(first.number), '--to', 'json');
    const report = JSON.parse(stdout) as { counts: { tp: number } };
    const good = await run('verify', await file('report.json', report));
    expect(good.stdout).toMatch(
      /^All \d+ values of the evaluation report agree with its rows\.\nnot checked: /,
    );
    expect(good.code).toBe(0);
    report.counts.tp += 1;
    const bad = await run('verify', await file('changed.json', report));
    expect(bad.stdout).toContain(
      `  counts.tp: reported ${report.counts.tp}, recomputed ${report.counts.tp - 1}\n`,
    );
    expect(bad.code).toBe(1);
    const other = await run('verify', await file('other.json', { format: 'other' }));
    expect(other.stderr).toContain("It isn't a JSON report of a supported kind and version.");
    expect(other.code).toBe(2);
  });

  it('metrics leads with how many cases passed, as the evaluation does', async () => {
    const { stdout } = await run('metrics', '--suite', 'todo-sample');
    expect(stdout).toMatch(
      /By run: TP \d.*\n(?:.*\n)+Precision by call.*\nRecall by call.*\nF1 by call/u,
    );
    const [headline, failed] = stdout.split('\n');
    expect(headline).toMatch(/^\d+ of \d+ cases passed {2}\d+% {2}\(95% CI \d+–\d+%\)$/);
    expect(failed).toMatch(/^\d+ failed: \d+ (wrong tool|no tool called) · /);
    const { outcomes, counts } = await read<{
      outcomes: Record<string, number>;
      counts: { total: number };
    }>('metrics', '--suite', 'todo-sample');
    expect(headline).toContain(`${outcomes['passed']} of ${counts.total} cases`);
    const document = JSON.parse(
      (await run('export', String(first.number), '--to', 'json')).stdout,
    ) as { verdict: { outcomes: object; lines: string[] } };
    expect(outcomes).toEqual(document.verdict.outcomes);
    expect(document.verdict.lines.slice(0, 2)).toEqual([headline, failed]);
  });

  it('what-if and compare list the same flipped cases by the ids of the suite file', async () => {
    const whatIf = await read<WhatIf>(
      'what-if',
      String(first.number),
      '--without',
      'todo:complete_task',
      '--quiet',
    );
    expect(whatIf).toMatchObject({
      base_id: first.evaluation_id,
      changes: [{ kind: 'remove_tool', toolId: 'todo:complete_task' }],
    });
    expect(whatIf.flipped.length).toBeGreaterThan(0);
    for (const flip of whatIf.flipped) expect(flip.case_id).not.toMatch(/^[0-9a-f]{8}-/);
    const compared = await read<{
      baseline: string;
      candidates: {
        regressed: { case_id: string }[];
        fixed: { case_id: string }[];
        p_value: number;
        answer: string;
        shared_cases: number;
        needed_cases?: number;
      }[];
    }>('compare', String(first.number), `#${whatIf.number}`);
    expect(compared.baseline).toBe(first.evaluation_id);
    const [one] = compared.candidates;
    expect([...(one?.regressed ?? []), ...(one?.fixed ?? [])].map(({ case_id: id }) => id)).toEqual(
      whatIf.flipped.map(({ case_id: id }) => id),
    );
    expect(one).toMatchObject({ p_value: whatIf.p_value, answer: whatIf.answer, shared_cases: 61 });
    expect(['better', 'worse', 'cannot tell']).toContain(whatIf.answer);
    expect((await run('compare', `${first.number}/1`, String(whatIf.number))).stdout).toMatch(
      /^#\d+ .* against #\d+/,
    );
    const overrides = await file('override.json', {
      'todo:add_task': { description: 'Adds a task.', name: 'create_task' },
    });
    const reworded = await read<WhatIf>(
      'what-if',
      String(first.number),
      '--override',
      overrides,
      '--quiet',
    );
    expect(reworded.changes).toMatchObject([
      { kind: 'override', toolId: 'todo:add_task' },
      { kind: 'rename', to: 'todo:create_task' },
    ]);
  });

  it('metrics of one evaluation match those that eval printed', async () => {
    const { metrics, counts } = await read<typeof first>(
      'metrics',
      '--evaluation',
      String(first.number),
    );
    expect({ metrics, counts }).toEqual({ metrics: first.metrics, counts: first.counts });
    expect(await read('metrics', '--suite', 'nothing of this name')).toMatchObject({
      evaluations: 0,
      metrics: { selection_f1: { value: null, n: 0 } },
    });
  });

  it.each([
    [['compare', '1', '4711'], '4711'],
    [['compare', '1/7', '1'], '1/7'],
    [['compare', '1', '1', '--right-when', 'always'], 'always'],
    [['what-if', '1'], 'what-if'],
    [['what-if', '1', '--without', 'todo:never'], 'todo:never'],
    [['what-if', '1', '--rename', 'x'], 'x'],
    [['metrics', '--from', 'yesterday'], 'yesterday'],
    [['rescore', '1', '--high-confidence', '2'], '--high-confidence'],
    [['gate', 'missing.json', '--min', 'accuracy=1'], 'missing.json'],
  ])('ends %j with 2 and names the bad input', async (args, named) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(named);
  });
});

describe('gate on numbers', () => {
  const report = (value: number | null, counts = { failed: 0, open: 0, total: 10 }) => ({
    counts,
    metrics: {
      selection_f1: { value, low: value === null ? null : value - 0.1, high: value, n: 10 },
      accuracy: { value: 0.5, low: 0.4, high: 0.6, n: 10 },
    },
  });
  const exact = ['--tolerance', 'selection_f1=0'];
  it.each([
    ['falls by more than the tolerance', report(0.7), report(0.8), exact, 1],
    ['stays', report(0.8), report(0.8), exact, 0],
    ['rises', report(0.9), report(0.8), exact, 0],
    [
      'falls within the tolerance',
      report(0.75),
      report(0.8),
      ['--tolerance', 'selection_f1=0.05'],
      0,
    ],
    [
      'falls within the tolerance of the file',
      report(0.75),
      { ...report(0.8), tolerance: { selection_f1: 0.05 } },
      [],
      0,
    ],
    ['lists no runs and has no tolerance', report(0.8), report(0.8), [], 2],
    [
      'has fewer runs',
      report(0.8, { failed: 0, open: 0, total: 2 }),
      report(0.8),
      ['--tolerance', 'selection_f1=0.05'],
      2,
    ],
    [
      'is of another model',
      { ...report(0.8), model: 'a' },
      { ...report(0.8), model: 'b' },
      exact,
      2,
    ],
    ['is not defined', report(null), report(0.8), exact, 3],
    [
      'leaves out a failed run',
      report(0.8, { failed: 1, open: 0, total: 10 }),
      report(0.8),
      exact,
      3,
    ],
    [
      'may leave out a failed run',
      report(0.8, { failed: 1, open: 0, total: 10 }),
      report(0.8),
      [...exact, '--allow-failed', '1'],
      0,
    ],
    [
      'names a metric that the baseline has not',
      report(0.8),
      report(0.8),
      ['--tolerance', 'mrr=0.1'],
      2,
    ],
    ['holds its bound', report(0.8), report(0.8), [...exact, '--min', 'selection_f1.low=0.6'], 0],
    [
      'does not hold its bound',
      report(0.8),
      report(0.8),
      [...exact, '--min', 'selection_f1.low=0.75'],
      1,
    ],
    [
      'is undecided and fails: trouble before gate',
      report(null),
      report(0.8),
      [...exact, '--min', 'accuracy=0.9'],
      3,
    ],
  ])('decides on a report that %s', async (_what, now, before, more, expected) => {
    const [reportFile, baseline] = [await file('now.json', now), await file('before.json', before)];
    const { code, stdout } = await run(
      'gate',
      reportFile,
      '--baseline',
      baseline,
      ...more,
      '--json',
    );
    expect(code).toBe(expected);
    if (expected !== 2) expect(JSON.parse(stdout)).toMatchObject({ passed: expected === 0 });
  });

  it('reads a retrieval baseline and refuses one of another corpus', async () => {
    const now = await file('retrieval.json', {
      corpus_version: 'corpus_v1',
      metrics: { recall_at: { 5: 0.6 }, mrr: 0.5 },
    });
    const baseline = {
      corpus_version: 'corpus_v1',
      recall_at: { 5: 0.68 },
      mrr: 0.5,
      tolerance: { recall_at_5: 0.05 },
    };
    const fell = await run(
      'gate',
      now,
      '--baseline',
      await file('baseline.json', baseline),
      '--json',
    );
    expect(fell.code).toBe(1);
    expect((JSON.parse(fell.stdout) as { failed: string[] }).failed).toEqual([
      expect.stringContaining('recall_at.5'),
    ]);
    expect(
      (
        await run(
          'gate',
          now,
          '--baseline',
          await file('other.json', { ...baseline, corpus_version: 'corpus_v2' }),
        )
      ).code,
    ).toBe(2);
  });
});
