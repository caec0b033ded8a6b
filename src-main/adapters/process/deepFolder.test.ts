import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnSync } from 'node:child_process';
import { createProgramFolder, removeProgramFolder } from './programFolder.ts';

it.skipIf(process.platform === 'win32')(
  'removes a folder that is 3,000 levels deep, and one in each of them',
  async () => {
    const folder = await createProgramFolder();
    writeFileSync(join(folder, 'file'), 'x');
    mkdirSync(join(folder, 'other', 'below'), { recursive: true });
    // Only a program that goes down step by step can nest so deep.
    const nest =
      'for (let at = 0; at < 3000; at += 1) { fs.mkdirSync("a-folder"); fs.mkdirSync("b"); process.chdir("a-folder"); }';
    expect(spawnSync(process.execPath, ['-e', nest], { cwd: folder }).status).toBe(0);
    expect(await removeProgramFolder(folder)).toBe(null);
    expect(existsSync(folder)).toBe(false);
  },
);
