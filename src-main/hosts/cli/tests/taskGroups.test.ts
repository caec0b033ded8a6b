import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { z } from 'zod';
import type { tasksDocument } from '../../../services/reports/documents/tasksDocument.ts';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/** Six tasks over one tool each; the built-in selector can't find that of `song`. */
const names = ['invoice', 'contract', 'photo', 'meeting', 'holiday', 'song'];
let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]): Promise<Ended> =>
  runCommand(args, { workspace: at('workspace'), env: {} });

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(
    at('tools.json'),
    JSON.stringify({
      tools: names.map((name, index) => ({
        server: 'office',
        name: `t${index}`,
        description: name === 'song' ? 'Does what is needed.' : `Finds a ${name} by its words.`,
        input_schema: { type: 'object' },
      })),
    }),
  );
  writeFileSync(
    at('suite.yaml'),
    stringify({
      version: 1,
      name: 'office',
      servers: ['office'],
      cases: names.map((name, index) => ({
        ...{ id: `find-${name}`, name: `Find a ${name}`, turns: [`Find the ${name} of last week`] },
        tags: [name === 'song' ? 'hard' : 'easy'],
        checks: [{ id: 'called', calls: { must: [`t${index}`] } }],
        stub_results: [{ server: 'office', tool: `t${index}`, result: { found: name } }],
      })),
    }),
  );
});
afterAll(() => folder.remove());

describe('repetitions of tasks', () => {
  it('are read by task and difficulty, as text, as JSON, and counted again by verify', async () => {
    const { code, stdout, stderr } = await run(
      ...['eval', '--suite', at('suite.yaml'), '--tools', at('tools.json')],
      ...['--provider', 'builtin', '--repetitions', '3', '--report', at('report.json')],
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^pass\^3 of .*: 83% 32–99%, over 6 tasks$/mu);
    expect(stdout).toMatch(/^By task:$/mu);
    expect(stdout).toMatch(/^Find a invoice +3 of 3 +43–100%/mu);
    expect(stdout).toMatch(/^Find a song +0 of 3 +0–57% +called 3 of 3 +3 × /mu);
    expect(stdout).toMatch(/^hard +0 of 3 +0–57% +calls 3 of 3 +3 × /mu);
    expect(stdout).not.toMatch(/^By (?:server|tag):$/mu);
    type Report = z.infer<typeof tasksDocument>;
    const report = JSON.parse(readFileSync(at('report.json'), 'utf8')) as Report;
    const groups = report.models[0]?.groups ?? [];
    expect(groups.find(({ name }) => name === 'Find a song')).toMatchObject({
      ...{ by: 'task', tasks: ['find-song'], scored: 3, succeeded: 0 },
      checks: [{ check: 'called', passed: 0, failed: 3, unjudged: 0 }],
      failures: [{ runs: 3 }],
    });
    expect(groups.find(({ by, name }) => by === 'difficulty' && name === 'easy')).toMatchObject({
      ...{ scored: 15, succeeded: 15, success_rate: { value: 1, high: 1, n: 15 } },
    });
    expect(report.tasks.pass_at_k.at(-1)?.pass_hat_k_interval).not.toBeNull();
    const verified = await run('verify', at('report.json'), '--json');
    expect(verified.code, verified.stdout).toBe(0);
  });

  it('are not listed by task without repetitions, which the failures say', async () => {
    const { stdout } = await run(
      ...['eval', '--suite', at('suite.yaml'), '--tools', at('tools.json')],
      ...['--provider', 'builtin'],
    );
    expect(stdout).not.toContain('By task:');
    expect(stdout).toContain('By difficulty:');
  });
});
