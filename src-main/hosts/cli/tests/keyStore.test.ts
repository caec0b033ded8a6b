import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keysFileName, SecretFile } from '../../../adapters/secrets/secretFile.ts';
import { writeDurably } from '../../../store/durability/durableFile.ts';
import { memoryIo, runCommand, spawnCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { createProgram } from '../program.ts';
import { runProgram } from '../runProgram.ts';

const key = 'sk-canary-of-the-file-0123456789';
const passphrase = 'correct horse battery';

let folder: TemporaryFolder;
let workspace: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  workspace = folder.path;
});
afterEach(() => folder.remove());

/** Creates the file with a key in it. */
const createFile = () =>
  new SecretFile({
    file: join(workspace, keysFileName),
    write: writeDurably,
  }).create(passphrase, new Map([['openai', key]]));

const environment = (more: Record<string, string> = {}) => ({
  OPENAI_API_KEY: '',
  ...more,
});
const opened = { TOUCHSTONE_KEYS_PASSPHRASE: passphrase };
const run = (args: string[], input = '', env: Record<string, string> = {}) =>
  runCommand(['keys', ...args], { workspace, input, env: environment(env) });

/** Runs a command at a terminal where a person gives these answers. */
async function type(args: string[], answers: readonly string[]) {
  const rest = [...answers];
  const questions: string[] = [];
  const io = {
    ...memoryIo({ env: environment({ TOUCHSTONE_HOME: workspace }) }),
    ask: async (question: string) => {
      questions.push(question);
      return rest.shift() ?? null;
    },
  };
  let code = 0;
  const asking = { ...io, setExitCode: (given: number) => void (code = given) };
  await runProgram(createProgram(asking), ['keys', ...args], asking);
  return { code, questions, stdout: io.stdout.text, stderr: io.stderr.text };
}

describe('touchstone keys store', () => {
  it('keeps keys in an encrypted file that the next process opens', async () => {
    expect(await run(['store'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('touchstone keys store file') as unknown,
    });
    expect(await run(['store', 'file'], 'short\n')).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse((await run(['store', 'file', '--json'], `${passphrase}\n`)).stdout)).toEqual({
      kind: 'file',
      locked: false,
      problem: null,
      keychain: { available: false, reason: 'TOUCHSTONE_KEYCHAIN is off' },
    });
    const set = await run(['set', 'openai'], `${key}\n`, opened);
    expect(set).toMatchObject({ code: 0, stdout: 'openai: set, in the encrypted file\n' });
    // A process of its own has nothing of this one's memory.
    const next = await spawnCommand(['keys', 'list', '--json'], {
      workspace,
      env: environment(opened),
    });
    expect(JSON.parse(next.stdout)).toMatchObject({
      keys: [{ provider: 'openai', status: 'set', place: 'file' }, {}, {}],
      store: { kind: 'file', locked: false },
    });
    const contents = await Promise.all(
      (await readdir(workspace, { withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => readFile(join(workspace, name))),
    );
    for (const secret of [key, passphrase])
      expect(contents.some((content) => content.includes(secret))).toBe(false);
  });

  it('says what to do while the file is locked, and keeps nothing that would be lost', async () => {
    await createFile();
    const { stdout, stderr } = await run(['list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      keys: [{ provider: 'openai', status: 'not set', place: null }, {}, {}],
      store: { kind: 'file', locked: true, problem: 'The key file is locked.' },
    });
    expect(stderr).toContain('touchstone keys unlock');
    const wrong = await run(['list'], '', { TOUCHSTONE_KEYS_PASSPHRASE: 'wrong passphrase' });
    expect(wrong.stderr).toContain('The passphrase is wrong. It is from TOUCHSTONE_KEYS');
    const set = await run(['set', 'openai'], 'sk-other\n');
    expect(set).toMatchObject({ code: 3, stdout: 'openai: not set\n' });
    expect(set.stderr).toContain('It would be lost with this command.');
    expect(await run(['unlock'], '')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No passphrase was given.') as unknown,
    });
    expect(await run(['unlock'], `${passphrase}\n`)).toMatchObject({ code: 0 });
  });

  it('says how to repair a file that no passphrase opens, and not to unlock it', async () => {
    await createFile();
    await truncate(join(workspace, keysFileName), 40);
    for (const env of [{}, opened]) {
      const listed = await run(['list', '--json'], '', env);
      expect(JSON.parse(listed.stdout)).toMatchObject({ store: { kind: 'file', locked: false } });
      expect(listed.stderr).toMatch(/damaged.* Replace it with a copy/);
      expect(listed.stderr).not.toMatch(/unlock/i);
      const moved = await run(['store', 'memory'], '', env);
      expect(moved.stderr).not.toMatch(/unlock/i);
    }
    const asked = await type(['list'], [passphrase]);
    expect(asked.questions).toEqual([]);
  });

  it('asks at the terminal without showing the passphrase', async () => {
    await createFile();
    const list = await type(['list'], ['wrong passphrase', passphrase]);
    expect(list.questions).toEqual([
      'Passphrase of the key file: ',
      'The passphrase is wrong. Passphrase of the key file: ',
    ]);
    expect(list.stdout).toMatch(/openai +set +file/);
    const differing = await type(['passphrase'], [passphrase, 'a new passphrase', 'another']);
    expect(differing).toMatchObject({ code: 2, stdout: '' });
    expect(differing.stderr).toContain('The two passphrases differ.');
    const changed = await type(
      ['passphrase'],
      [passphrase, 'a new passphrase', 'a new passphrase'],
    );
    expect([changed.code, changed.stdout]).toEqual([
      0,
      'Keys are kept in the encrypted file of the workspace.\n',
    ]);
    expect(changed.stdout + changed.stderr).not.toContain('a new passphrase');
  });

  it('moves keys out of the file only where they are not lost', async () => {
    await createFile();
    const toKeychain = await run(['store', 'keychain'], '', opened);
    expect(toKeychain).toMatchObject({ code: 2, stdout: '' });
    expect(toKeychain.stderr).toContain('Keys stay where they are.');
    const toMemory = await run(['store', 'memory'], '', opened);
    expect(toMemory.stderr).toContain('Add --discard to remove them.');
    expect(toMemory.code).toBe(2);
    const discarded = await run(['store', 'memory', '--discard', '--json']);
    expect(JSON.parse(discarded.stdout)).toMatchObject({ kind: 'memory', locked: false });
    expect(await readdir(workspace)).not.toContain(keysFileName);
  });
});
