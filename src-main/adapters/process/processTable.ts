import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { RUN_ID_VARIABLE } from './environment.ts';

export interface ProcessRow {
  pid: number;
  ppid: number;
  group: number;
  /**
   * Clock ticks since boot on Linux, the start date as text elsewhere. Compare it only with that of
   * the same pid, for equality.
   */
  startTime: string;
}

const run = promisify(execFile);
/** Processes that are read before the event loop gets a turn; each takes about ten microseconds. */
const readsPerYield = 100;

/**
 * Every live process that this user can see. Zombies are left out, because they have ended and
 * only wait for their parent. Empty on Windows.
 */
export async function listProcesses(): Promise<ProcessRow[]> {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') return listByPs();
  const names = await readdir('/proc');
  const rows: ProcessRow[] = [];
  for (const [index, name] of names.entries()) {
    if (index % readsPerYield === readsPerYield - 1) await yieldToEventLoop();
    const row = /^\d+$/.test(name) ? readStat(Number(name)) : null;
    if (row !== null) rows.push(row);
  }
  return rows;
}

function readStat(pid: number): ProcessRow | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  return stat === null ? null : parseStat(pid, stat);
}

/** One process; null if it is gone or a zombie. */
export async function readProcess(pid: number): Promise<ProcessRow | null> {
  if (process.platform === 'win32') return null;
  if (process.platform !== 'linux')
    return (await listByPs()).find((row) => row.pid === pid) ?? null;
  return readStat(pid);
}

/** The run id in the environment that a process was started with, or null. */
export async function readRunId(pid: number): Promise<string | null> {
  return (await readRunIds([pid])).get(pid) ?? null;
}

/**
 * The run ids of those of `pids` that have one. Outside of Linux, one call of `ps` answers for all
 * of them.
 */
export async function readRunIds(pids: readonly number[]): Promise<Map<number, string>> {
  if (pids.length === 0 || process.platform === 'win32') return new Map();
  if (process.platform !== 'linux') {
    const [only, ...more] = pids;
    const found = parseRunIds(
      (await outputOf('ps', [
        ...(more.length > 0 ? ['-ax'] : ['-p', String(only)]),
        '-Eww',
        '-o',
        'pid=,command=',
      ])) ?? '',
    );
    return new Map(pids.flatMap((pid) => (found.has(pid) ? [[pid, found.get(pid) ?? '']] : [])));
  }
  const found = new Map<number, string>();
  for (const [index, pid] of pids.entries()) {
    if (index % readsPerYield === readsPerYield - 1) await yieldToEventLoop();
    const runId = runIdIn((readOrNull(`/proc/${pid}/environ`) ?? '').split('\0'));
    if (runId !== null) found.set(pid, runId);
  }
  return found;
}

/**
 * The lines of `ps -E -o pid=,command=`: number, command line and environment, one after the other,
 * parted by blanks.
 */
export function parseRunIds(text: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [pid, ...parts] = line.trim().split(' ');
    // The last one, because the environment follows the arguments, which may quote anything.
    const runId = runIdIn(parts.reverse());
    if (pid !== undefined && /^\d+$/.test(pid) && runId !== null) found.set(Number(pid), runId);
  }
  return found;
}

function runIdIn(entries: readonly string[]): string | null {
  const entry = entries.find((part) => part.startsWith(`${RUN_ID_VARIABLE}=`));
  return entry === undefined ? null : entry.slice(RUN_ID_VARIABLE.length + 1).trim();
}

/** The working folder of a process; null outside of Linux, which alone shows it cheaply. */
export async function readFolder(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** The command line, so that people can recognize a process. */
export async function readCommand(pid: number): Promise<string> {
  const text =
    process.platform === 'linux'
      ? readOrNull(`/proc/${pid}/cmdline`)
      : await outputOf('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return (text ?? '').replaceAll('\0', ' ').trim();
}

/**
 * Reads fields 3, 4, 5 and 22 of proc(5) stat. The name in parentheses may itself contain
 * parentheses and spaces.
 */
export function parseStat(pid: number, stat: string): ProcessRow | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, group] = fields;
  const startTime = fields[19];
  if (state === undefined || ppid === undefined || group === undefined || startTime === undefined)
    return null;
  if (state === 'Z' || state === 'X') return null;
  return { pid, ppid: Number(ppid), group: Number(group), startTime };
}

async function listByPs(): Promise<ProcessRow[]> {
  const text = (await outputOf('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='])) ?? '';
  return text.split('\n').flatMap((line) => {
    const [pid, ppid, group, state, ...started] = line.trim().split(/\s+/);
    if (
      pid === undefined ||
      ppid === undefined ||
      group === undefined ||
      state === undefined ||
      state.startsWith('Z')
    )
      return [];
    return [
      { pid: Number(pid), ppid: Number(ppid), group: Number(group), startTime: started.join(' ') },
    ];
  });
}

/**
 * Null if the process has ended or belongs to another user. Synchronous, because the kernel answers
 * from memory: the thread pool would take ten times as long and block its other users.
 */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

async function outputOf(command: string, args: string[]): Promise<string | null> {
  try {
    return (await run(command, args, { timeout: 2000, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch {
    return null;
  }
}
