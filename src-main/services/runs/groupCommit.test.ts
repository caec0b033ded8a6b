import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GroupCommit, maxWaitMs, maxGroupSize, minWaitMs, minRunningMs } from './groupCommit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A group of strings that are their own ids, with a disk that can be full. */
function openGroup() {
  const commits: { started: string[]; finished: string[] }[] = [];
  const errors: unknown[] = [];
  const disk = { full: false, takesMs: 0 };
  const group = new GroupCommit<string>({
    commit(started, finished) {
      if (disk.full) throw new Error('disk full');
      vi.advanceTimersByTime(disk.takesMs);
      commits.push({ started: [...started], finished: [...finished] });
    },
    idOf: (item) => item,
    onError: (error) => errors.push(error),
  });
  return { group, commits, errors, disk };
}

const names = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `run-${from + index}`);

describe('GroupCommit', () => {
  it('commits at once when the group holds 100 runs', () => {
    const { group, commits } = openGroup();
    for (const name of names(maxGroupSize - 1)) group.finish(name);
    expect(commits).toEqual([]);
    expect(group.size).toBe(99);
    group.finish('run-99');
    expect(commits).toEqual([{ started: [], finished: names(100) }]);
    expect(group.size).toBe(0);
  });

  it('commits at most 50 ms after the first run, even when more arrive', () => {
    const { group, commits } = openGroup();
    group.finish('first');
    vi.advanceTimersByTime(minWaitMs - 1);
    group.finish('second');
    expect(commits).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(commits).toEqual([{ started: [], finished: ['first', 'second'] }]);
    vi.advanceTimersByTime(10 * minWaitMs);
    expect(commits).toHaveLength(1);
  });

  it('waits about ten times as long as a commit takes, at most half a second', () => {
    const { group, commits, disk } = openGroup();
    for (const [takesMs, nextWaitMs] of [
      [1, minWaitMs],
      [20, 200],
      [400, maxWaitMs],
      [0, minWaitMs],
    ] as const) {
      disk.takesMs = takesMs;
      group.finish('measured');
      group.flush();
      const before = commits.length;
      group.finish('waiting');
      vi.advanceTimersByTime(nextWaitMs - 1);
      expect(commits).toHaveLength(before);
      disk.takesMs = 0;
      vi.advanceTimersByTime(1);
      expect(commits).toHaveLength(before + 1);
    }
  });

  it('never writes a short run as running', () => {
    const { group, commits } = openGroup();
    group.start('quick');
    group.start('later');
    group.finish('quick');
    vi.advanceTimersByTime(minRunningMs - 1);
    group.finish('later');
    vi.advanceTimersByTime(minWaitMs);
    expect(commits).toEqual([
      { started: [], finished: ['quick'] },
      { started: [], finished: ['later'] },
    ]);
  });

  it('writes a long run as running exactly once', () => {
    const { group, commits } = openGroup();
    group.start('slow');
    vi.advanceTimersByTime(minRunningMs - minWaitMs);
    group.start('young');
    vi.advanceTimersByTime(minWaitMs);
    expect(commits).toEqual([{ started: ['slow'], finished: [] }]);
    vi.advanceTimersByTime(minRunningMs);
    expect(commits).toEqual([
      { started: ['slow'], finished: [] },
      { started: ['young'], finished: [] },
    ]);
  });

  it('writes runs that have just started on a flush', () => {
    const { group, commits } = openGroup();
    group.start('young');
    group.flush();
    expect(commits).toEqual([{ started: ['young'], finished: [] }]);
  });

  it('T50: keeps the group on a full disk and writes it once when there is space', () => {
    const { group, commits, errors, disk } = openGroup();
    disk.full = true;
    group.start('slow');
    for (const name of names(3)) group.start(name);
    for (const name of names(3)) group.finish(name);
    vi.advanceTimersByTime(minWaitMs);
    expect(errors).toHaveLength(1);
    expect(group.size).toBe(3);
    group.finish('run-3');
    vi.advanceTimersByTime(minWaitMs);
    expect(errors).toHaveLength(2);
    expect(() => group.flush()).toThrow('disk full');
    disk.full = false;
    group.flush();
    expect(commits).toEqual([{ started: ['slow'], finished: names(4) }]);
    group.flush();
    expect(commits).toHaveLength(1);
  });

  it('clears its timer on a flush and commits nothing when it is empty', () => {
    const { group, commits } = openGroup();
    group.flush();
    expect(commits).toEqual([]);
    group.finish('last');
    group.flush();
    expect(commits).toEqual([{ started: [], finished: ['last'] }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
