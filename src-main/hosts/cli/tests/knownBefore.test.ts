import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]): Promise<Ended> => runCommand(args, { workspace: at('workspace') });
const tools = ['lamp', 'desk', 'door', 'vase', 'coat', 'book'];
/** The suite of the first `cases` tools; `few.json` has too few cases to decide anything. */
const suite = (name: string, cases: number): string[] => {
  writeFileSync(
    at(name),
    JSON.stringify({
      version: 1,
      name: 'Things',
      servers: ['things'],
      cases: tools.slice(0, cases).flatMap((tool) => [
        {
          id: tool,
          name: tool,
          query: `find the ${tool}`,
          expected_calls: [{ server: 'things', tool: `find_${tool}` }],
        },
        {
          id: `use-${tool}`,
          name: `use ${tool}`,
          turns: [`find the ${tool}`],
          checks: [{ calls: { must: [`find_${tool}`] } }],
        },
      ]),
    }),
  );
  return ['--suite', at(name), '--tools', at('tools.json'), '--provider', 'builtin'];
};
const undecidable =
  "warning: The gate on the lower end of pass_rate can't be decided: 2 cases give no interval.";
const incomparable =
  "The paired test can't find a difference with 5 shared cases, even if every case changes. It takes at least 6 cases.";

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(
    at('tools.json'),
    JSON.stringify({
      tools: tools.map((tool) => ({
        server: 'things',
        name: `find_${tool}`,
        description: `Finds a ${tool}.`,
        input_schema: { type: 'object' },
      })),
    }),
  );
});
afterAll(() => folder.remove());

describe('what a command knows before it asks a model', () => {
  it('says in an estimate and at the start that a gate has too few cases to be decided', async () => {
    const two = [...suite('few.json', 2), '--only', 'cases', '--min', 'pass_rate.low=0.1'];
    const text = await run('eval', ...two, '--estimate');
    expect(text.stdout).toContain(undecidable);
    const json = await run('eval', ...two, '--estimate', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      problems: [
        {
          severity: 'warning',
          message: undecidable.slice('warning: '.length) + ' It takes at least 5 cases.',
        },
      ],
    });
    const ended = await run('eval', ...two, '--yes');
    expect(ended.stderr).toContain(undecidable);
    // A gate that nothing can decide has no verdict.
    expect(ended.code).toBe(3);
  });

  it('says the same of tasks', async () => {
    const two = [...suite('few.json', 2), '--only', 'tasks', '--min', 'success_rate.low=0.1'];
    const said = "lower end of success_rate can't be decided: 2 tasks give no interval.";
    expect((await run('eval', ...two, '--estimate')).stdout).toContain(said);
    expect((await run('eval', ...two, '--yes')).stderr).toContain(said);
  });

  it('says that a check has too few cases for its baseline, unless something else decides', async () => {
    const baseline = at('baseline.json');
    for (const [cases, warns] of [
      [5, true],
      [6, false],
    ] as const) {
      const given = [...suite('suite.json', cases), '--only', 'cases'];
      await run('eval', ...given, '--report', baseline);
      const check = ['check', ...given, '--against', baseline];
      const { stderr } = await run(...check);
      expect(stderr.includes(incomparable)).toBe(warns);
      const estimate = await run(...check, '--estimate');
      expect(estimate.stdout.includes(incomparable)).toBe(warns);
      const { stderr: tolerant } = await run(...check, '--tolerance', 'pass_rate=0.1');
      expect(tolerant).not.toContain('paired test');
    }
  });

  it('says that a what-if has too few cases to find a difference', async () => {
    const given = suite('suite.json', 5);
    await run('suite', 'import', at('suite.json'));
    const base = await run(
      ...['eval', '--suite', 'Things', '--only', 'cases', ...given.slice(2), '--json'],
    );
    const { number } = JSON.parse(base.stdout) as { number: number };
    const { stderr } = await run('what-if', String(number), '--without', 'things:find_lamp');
    expect(stderr).toContain(`warning: ${incomparable}`);
  });
});
