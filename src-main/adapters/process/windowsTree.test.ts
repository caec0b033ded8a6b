import { describe, expect, it } from 'vitest';
import {
  descendantsOf,
  endWindowsTree,
  parseProcesses,
  type WindowsProcess,
  type WindowsSystem,
} from './windowsTree.ts';

/**
 * A table of processes that behaves like Windows: `taskkill /T` follows the numbers of parents, and
 * knows no root that is gone.
 */
class FakeWindows implements WindowsSystem {
  rows: WindowsProcess[];
  readonly killed: number[] = [];
  constructor(rows: WindowsProcess[]) {
    this.rows = rows;
  }
  async list(): Promise<WindowsProcess[]> {
    return [...this.rows];
  }
  async kill(pid: number): Promise<void> {
    this.killed.push(pid);
    if (!this.rows.some((row) => row.pid === pid)) return;
    const gone = new Set([pid, ...descendantsOf(pid, this.rows).map((row) => row.pid)]);
    this.rows = this.rows.filter((row) => !gone.has(row.pid));
  }
  end(pid: number): void {
    this.rows = this.rows.filter((row) => row.pid !== pid);
  }
}

const row = (pid: number, ppid: number, created: number): WindowsProcess => ({
  pid,
  ppid,
  created: String(created),
});
const family = () => [
  row(1, 0, 1),
  row(40, 1, 10),
  row(41, 40, 11),
  row(42, 41, 12),
  row(90, 1, 13),
];

describe('process tree on Windows', () => {
  it('T18: ends the children of a root that exited by itself', async () => {
    const windows = new FakeWindows(family());
    const politeEnd = async () => {
      windows.end(40);
      return true;
    };
    expect(await endWindowsTree(40, { politeEnd, withinMs: 1000, system: windows })).toBe(true);
    expect(windows.rows.map(({ pid }) => pid)).toEqual([1, 90]);
  });

  it('T18: kills a root that does not exit, and no unrelated process', async () => {
    const windows = new FakeWindows(family());
    const politeEnd = async () => !windows.rows.some(({ pid }) => pid === 40);
    expect(await endWindowsTree(40, { politeEnd, withinMs: 1000, system: windows })).toBe(true);
    expect(windows.killed).toEqual([40]);
    expect(windows.rows.map(({ pid }) => pid)).toEqual([1, 90]);
  });

  it('T18: reports a tree that could not be ended', async () => {
    const windows = new FakeWindows(family());
    windows.kill = async () => undefined;
    expect(
      await endWindowsTree(40, { politeEnd: async () => false, withinMs: 1000, system: windows }),
    ).toBe(false);
  });

  it('does not end a process that reuses the pid of a member', async () => {
    const windows = new FakeWindows(family());
    const politeEnd = async () => {
      windows.rows = [row(1, 0, 1), row(41, 1, 99), row(90, 1, 13)];
      return true;
    };
    expect(await endWindowsTree(40, { politeEnd, withinMs: 1000, system: windows })).toBe(true);
    expect(windows.killed).toEqual([]);
  });

  it('does not take a process older than its parent for a child', () => {
    expect(
      descendantsOf(40, [row(40, 1, 50), row(7, 40, 20), row(8, 40, 60)]).map(({ pid }) => pid),
    ).toEqual([8]);
    // Numbers that lead in a circle end.
    expect(descendantsOf(5, [row(5, 6, 1), row(6, 5, 1)]).map(({ pid }) => pid)).toEqual([6]);
  });

  it('ignores lines that list no process', () => {
    expect(
      parseProcesses('4 0 \r\n812 4 638500000000000000\r\n\r\nGet-CimInstance : denied\r\n'),
    ).toEqual([
      { pid: 4, ppid: 0, created: '' },
      { pid: 812, ppid: 4, created: '638500000000000000' },
    ]);
  });
});
