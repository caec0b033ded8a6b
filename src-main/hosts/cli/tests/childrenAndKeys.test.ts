import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { compiled, runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import type { Witnessed } from '../../../testing/lookAtProcesses.ts';
import { hasFreshBuild, testedProgram } from '../../../testing/testedProgram.ts';

// Every process is asked what its environment and its arguments show, as a hostile program would.
const needle = 'canary-of-the-environment';
const reversed = Buffer.from(needle).reverse().toString();
const witness = join(import.meta.dirname, '..', '..', '..', 'testing', 'processWitness.ts');
const electronStandIn = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'testing',
  'electronStandIn.ts',
);
const starter = join(import.meta.dirname, '..', '..', '..', 'testing', 'ownProcess.ts');
const secrets = {
  OPENAI_API_KEY: `sk-${needle}-1`,
  TOUCHSTONE_SECRET_OTHER: `${needle}-2`,
  TOUCHSTONE_INPUT_OTHER: `${needle}-3`,
  AWS_SESSION: `${needle}-4`,
  HTTPS_PROXY: `http://me:${needle}-5@localhost:9`,
};

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
beforeAll(async () => {
  folder = await temporaryFolder();
  await installLauncher();
  await saveWitnessTool();
});
afterAll(() => folder.remove());

/** Runs a program with secrets in its environment, and returns its own number and its output. */
async function run(
  [program = '', ...args]: readonly string[],
  more: Record<string, string> = {},
  { PATH, HOME } = process.env,
) {
  const script = program === 'launcher' ? at(join('bin', 'touchstone.mjs')) : program;
  const child = spawn(process.execPath, [script, ...args], {
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE: compiled,
      TOUCHSTONE_KEYCHAIN: 'off',
      TOUCHSTONE_HOME: at('workspace'),
      ...secrets,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { pid: child.pid ?? 0, stdout, stderr };
}

async function reportOf(name: string): Promise<Witnessed> {
  return JSON.parse(await readFile(at(name), 'utf8')) as Witnessed;
}

const isBuilt = hasFreshBuild();
const startedBy = (): [string, string[]][] => [
  ['directly', [testedProgram]],
  ['as a process of its own', [starter, testedProgram]],
  // Without a build there is nothing to launch.
  ...(isBuilt ? ([['by its launcher', ['launcher']]] satisfies [string, string[]][]) : []),
];

/** The launcher of an installed package, which has no sources and so builds nothing. */
async function installLauncher(): Promise<void> {
  const { root } = programFiles;
  await cp(join(root, 'bin'), at('bin'), { recursive: true });
  for (const name of ['out', 'node_modules', 'package.json'])
    await symlink(join(root, name), at(name));
}

/** A workshop tool that writes what it saw to a file. */
async function saveWitnessTool(): Promise<void> {
  const tool = {
    touchstone_tool: 1,
    name: 'look',
    description: 'Searches all processes for keys.',
    input_schema: { type: 'object', properties: {} },
    executor_type: 'shell',
    executor_config: {
      command: process.execPath,
      args: [witness, at('script.json'), reversed],
      output: 'json',
    },
  };
  await writeFile(at('look.tool.json'), JSON.stringify(tool));
  const saved = await runCommand(['workshop', 'save', at('look.tool.json')], {
    workspace: at('workspace'),
  });
  expect(saved).toMatchObject({ code: 0 });
}

describe.runIf(process.platform === 'linux')('programs that Touchstone runs', () => {
  it('find a key in an environment', async () => {
    const { pid } = await run([witness, at('control.json'), reversed]);
    expect((await reportOf('control.json')).shown).toEqual([{ pid, file: 'environ' }]);
  });

  it.each(startedBy())(
    'T33: find no key as an MCP server of a program started %s',
    async (how, start) => {
      const report = `server ${how}.json`.replaceAll(' ', '-');
      const server = [process.execPath, witness, at(report), reversed, 'serve'].join(' ');
      const { pid, stdout, stderr } = await run([...start, 'tools', '--stdio', server, '--json']);
      expect(JSON.parse(stdout), stderr).toMatchObject({ tools: expect.anything() as unknown });
      const seen = await reportOf(report);
      expect(seen.ancestors).toContain(pid);
      expect(seen.readable).toBeGreaterThan(1);
      expect(seen.shown).toEqual([]);
    },
  );

  it.each(startedBy())(
    'T57: find no key as a script of a program started %s',
    async (_how, start) => {
      const { pid, stdout, stderr } = await run([...start, 'workshop', 'run', 'look', '--json']);
      expect(JSON.parse(stdout), stderr).toMatchObject({ status: 'SUCCESS' });
      const seen = await reportOf('script.json');
      expect(seen.ancestors).toContain(pid);
      expect(seen.shown).toEqual([]);
    },
  );

  it('find no key in the window’s process, which gets them through a pipe', async () => {
    const report = at('electron.json');
    await mkdir(at('electron'));
    const standIn = [process.execPath, electronStandIn, report, reversed].join(' ');
    await writeFile(join(at('electron'), 'electron'), `#!/bin/sh\nexec ${standIn}\n`);
    await chmod(join(at('electron'), 'electron'), 0o755);
    const { stderr } = await run([testedProgram, 'open', '--host', 'electron'], {
      ELECTRON_OVERRIDE_DIST_PATH: at('electron'),
      DISPLAY: ':0',
    });
    const seen = await reportOf('electron.json').catch(() => stderr);
    expect(seen).toMatchObject({ shown: [], variables: secrets });
  });

  it('get the variables that they name although no environment shows them', async () => {
    const { stdout } = await run([starter, testedProgram, 'keys', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      keys: [{ provider: 'openai', status: 'set' }, {}, {}],
    });
  });
});
