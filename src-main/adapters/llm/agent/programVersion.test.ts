import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { installedAgents } from './agentProvider.ts';
import { agentProgram, readVersion } from './programVersion.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

/** Asks a Node program for its version that does what a text says. */
function ask(name: string, does: string) {
  const file = join(folder.path, `${name}.mjs`);
  writeFileSync(file, does);
  return agentProgram({ command: [process.execPath], version: [file, '--version'] });
}

describe('the version of the program of an agent', () => {
  it('is what it prints, from a home of its own without the keys of the person', async () => {
    process.env['OPENAI_API_KEY'] = 'sk-not-for-agents';
    const does = `console.log('tool 2.0.1', process.env.OPENAI_API_KEY ?? 'no key', process.env.HOME);
      import { writeFileSync } from 'node:fs';
      writeFileSync(new URL('home', import.meta.url), process.env.HOME + process.env.OPENAI_API_KEY);`;
    try {
      expect(await ask('says', does)).toEqual({ file: process.execPath, version: '2.0.1' });
    } finally {
      delete process.env['OPENAI_API_KEY'];
    }
    const home = readFileSync(join(folder.path, 'home'), 'utf8');
    expect(home).toMatch(/touchstone-run-.*undefined$/);
    expect(existsSync(home.replace(/undefined$/, ''))).toBe(false);
  });

  it.each([
    ['fails', `console.log('1.0.0'); process.exit(3)`],
    ['floods', `for (;;) process.stdout.write('1.0.0'.repeat(10_000))`],
    ['is silent', ``],
  ])('is not known of a program that %s', async (name, does) => {
    expect(await ask(name.replace(' ', '-'), does)).toMatchObject({ version: null });
  });

  it('is not asked without arguments for it, and there is none of a missing program', async () => {
    expect(await agentProgram({ command: [process.execPath] })).toMatchObject({ version: null });
    expect(await agentProgram({ command: ['no-such-agent'], version: ['--version'] })).toEqual({
      file: null,
      version: null,
    });
  });

  it.each([
    ['codex-cli 0.169.0\n', '0.169.0'],
    ['2.1.197 (Claude Code)', '2.1.197'],
    ['v1.0.0-beta.2+build.5', '1.0.0-beta.2+build.5'],
    ['\nnightly build 7\nmore', 'nightly build 7'],
    ['', null],
  ])('is read from %j', (said, version) => {
    expect(readVersion(said)).toBe(version);
  });

  it('is asked for of every agent that the program knows', async () => {
    const agents = await installedAgents();
    expect(agents.map(({ name }) => name)).toContain('codex-acp');
    for (const { file, version } of agents) if (file === null) expect(version).toBe(null);
  });
});
