import { readFileSync } from 'node:fs';
import { errorCode } from '../../../src-shared/domain/errorText.ts';

/** A pid alone is reused; together with the start time it names one process for good. */
export interface ProcessIdentity {
  pid: number;
  /** Boot id and clock ticks since that boot; null where the platform does not tell. */
  startTime: string | null;
}

export function identifyProcess(pid: number = process.pid): ProcessIdentity {
  return { pid, startTime: readStartTime(pid) };
}

/**
 * False for a process that ended, also where it waits as a zombie for its parent, and where another
 * one has taken its pid.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.startTime !== null && process.platform === 'linux')
    return readStartTime(identity.pid) === identity.startTime;
  try {
    process.kill(identity.pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, under another user.
    return errorCode(error) === 'EPERM';
  }
}

function readStartTime(pid: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || ticks === undefined) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch {
    return null;
  }
}
