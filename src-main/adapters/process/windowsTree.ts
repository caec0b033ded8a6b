import { execFile, execFileSync } from 'node:child_process';

/**
 * A process as Windows lists it. The creation time tells it from a later one with the same pid.
 */
export interface WindowsProcess {
  pid: number;
  ppid: number;
  created: string;
}

/** The two system programs that are used; tests replace them. */
export interface WindowsSystem {
  list(timeoutMs: number): Promise<WindowsProcess[]>;
  /** `taskkill /T /F`: the process and its descendants. */
  kill(pid: number, timeoutMs: number): Promise<void>;
}

const listCommand =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) ' +
  '$($_.CreationDate.Ticks)" }';
const killArguments = (pid: number): string[] => ['/pid', String(pid), '/T', '/F'];

const windowsSystem: WindowsSystem = {
  list: (timeoutMs) =>
    new Promise((resolve) => {
      const options = { timeout: timeoutMs, windowsHide: true, maxBuffer: 16 * 1024 * 1024 };
      execFile(
        'powershell.exe',
        ['-NoProfile', '-NonInteractive', '-Command', listCommand],
        options,
        (error, stdout) => resolve(error === null ? parseProcesses(stdout) : []),
      );
    }),
  kill: (pid, timeoutMs) =>
    new Promise((resolve) =>
      execFile('taskkill', killArguments(pid), { timeout: timeoutMs, windowsHide: true }, () =>
        resolve(),
      ),
    ),
};

export function parseProcesses(text: string): WindowsProcess[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, pid, ppid, created] = /^(\d+) (\d+) ?(\d*)$/.exec(line.trim()) ?? [];
    return pid === undefined || ppid === undefined || created === undefined
      ? []
      : [{ pid: Number(pid), ppid: Number(ppid), created }];
  });
}

/**
 * All descendants of `root`, its children first. A process older than its supposed parent is none,
 * because pids are reused.
 */
export function descendantsOf(root: number, rows: readonly WindowsProcess[]): WindowsProcess[] {
  const found: WindowsProcess[] = [];
  const own = rows.find(({ pid }) => pid === root);
  const generation: { pid: number; created: string | null }[] = [
    { pid: root, created: own?.created ?? null },
  ];
  for (let parent = generation.shift(); parent !== undefined; parent = generation.shift()) {
    for (const row of rows) {
      if (row.ppid !== parent.pid || row.pid === root || found.includes(row)) continue;
      if (parent.created !== null && BigInt(row.created || 0) < BigInt(parent.created || 0))
        continue;
      found.push(row);
      generation.push(row);
    }
  }
  return found;
}

/**
 * Ends the whole tree of a process that may also exit by itself. Its members are listed first,
 * because `taskkill /T` finds none once the root is gone. Returns true if no process is left.
 */
export async function endWindowsTree(
  root: number,
  {
    politeEnd,
    withinMs,
    system = windowsSystem,
  }: { politeEnd: () => Promise<boolean>; withinMs: number; system?: WindowsSystem },
): Promise<boolean> {
  const [before, ended] = await Promise.all([system.list(withinMs), politeEnd()]);
  const family = descendantsOf(root, before);
  if (!ended) await system.kill(root, withinMs);
  const left = stillThere(family, family.length > 0 ? await system.list(withinMs) : []);
  if (left.length === 0) return ended || (await politeEnd());
  await Promise.all(left.map(({ pid }) => system.kill(pid, withinMs)));
  return stillThere(family, await system.list(withinMs)).length === 0;
}

function stillThere(
  family: readonly WindowsProcess[],
  rows: readonly WindowsProcess[],
): WindowsProcess[] {
  return family.filter((one) =>
    rows.some((row) => row.pid === one.pid && row.created === one.created),
  );
}

/** Synchronous, for the exit of this program, when nothing can be awaited any more. */
export function killWindowsTreeAtOnce(pid: number): void {
  try {
    execFileSync('taskkill', killArguments(pid), {
      stdio: 'ignore',
      windowsHide: true,
      timeout: 2_000,
    });
  } catch {
    // It has already ended.
  }
}
