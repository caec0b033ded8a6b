import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { app, resetFakeElectron } from '../../testing/fakeElectron/electron.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { startAgain } from './startAgain.ts';

beforeEach(resetFakeElectron);

const isLinux = process.platform === 'linux';

test.runIf(isLinux)(
  'starts an AppImage again after the program has ended, with its variables and arguments',
  async () => {
    await using folder = await temporaryFolder();
    const [image, said] = [join(folder.path, 'A b.AppImage'), join(folder.path, 'said')];
    await writeFile(
      image,
      `#!/bin/sh\necho "$OPENAI_API_KEY" "$@" > '${said}.new'; mv '${said}.new' '${said}'\n`,
    );
    await chmod(image, 0o755);
    const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(program, 'spawn');
    app.isPackaged = true;
    startAgain(
      { PATH: process.env['PATH'], APPIMAGE: image, OPENAI_API_KEY: 'sk-test' },
      ['--no-sandbox', 'touchstone-open://suites'],
      program.pid,
    );
    expect(app.relaunches).toBe(0);
    const read = () => readFile(said, 'utf8').catch(() => null);
    expect(await read()).toBeNull();
    program.kill('SIGKILL');
    await expect.poll(read).toBe('sk-test touchstone-open://suites\n');
  },
);

test('gives the next start the variables that this one hides from other programs', () => {
  startAgain({ TOUCHSTONE_TEST_ONLY_KEY: 'sk-test' }, []);
  expect([app.relaunches, process.env['TOUCHSTONE_TEST_ONLY_KEY']]).toEqual([1, 'sk-test']);
  Reflect.deleteProperty(process.env, 'TOUCHSTONE_TEST_ONLY_KEY');
});
