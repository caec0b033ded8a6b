import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = new URL('./v8Flags.ts', import.meta.url).href;

/** How often hot code reads more of a cut text than it has: the middle compiler's code does. */
const countMisreads = (before: string) => `
  import { keepMisreadingCompilerOff } from '${module}';
  ${before}
  const cut = ('x'.repeat(49) + '\\u{e0041}' + 'y'.repeat(20)).slice(0, 50);
  const walk = (text) => {
    let last = 0;
    for (let at = 0; at < text.length; at += last > 0xffff ? 2 : 1) last = text.codePointAt(at);
    return last;
  };
  let misreads = 0;
  for (let time = 0; time < 100_000; time += 1) if (walk(cut) > 0xffff) misreads += 1;
  console.log(misreads);
`;

/** The number that a program prints. */
async function run(program: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    program,
  ]);
  return Number(stdout);
}

test('hot code never runs in the compiler that misreads cut texts, whatever Node it is', async () => {
  expect(await run(countMisreads('keepMisreadingCompilerOff();'))).toBe(0);
  // The fault that this is for; when it is gone from the Node of the tests, look at the newest one.
  expect(await run(countMisreads(''))).toBeGreaterThan(0);
});

/** The largest that the nursery became, in megabytes, while much of it survived. */
const growNursery = (before: string) => `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { keepNurserySmall } from '${module}';
  ${before}
  let largest = 0;
  for (let round = 0; round < 20; round += 1) {
    const kept = Array.from({ length: 50_000 }, (_, at) => ({ at, list: [at] }));
    const nursery = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    largest = Math.max(largest, kept.length && nursery.space_size / 2 ** 20);
  }
  console.log(largest);
`;

test('the nursery of a program that keeps it small does not grow', async () => {
  const [small, usual] = await Promise.all(
    ['keepNurserySmall();', ''].map((before) => run(growNursery(before))),
  );
  expect(small).toBeLessThan((usual ?? 0) / 2);
});
