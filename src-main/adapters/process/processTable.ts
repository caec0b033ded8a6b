import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { RUN_ID_VARIABLE } from './environment.ts';
import { runInTurns } from './systemTurns.ts';

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

/** What a process got from the one that started it, and hands on. */
export interface ProcessMarks {
  /** The run id in the environment that it was started with. */
  runId: string | null;
  /** Its limit on file locks, which carries a tag (see treeTag.ts). Linux only. */
  lockLimit: LockLimit | null;
}

/** Null stands for no limit. */
export interface LockLimit {
  soft: bigint | null;
  hard: bigint | null;
}

const run = promisify(execFile);

/**
 * Every live process that this user can see. Zombies are left out, because they have ended and
 * only wait for their parent, and threads of the kernel, which no program started. Empty on Windows.
 */
export async function listProcesses(): Promise<ProcessRow[]> {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') return listByPs();
  return runInTurns(readRows());
}

/** Every live process on Linux. */
export function* readRows(): Generator<void, ProcessRow[]> {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const row = /^\d+$/.test(name) ? readStat(Number(name)) : null;
    if (row !== null) rows.push(row);
    yield;
  }
  return rows;
}

/** One process on Linux; null if it is gone, a zombie or a thread of the kernel. */
export function readStat(pid: number): ProcessRow | null {
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

/**
 * The marks of those of `pids` that have any. Outside of Linux, one call of `ps` answers for all of
 * them.
 */
export async function readMarks(pids: readonly number[]): Promise<Map<number, ProcessMarks>> {
  if (pids.length === 0 || process.platform === 'win32') return new Map();
  if (process.platform === 'linux') return runInTurns(readLinuxMarks(pids));
  const [only, ...more] = pids;
  const which = more.length > 0 ? ['-ax'] : ['-p', String(only)];
  const text = await outputOf('ps', [...which, '-Eww', '-o', 'pid=,command=']);
  const wanted = new Set(pids);
  return new Map(
    [...parseRunIds(text ?? '')]
      .filter(([pid]) => wanted.has(pid))
      .map(([pid, runId]) => [pid, { runId, lockLimit: null }]),
  );
}

/** Like `readMarks`, on Linux. */
export function* readLinuxMarks(
  pids: readonly number[],
): Generator<void, Map<number, ProcessMarks>> {
  const found = new Map<number, ProcessMarks>();
  for (const pid of pids) {
    const runId = runIdIn((readOrNull(`/proc/${pid}/environ`) ?? '').split('\0'));
    const lockLimit = parseLockLimit(readOrNull(`/proc/${pid}/limits`) ?? '');
    if (runId !== null || lockLimit !== null) found.set(pid, { runId, lockLimit });
    yield;
  }
  return found;
}

/** Reads a text of `/proc/PID/limits`; null if it sets no limit on file locks. */
export function parseLockLimit(limits: string): LockLimit | null {
  const [, soft, hard] = /^Max file locks +(\d+|unlimited) +(\d+|unlimited) /m.exec(limits) ?? [];
  const read = (text = 'unlimited'): bigint | null => (text === 'unlimited' ? null : BigInt(text));
  const limit = { soft: read(soft), hard: read(hard) };
  return limit.soft === null && limit.hard === null ? null : limit;
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
export function readFolder(pid: number): string | null {
  return readLink(`/proc/${pid}/cwd`);
}

/**
 * The PID namespace of a process; null outside of Linux. In another one, numbers of processes mean
 * other processes.
 */
export function readNamespace(pid: number): string | null {
  return readLink(`/proc/${pid}/ns/pid`);
}

function readLink(path: string): string | null {
  if (process.platform !== 'linux') return null;
  return orElse(() => readlinkSync(path), null);
}

/** The command line, so that people can recognize a process. */
export async function readCommand(pid: number): Promise<string> {
  const text =
    process.platform === 'linux'
      ? readOrNull(`/proc/${pid}/cmdline`)
      : await outputOf('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return (text ?? '').replaceAll('\0', ' ').trim();
}

/** The flag of what the kernel runs for itself (PF_KTHREAD of include/linux/sched.h). */
const kernelThread = 0x0020_0000;

/**
 * Reads fields 3, 4, 5, 9 and 22 of proc(5) stat. The name in parentheses may itself contain
 * parentheses and spaces.
 */
export function parseStat(pid: number, stat: string): ProcessRow | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, group] = fields;
  const startTime = fields[19];
  if (state === undefined || ppid === undefined || group === undefined || startTime === undefined)
    return null;
  if (state === 'Z' || state === 'X' || (Number(fields[6]) & kernelThread) !== 0) return null;
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

/** Null if the process has ended or belongs to another user. */
function readOrNull(path: string): string | null {
  return orElse(() => readFileSync(path, 'utf8'), null);
}

async function outputOf(command: string, args: string[]): Promise<string | null> {
  try {
    return (await run(command, args, { timeout: 2000, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch {
    // The caller has another way to read the table.
    return null;
  }
}
