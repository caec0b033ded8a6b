import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import { writeOutput } from './writeOutput.ts';

test('keeps mode and link of the target, and leaves no partial file after an error', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'suite.yaml');
  await expect(writeOutput(join(folder.path, 'missing', 'suite.yaml'), 'new')).rejects.toThrow(
    /missing.*its folder is missing.*Choose another location/,
  );
  mkdirSync(join(folder.path, 'taken'));
  await expect(writeOutput(join(folder.path, 'taken'), 'new')).rejects.toThrow(/It's a folder/);

  writeFileSync(file, 'old');
  chmodSync(file, 0o640);
  symlinkSync(file, join(folder.path, 'link.yaml'));
  await writeOutput(join(folder.path, 'link.yaml'), 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder.path).sort()).toEqual(['link.yaml', 'suite.yaml', 'taken']);
});
