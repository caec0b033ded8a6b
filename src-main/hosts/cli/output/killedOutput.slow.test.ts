import { once } from 'node:events';
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLineChild } from '../../../testing/lineChild.ts';
import { isNightly } from '../../../testing/nightly.ts';
import { seededRandom } from '../../../testing/seededRandom.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import { testProgram } from '../../../testing/testPrograms.ts';

const program = testProgram('src-main/testing/exportChild.ts');
const megabytes = 16;
const rounds = isNightly ? 30 : 8;

/** True where the text is one that the child wrote to its end. */
const isWhole = (text: string) =>
  text.length === megabytes * 2 ** 20 && text === text.charAt(0).repeat(text.length);

test('T49: a process killed during an export leaves the old file or the whole new one', async () => {
  const random = seededRandom('T49 exports');
  let [interrupted, replaced] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'suite.yaml');
    writeFileSync(file, 'what was there');
    const watcher = watch(folder.path);
    await using child = startLineChild(program, [file, String(megabytes)]);
    // Each touch of the folder is a point within a writing: its begin, a part written, its end.
    const until = 1 + random.integer(6);
    for (let touch = 0; touch < until; touch += 1) await once(watcher, 'change');
    child.kill();
    await child.ended;
    watcher.close();
    const text = readFileSync(file, 'utf8');
    if (text === 'what was there') interrupted += 1;
    else replaced += 1;
    expect(
      text === 'what was there' || isWhole(text),
      `round ${round}: ${text.length} characters`,
    ).toBe(true);
  }
  expect(interrupted, 'no round was killed before the first end').toBeGreaterThan(0);
  expect(interrupted + replaced).toBe(rounds);
});
