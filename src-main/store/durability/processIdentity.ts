import { readFileSync } from 'node:fs';
import { errorCode } from '../../../src-shared/domain/errorText.ts';

/** A pid is reused; together with the start time it identifies one process forever. */
export interface ProcessIdentity {
  pid: number;
  /** Boot id and clock ticks since that boot. Null where the platform does not report them. */
  startTime: string | null;
}

export function identifyProcess(pid: number = process.pid): ProcessIdentity {
  return { pid, startTime: readStartTime(pid) };
}

/**
 * False for a process that has ended, also while it waits as a zombie for its parent, and where
 * another process has its pid now.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.startTime !== null && process.platform === 'linux')
    return readStartTime(identity.pid) === identity.startTime;
  try {
    process.kill(identity.pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

function readStartTime(pid: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may itself contain spaces and
    // parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || ticks === undefined) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch {
    // The process has ended.
    return null;
  }
}
