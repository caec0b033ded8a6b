import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProgramFolder, removeProgramFolder } from './programFolder.ts';

it.skipIf(process.platform === 'win32').each([
  ['short names', '"a-folder"'],
  ['names of 255 bytes', '"n".repeat(255)'],
  ['names of 255 bytes in characters of several bytes', '"語".repeat(85)'],
  ...(process.platform === 'linux'
    ? [['names of 255 bytes that are no text', 'Buffer.alloc(255, 0xff)']]
    : []),
])('removes a folder that is 3,000 levels deep, and one in each of them: %s', async (_name, name) => {
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
});
