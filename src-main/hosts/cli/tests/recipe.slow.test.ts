import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { programFiles } from '../../../runtime/programFiles.ts';
import { compiled } from '../../../testing/commandLine.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';

const page = readFileSync(join(programFiles.root, 'docs', 'guide', 'ci.md'), 'utf8');
/** The first block of a language that holds a text. */
const fenced = (language: string, holds: string): string =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))]
    .map(([, block = '']) => block)
    .find((block) => block.includes(holds)) ?? '';
const step = z.object({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const workflow = z.object({ jobs: z.object({ touchstone: z.object({ steps: z.array(step) }) }) });
const { steps } = workflow.parse(parse(fenced('yaml', 'Signals beside the code'))).jobs.touchstone;
const commands = new Map(
  steps.flatMap(({ name = '', run }) =>
    run?.startsWith('touchstone ') ? [[name, run] as const] : [],
  ),
);

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);

/**
 * Runs lines of the page as its reader's shell would: the command is the program, and nothing else
 * is there.
 */
function shell(lines: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    TOUCHSTONE_HOME: at('workspace'),
    TOUCHSTONE_KEYCHAIN: 'off',
    NODE_COMPILE_CACHE: compiled,
    GITHUB_STEP_SUMMARY: at('summary.md'),
  };
  return new Promise((resolve) => {
    execFile(
      'bash',
      [
        '-c',
        `set -e; program=("$0" "$1"); touchstone() { "\${program[@]}" "$@"; }\n${lines}`,
        process.execPath,
        testedProgram,
      ],
      { cwd: folder.path, env },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(at('ci'));
  copyFileSync(join(programFiles.datasets, 'corpus_v1.json'), at('ci/corpus.json'));
  copyFileSync(join(programFiles.datasets, 'retrieval_golden_v1.json'), at('ci/golden.json'));
  for (const holds of ['touchstone init', '--save-baseline'])
    expect(await shell(fenced('sh', holds))).toMatchObject({ code: 0 });
  writeFileSync(at('touchstone.yaml'), fenced('yaml', 'suite: ci/suite.yaml'));
});
afterAll(async () => {
  await folder.remove();
});

it('every command of the recipe passes in a new workspace and writes its reports', async () => {
  expect([...commands.keys()]).toEqual(['Check', 'Retrieval', 'Security', 'Tokens']);
  for (const [name, run] of commands) {
    const { code, stderr } = await shell(run);
    expect([name, code], stderr).toEqual([name, 0]);
    for (const [file] of run.matchAll(/reports\/\S+/g))
      expect(statSync(at(file)).size, file).toBeGreaterThan(100);
  }
  for (const file of ['check', 'retrieval', 'security', 'tokens'])
    expect(readFileSync(at(`reports/${file}.xml`), 'utf8')).toContain('</testsuites>');
  expect(JSON.parse(readFileSync(at('reports/security.sarif'), 'utf8'))).toMatchObject({
    version: '2.1.0',
  });
  const summary = readFileSync(at('summary.md'), 'utf8');
  expect(Buffer.byteLength(summary)).toBeLessThan(900 * 1024);
  expect(summary.match(/^# /gm)?.length).toBe(4);
  for (const { with: given } of steps)
    for (const path of [given?.['sarif_file'], given?.['path']])
      if (typeof path === 'string') expect(existsSync(at(path)), path).toBe(true);
  for (const { name, uses, if: when } of steps.slice(4))
    expect([name ?? uses, when]).toEqual([name ?? uses, '${{ !cancelled() }}']);
});

it.runIf(isNightly)(
  'the command that renews the baseline writes one that the check accepts',
  async () => {
    const renewed = await shell(fenced('sh', '--allow-changed-cases'));
    expect(renewed.code, renewed.stderr).toBe(0);
    expect((await shell('touchstone check')).code).toBe(0);
  },
);

it.runIf(isNightly)('the parts of a check and their merge give one verdict', async () => {
  const merged = await shell(fenced('sh', 'touchstone merge'));
  expect(merged.code, merged.stderr).toBe(0);
  expect(merged.stderr).toContain('Part 2 of 2');
  expect(merged.stderr).toContain('Check passed');
  expect(readFileSync(at('reports/check.xml'), 'utf8')).toContain('</testsuites>');
});

/** The lines of a recipe that run the program, with what its system puts in place. */
const filled = (lines: readonly (string | undefined)[], values: Record<string, string>): string =>
  lines
    .filter((line) => line?.startsWith('touchstone ') === true)
    .map((line = '') =>
      line.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values[name] ?? ''),
    )
    .join('\n');
const script = z.object({ script: z.array(z.string()) });
const jobOf = z.object({ steps: z.array(step) });
const pod = z.object({
  containers: z.tuple([
    z.object({
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      command: z.tuple([z.literal('sh'), z.literal('-c')]),
      args: z.tuple([z.string()]),
    }),
  ]),
});

it.runIf(isNightly).each<[string, (count: number) => { parts: string[]; merge: string }]>([
  [
    'a matrix on GitHub',
    (count) => {
      const { part, merge } = z
        .object({ jobs: z.object({ part: jobOf, merge: jobOf }) })
        .parse(parse(fenced('yaml', 'strategy.job-total'))).jobs;
      const run = (job: typeof part, values: Record<string, string>) =>
        filled(
          job.steps.map((each) => each.run),
          values,
        );
      return {
        parts: Array.from({ length: count }, (_, at) =>
          run(part, { 'matrix.part': String(at + 1), 'strategy.job-total': String(count) }),
        ),
        merge: run(merge, {}),
      };
    },
  ],
  [
    'parallel in GitLab',
    (count) => {
      const { part, merge } = z
        .object({ part: script, merge: script })
        .parse(parse(fenced('yaml', 'CI_NODE_TOTAL')));
      return {
        parts: Array.from(
          { length: count },
          (_, at) =>
            `export CI_NODE_INDEX=${at + 1} CI_NODE_TOTAL=${count}\n${filled(part.script, {})}`,
        ),
        merge: filled(merge.script, {}),
      };
    },
  ],
  [
    'an Indexed Job in Kubernetes',
    (count) => {
      const [{ env, args }] = z
        .object({ spec: z.object({ template: z.object({ spec: pod }) }) })
        .parse(parse(fenced('yaml', 'completionMode'))).spec.template.spec.containers;
      const given = { ...Object.fromEntries(env.map(({ name, value }) => [name, value])) };
      const exported = `export PARTS=${given['PARTS']} RESULTS=parts`;
      expect(given).toEqual({ PARTS: String(count), RESULTS: '/results' });
      return {
        parts: Array.from(
          { length: count },
          (_, at) => `${exported} JOB_COMPLETION_INDEX=${at}\n${args[0]}`,
        ),
        merge: `${exported}\n${fenced('sh', '"$RESULTS"')}`,
      };
    },
  ],
])('the recipe for %s runs all parts and merges them', async (_name, recipe) => {
  rmSync(at('parts'), { recursive: true, force: true });
  for (const file of readdirSync(folder.path)) if (file.startsWith('part-')) rmSync(at(file));
  mkdirSync(at('parts'));
  rmSync(at('reports/check.xml'), { force: true });
  const { parts, merge } = recipe(4);
  for (const part of parts) expect(await shell(part), part).toMatchObject({ code: 0 });
  const written = [...readdirSync(folder.path), ...readdirSync(at('parts'))];
  expect(written.filter((file) => /^(part-)?\d\.json$/.test(file))).toHaveLength(4);
  const merged = await shell(merge);
  expect(merged.code, merged.stderr).toBe(0);
  expect(merged.stderr).toContain('Check passed');
  expect(readFileSync(at('reports/check.xml'), 'utf8')).toContain('</testsuites>');
});

it.runIf(isNightly)(
  'the project file with several suites passes and names its reports as the page says',
  async () => {
    writeFileSync(at('several.yaml'), fenced('yaml', 'suites:'));
    const several = await shell('touchstone check --config several.yaml');
    expect(several.code, several.stderr).toBe(0);
    expect(several.stderr).toContain('Check passed: suite passed, strict passed');
    for (const name of ['suite', 'strict']) {
      expect(page).toContain(`check-${name}.xml`);
      expect(existsSync(at(`reports/check-${name}.xml`))).toBe(true);
    }
    const one = await shell('touchstone check --config several.yaml --suite strict');
    expect([one.code, one.stderr]).toEqual([0, expect.stringContaining('pass_rate.low') as string]);
  },
);

it.runIf(isNightly)(
  'the job for GitLab and the script for a shell pass and write their reports',
  async () => {
    const job = z
      .object({
        touchstone: z.object({
          before_script: z.array(z.string()),
          script: z.array(z.string()),
          artifacts: z.object({ reports: z.object({ junit: z.string() }) }),
        }),
      })
      .parse(parse(fenced('yaml', 'before_script'))).touchstone;
    // Installing needs a registry; `npm run packing:npm` does the same.
    expect(job.before_script).toEqual(['npm install --global ./ci/touchstone-0.1.0.tgz']);
    for (const line of job.script) expect(await shell(line), line).toMatchObject({ code: 0 });
    expect(readFileSync(at(job.artifacts.reports.junit), 'utf8')).toContain('</testsuites>');
    const script = fenced('sh', 'case $code in');
    const passed = await shell(script);
    expect([passed.code, passed.stdout]).toEqual([
      0,
      expect.stringContaining('The tools are as good as before.'),
    ]);
    const stricter = script.replace(
      'touchstone check',
      'touchstone check --min pass_rate.low=0.999',
    );
    const failed = await shell(stricter);
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('got worse')]);
  },
);

it('a stricter gate of the recipe fails with an annotation', async () => {
  const stricter: [string, RegExp, string][] = [
    ['Check', /$/, ' --min pass_rate.low=0.999'],
    ['Tokens', /--budget 2000/, '--budget 10'],
  ];
  for (const [name, from, to] of stricter) {
    const run = commands.get(name) ?? '';
    const stricterRun = run.replace(from, to);
    expect(stricterRun).not.toBe(run);
    const { code, stderr } = await shell(stricterRun);
    expect([name, code]).toEqual([name, 1]);
    expect(stderr).toContain('::error');
  }
});
