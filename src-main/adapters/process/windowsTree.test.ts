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

describe('a tree of processes on Windows', () => {
  it('T18: a root that ends by itself would leave its children behind, since nobody leads to them any more', async () => {
    const windows = new FakeWindows(family());
    const politeEnd = async () => {
      windows.end(40);
      return true;
    };
    expect(await endWindowsTree(40, { politeEnd, withinMs: 1000, system: windows })).toBe(true);
    expect(windows.rows.map(({ pid }) => pid)).toEqual([1, 90]);
  });

  it('T18: a root that does not end would live on, or take others with it', async () => {
    const windows = new FakeWindows(family());
    const politeEnd = async () => !windows.rows.some(({ pid }) => pid === 40);
    expect(await endWindowsTree(40, { politeEnd, withinMs: 1000, system: windows })).toBe(true);
    expect(windows.killed).toEqual([40]);
    expect(windows.rows.map(({ pid }) => pid)).toEqual([1, 90]);
  });

  it('T18: one that could not be ended would be told as ended', async () => {
    const windows = new FakeWindows(family());
    windows.kill = async () => undefined;
    expect(
      await endWindowsTree(40, { politeEnd: async () => false, withinMs: 1000, system: windows }),
    ).toBe(false);
  });

  it('a process that got the number of one that is gone would be ended in its place', async () => {
    const windows = new FakeWindows(family());
    const politeEnd = async () => {
      windows.rows = [row(1, 0, 1), row(41, 1, 99), row(90, 1, 13)];
      return true;
    };
    expect(await endWindowsTree(40, { politeEnd, withinMs: 1000, system: windows })).toBe(true);
    expect(windows.killed).toEqual([]);
  });

  it('a process older than its parent’s number would be taken for its child', () => {
    expect(
      descendantsOf(40, [row(40, 1, 50), row(7, 40, 20), row(8, 40, 60)]).map(({ pid }) => pid),
    ).toEqual([8]);
    // Numbers that lead in a circle end.
    expect(descendantsOf(5, [row(5, 6, 1), row(6, 5, 1)]).map(({ pid }) => pid)).toEqual([6]);
  });

  it('a line that is no process would break the list', () => {
    expect(
      parseProcesses('4 0 \r\n812 4 638500000000000000\r\n\r\nGet-CimInstance : denied\r\n'),
    ).toEqual([
      { pid: 4, ppid: 0, created: '' },
      { pid: 812, ppid: 4, created: '638500000000000000' },
    ]);
  });
});
