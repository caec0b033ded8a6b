import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createProgramFolder, removeProgramFolder } from './programFolder.ts';

it
  .skipIf(process.platform === 'win32')
  .each([
    ['short names', '"a-folder"'],
    ['names of 255 bytes', '"n".repeat(255)'],
    ['names of 255 bytes in characters of several bytes', '"語".repeat(85)'],
    ...(process.platform === 'linux'
      ? [['names of 255 bytes that are no text', 'Buffer.alloc(255, 0xff)']]
      : []),
  ])(
  'removes a folder that is 3,000 levels deep, and one in each of them: %s',
  async (_name, name) => {
    const folder = await createProgramFolder();
    writeFileSync(join(folder, 'file'), 'x');
    mkdirSync(join(folder, 'other', 'below'), { recursive: true });
    // A program may know how what is too deep was named.
    mkdirSync(join(folder, '.deep-1', 'below'), { recursive: true });
    // Only a program that goes down step by step can nest so deep. It goes into names that are text.
    const nest = `
    const name = Buffer.concat([Buffer.from("../"), Buffer.from(${name})]);
    for (let at = 0; at < 3000; at += 1) {
      fs.mkdirSync("b");
      fs.mkdirSync("down");
      process.chdir("down");
      fs.renameSync("../down", name);
    }`;
    expect(spawnSync(process.execPath, ['-e', nest], { cwd: folder }).status).toBe(0);
    expect(await removeProgramFolder(folder)).toBe(null);
    expect(existsSync(folder)).toBe(false);
  },
);

/** As a user whom modes apply to. */
const asUser = `
  const { createProgramFolder, removeProgramFolder } = await import(process.argv[1]);
  if (process.getuid() === 0) process.seteuid(65534);
  const folder = await createProgramFolder();
  fs.mkdirSync(folder + '/cache/read-only/inner', { recursive: true });
  fs.writeFileSync(folder + '/cache/read-only/file', '');
  for (const [name, mode] of [['inner', 0], ['file', 0o400], ['', 0o500]])
    fs.chmodSync(folder + '/cache/read-only/' + name, mode);
  console.log(JSON.stringify([await removeProgramFolder(folder), fs.existsSync(folder)]));
`;

it.skipIf(process.platform === 'win32')('removes folders that are read-only', async () => {
  await using folder = await temporaryFolder();
  chmodSync(folder.path, 0o777);
  const url = new URL('./programFolder.ts', import.meta.url).href;
  const script = `import fs from 'node:fs';${asUser}`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, url],
    { env: { ...process.env, TMPDIR: folder.path }, encoding: 'utf8' },
  );
  expect([stdout.trim(), stderr]).toEqual(['[null,false]', '']);
});
