import { expect, test } from 'vitest';
import { spawnTree } from './spawnTree.ts';
import { hastyGraces } from './endTree.ts';
import { parseRunIds, parseStat, readMarks } from './processTable.ts';

test('T18: reads run ids from the output of ps and ignores look-alike arguments', () => {
  const text = [
    '    1 /sbin/launchd',
    '  412 /usr/bin/node server.js --stdio PATH=/usr/bin TOUCHSTONE_RUN_ID=touchstone-99-0-1 HOME=/Users/a',
    '40321 sh -c echo TOUCHSTONE_RUN_ID=quoted TOUCHSTONE_RUN_ID=outer/touchstone-7-0-2',
    '  500 grep TOUCHSTONE_RUN_ID',
    'no number TOUCHSTONE_RUN_ID=x',
    '',
  ].join('\n');
  expect([...parseRunIds(text)]).toEqual([
    [412, 'touchstone-99-0-1'],
    [40321, 'outer/touchstone-7-0-2'],
  ]);
  expect(parseRunIds('').size).toBe(0);
});

test('reads run ids of many processes at once, none for one that is gone', async () => {
  const tree = await spawnTree({
    command: process.execPath,
    args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'],
  });
  await new Promise((resolve) => tree.stdout.once('data', resolve));
  const gone = 2 ** 22 + 1;
  const idsOfOthers = async () =>
    [...(await readMarks([process.pid, tree.pid, gone]))].flatMap(([pid, { runId }]) =>
      pid === process.pid ? [] : [[pid, runId]],
    );
  expect(await idsOfOthers()).toEqual([[tree.pid, tree.runId]]);
  expect((await readMarks([tree.pid])).get(tree.pid)?.runId).toBe(tree.runId);
  await tree.end(hastyGraces);
  expect(await idsOfOthers()).toEqual([]);
});

test('leaves out zombies and threads of the kernel, and reads names with parentheses', () => {
  const kernel = '2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 2 0 0';
  const zombie = '7 (sh) Z 1 7 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 90 0 0';
  const program = '8 (a) b (c)) S 1 8 8 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 91 0 0';
  expect(parseStat(2, kernel)).toBeNull();
  expect(parseStat(7, zombie)).toBeNull();
  expect(parseStat(8, program)).toEqual({ pid: 8, ppid: 1, group: 8, startTime: '91' });
});
