import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Job {
  permissions?: Record<string, string>;
  if?: string;
  'timeout-minutes'?: number;
  steps: Step[];
}

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, '.github', 'workflows', 'desktop.yml'), 'utf8');
const workflow = parse(text) as {
  on: Record<string, unknown>;
  env: Record<string, string>;
  permissions: object;
  jobs: Record<string, Job>;
};
const jobs = Object.entries(workflow.jobs);
const steps = jobs.flatMap(([name, { steps: all }]) => all.map((step) => ({ name, step })));
const commands = steps.map(({ step }) => step.run ?? '').join('\n');

describe('T08: the workflow of releases', () => {
  it('pins each action by the hash of a commit and names its version', () => {
    const lines = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line));
    expect(lines).toHaveLength(steps.filter(({ step }) => step.uses !== undefined).length);
    expect(
      lines.filter((line) => !/uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
    ).toEqual([]);
  });

  it('uses each action in one version', () => {
    const used = new Set(steps.flatMap(({ step }) => step.uses ?? []));
    expect(new Set([...used].map((action) => action.split('@')[0])).size).toBe(used.size);
  });

  it('downloads no tool that no lock file pins', () => {
    expect(commands).not.toMatch(
      /npx (?!--no-install )|npm (exec|x|install|i) |npm ci --prefix (?!packaging )/,
    );
    expect(commands).toContain('npm ci --prefix packaging --ignore-scripts');
    expect(commands).not.toMatch(/\b(curl|wget)\b/);
  });

  it('gives no job more rights than to read, except the one that drafts a release', () => {
    expect(workflow.permissions).toEqual({});
    for (const [name, job] of jobs) {
      expect(job.permissions, name).toEqual({ contents: name === 'release' ? 'write' : 'read' });
      expect(job['timeout-minutes'], name).toBeGreaterThan(0);
    }
    expect(workflow.jobs['release']?.if).toBe("github.ref_type == 'tag'");
    // What runs with the right to write is no code of the repository.
    expect(
      workflow.jobs['release']?.steps.filter(({ uses }) => uses?.startsWith('actions/checkout')),
    ).toEqual([]);
  });

  it('leaves no token behind a checkout and builds installers without a cache', () => {
    for (const { name, step } of steps) {
      if (step.uses?.startsWith('actions/checkout'))
        expect(step.with, name).toMatchObject({ 'persist-credentials': false });
      if (step.uses?.startsWith('actions/setup-node') && ['package', 'assemble'].includes(name))
        expect(step.with, name).toMatchObject({ 'package-manager-cache': false });
    }
  });

  it('tests everything each night and before a release', () => {
    expect(Object.keys(workflow.on)).toContain('schedule');
    expect(workflow.env['TOUCHSTONE_NIGHTLY']).toMatch(
      /event_name == 'schedule'.*ref_type == 'tag'\) && '1' \|\| '0'/,
    );
    // No job sets another value, and what packs waits for all tests.
    expect(text.match(/TOUCHSTONE_NIGHTLY/g)).toHaveLength(1);
    expect(text).toContain('needs: [check, electron]');
  });

  it('puts no value from outside into the text of a command', () => {
    expect(commands).not.toContain('${{');
  });

  it('runs on every system and turns the hardened runtime off only without a certificate', () => {
    for (const system of ['ubuntu-', 'macos-', 'windows-']) expect(text).toContain(system);
    const unsigned = commands.slice(commands.indexOf('CSC_IDENTITY_AUTO_DISCOVERY=false'));
    expect(unsigned).toContain('-c.mac.hardenedRuntime=false');
    expect(commands.match(/hardenedRuntime/g)).toHaveLength(1);
  });

  it('lists what is shipped as CycloneDX by the command that the workflow runs', () => {
    const [, options = ''] = /npm sbom (.*) > release\//.exec(commands) ?? [];
    const bill = JSON.parse(
      execFileSync('npm', ['sbom', ...options.split(' ')], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        shell: process.platform === 'win32',
      }),
    ) as { bomFormat: string; components: { name: string; hashes: unknown[] }[] };
    expect(bill.bomFormat).toBe('CycloneDX');
    const listed = new Map(bill.components.map((component) => [component.name, component]));
    for (const name of ['better-sqlite3', 'electron', 'node', 'react', 'zod'])
      expect(listed.get(name)?.hashes, name).toHaveLength(1);
    expect(commands).toMatch(/sha256sum -- \* > /);
  });
});
