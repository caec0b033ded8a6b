import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { launchUnderLimits } from './launchUnderLimits.ts';
import { parseLockLimit } from './processTable.ts';
import { createRunId, thisOwner } from './runId.ts';
import { createTag, hasSetTag, ownerOfTag } from './treeTag.ts';

const print = { command: '/bin/cat', args: ['/proc/self/limits'] };
const env = { PATH: '/usr/bin:/bin', LANG: 'C' };
const mb = 1024 * 1024;

describe.runIf(process.platform === 'linux')('limits of a child', () => {
  test.each(['prlimit', 'shell'] as const)('are set by %s', async (setter) => {
    const tag = createTag(createRunId(), null);
    const { command, args } = await launchUnderLimits(
      print,
      { tag, memoryBytes: 700 * mb },
      env,
      async () => setter,
    );
    const text = execFileSync(command, [...args], { encoding: 'utf8', env });
    expect(parseLockLimit(text)).toEqual({ soft: tag, hard: tag });
    expect(text).toMatch(new RegExp(`^Max data size +${700 * mb} +${700 * mb} `, 'm'));
  });

  test('are not set by a shell that would drop a variable', async () => {
    const limits = { tag: 5n, memoryBytes: null };
    const launch = (own: Record<string, string>) =>
      launchUnderLimits(print, limits, { ...env, ...own }, async () => 'shell');
    expect(await launch({ 'spring.profile': 'x' })).toBe(print);
    expect((await launch({ SPRING: 'x' })).command).toBe('/bin/sh');
  });

  test('are left out where nothing can set them', async () => {
    const limits = { tag: 5n, memoryBytes: mb };
    expect(await launchUnderLimits(print, limits, env, async () => null)).toBe(print);
  });
});

describe('tags', () => {
  test('name the process that set them', () => {
    const tag = createTag(createRunId(), null) ?? 0n;
    expect(ownerOfTag(tag)?.pid).toBe(process.pid);
    expect(hasSetTag(thisOwner(), tag)).toBe(true);
    expect(hasSetTag({ ...thisOwner(), pid: process.pid + 1 }, tag)).toBe(false);
    expect(hasSetTag({ pid: process.pid, startTime: '12345' }, tag)).toBe(false);
  });

  test('are lower inside another tree, because limits can only be lowered there', () => {
    const outer = createTag('touchstone-4194303-999999-70000', null) ?? 0n;
    const inner = createTag('touchstone-9-1-1/touchstone-4194303-999999-2', {
      soft: outer,
      hard: outer,
    });
    expect(inner).toBeLessThan(outer);
    expect(ownerOfTag(inner ?? 0n)?.pid).toBe(4_194_303);
    expect(outer).toBeLessThan(2n ** 63n);
  });

  test('are never seen in a limit that another program set', () => {
    for (const value of [0n, 1024n, 65_536n, 2n ** 31n, 2n ** 53n, 2n ** 63n - 1n])
      expect(ownerOfTag(value)).toBeNull();
  });
});
