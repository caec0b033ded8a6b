import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand, startCommand } from '../../../testing/commandLine.ts';
import { startLineChild, type LineChild } from '../../../testing/lineChild.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testProgram } from '../../../testing/testPrograms.ts';

const holding = testProgram('src-main/testing/databaseChild.ts');
let folder: TemporaryFolder;
let holder: LineChild;

/** Another command holds the workspace, which exists. */
beforeEach(async () => {
  folder = await temporaryFolder();
  await runCommand(['suite', 'list'], { workspace: folder.path });
  holder = startLineChild(holding, ['lock', folder.path]);
  await holder.nextLine();
  holder.send('take it');
  await holder.nextLine();
});
afterEach(async () => {
  await holder[Symbol.asyncDispose]();
  await folder.remove();
});

const add = ['servers', 'add', 'waited', '--stdio', 'node server.js'];

it('a command that writes says that it waits, and goes on when the workspace is free', async () => {
  const child = startCommand(add, { workspace: folder.path });
  const stdout = text(child.stdout);
  const ended = once(child, 'exit');
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  expect(String(said)).toMatch(
    new RegExp(`in use by the touchstone command \\(process ${holder.pid}, .* Waiting up to 10 `),
  );
  holder.kill();
  expect([await ended, (await stdout).includes('waited')]).toEqual([[0, null], true]);
});

it('a command that reads does not wait', async () => {
  const { code, stderr } = await runCommand(['suite', 'list'], { workspace: folder.path });
  expect([code, stderr]).toEqual([0, '']);
});

it.each([
  ['0', 3, 'Close it first'],
  ['soon', 2, '--wait soon: It needs a whole number from 0 to 86400.'],
])('with --wait %s, a command that writes ends with %s', async (wait, code, says) => {
  const ended = await runCommand([...add, '--wait', wait], { workspace: folder.path });
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(says) as string]);
});
