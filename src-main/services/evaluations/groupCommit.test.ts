import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GroupCommit, maximumGroup, maximumWaitMs } from './groupCommit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A group of strings that are their own ids, with a disk that can be full. */
function openGroup() {
  const commits: { started: string[]; finished: string[] }[] = [];
  const troubles: unknown[] = [];
  const disk = { full: false };
  const group = new GroupCommit<string>({
    commit(started, finished) {
      if (disk.full) throw new Error('disk full');
      commits.push({ started: [...started], finished: [...finished] });
    },
    idOf: (item) => item,
    onTrouble: (error) => troubles.push(error),
  });
  return { group, commits, troubles, disk };
}

const names = (count: number, from = 0): string[] => Array.from({ length: count }, (_, index) => `run-${from + index}`);

describe('GroupCommit', () => {
  it('the hundredth run would wait for the timer, or the ninety-ninth would not', () => {
    const { group, commits } = openGroup();
    for (const name of names(maximumGroup - 1)) group.finish(name);
    expect(commits).toEqual([]);
    expect(group.size).toBe(99);
    group.finish('run-99');
    expect(commits).toEqual([{ started: [], finished: names(100) }]);
    expect(group.size).toBe(0);
  });

  it('a run would wait longer than 50 ms, or every newcomer would put it off again', () => {
    const { group, commits } = openGroup();
    group.finish('first');
    vi.advanceTimersByTime(maximumWaitMs - 1);
    group.finish('second');
    expect(commits).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(commits).toEqual([{ started: [], finished: ['first', 'second'] }]);
    vi.advanceTimersByTime(10 * maximumWaitMs);
    expect(commits).toHaveLength(1);
  });

  it('a run that starts and ends within a group would be written as running', () => {
    const { group, commits } = openGroup();
    group.start('quick');
    group.start('slow');
    group.finish('quick');
    vi.advanceTimersByTime(maximumWaitMs);
    group.finish('slow');
    vi.advanceTimersByTime(maximumWaitMs);
    expect(commits).toEqual([{ started: ['slow'], finished: ['quick'] }, { started: [], finished: ['slow'] }]);
  });

  it('a run that only started would never show as running', () => {
    const { group, commits } = openGroup();
    group.start('slow');
    vi.advanceTimersByTime(maximumWaitMs);
    expect(commits).toEqual([{ started: ['slow'], finished: [] }]);
  });

  it('T50: a full disk would lose the group, or what comes meanwhile; with room again it would be written twice', () => {
    const { group, commits, troubles, disk } = openGroup();
    disk.full = true;
    group.start('slow');
    for (const name of names(3)) group.finish(name);
    vi.advanceTimersByTime(maximumWaitMs);
    expect(troubles).toHaveLength(1);
    expect(group.size).toBe(3);
    group.finish('run-3');
    vi.advanceTimersByTime(maximumWaitMs);
    expect(troubles).toHaveLength(2);
    expect(() => group.flush()).toThrow('disk full');
    disk.full = false;
    group.flush();
    expect(commits).toEqual([{ started: ['slow'], finished: names(4) }]);
    group.flush();
    expect(commits).toHaveLength(1);
  });

  it('a flush would leave its timer running, or commit nothing at all', () => {
    const { group, commits } = openGroup();
    group.flush();
    expect(commits).toEqual([]);
    group.finish('last');
    group.flush();
    expect(commits).toEqual([{ started: [], finished: ['last'] }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
