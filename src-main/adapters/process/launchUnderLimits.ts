/**
 * Starts a program with limits that it and all its descendants inherit. Node can set none for a
 * child, so another program sets them and turns into the wanted one: `prlimit` of util-linux, or
 * where that is missing a shell.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { locateCommand } from './locateCommand.ts';

export interface Limits {
  /** Marks every process of a tree (see treeTag.ts); null for none. */
  tag: bigint | null;
  /** How much memory each process may allocate; null for no limit. */
  memoryBytes: number | null;
}

export interface Launch {
  command: string;
  args: readonly string[];
}

type Setter = 'prlimit' | 'shell' | null;

/**
 * What to start instead of `program`, on Linux. Elsewhere, and where nothing can set limits, that
 * is `program` itself. `env` is the environment that it gets.
 */
export async function launchUnderLimits(
  program: Launch,
  limits: Limits,
  env: Readonly<Record<string, string>>,
  findSetter: () => Promise<Setter> = findUsableSetter,
): Promise<Launch> {
  if (process.platform !== 'linux') return program;
  const own = readOwnLimits();
  // A program inside a tree keeps the hard limit, which is the tag of the outer tree.
  const tag = limits.tag !== null && fits(limits.tag, own.locks) ? limits.tag : null;
  const isNested = own.locks !== null;
  const bytes = limits.memoryBytes === null ? null : BigInt(limits.memoryBytes);
  const memory = bytes !== null && fits(bytes, own.data) ? bytes : null;
  if (tag === null && memory === null) return program;
  switch (await findSetter()) {
    case 'prlimit':
      return {
        command: 'prlimit',
        args: [
          ...(tag === null ? [] : [`--locks=${tag}${isNested ? ':' : ''}`]),
          ...(memory === null ? [] : [`--data=${memory}`]),
          '--',
          program.command,
          ...program.args,
        ],
      };
    case 'shell':
      // A shell drops variables whose names it can't use, and those matter more than the limits.
      if (!Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name))) return program;
      return {
        command: '/bin/sh',
        args: [
          '-c',
          shellScript,
          'touchstone',
          tag === null ? '' : String(tag),
          isNested ? '-S' : '',
          memory === null ? '' : String(memory / 1024n),
          program.command,
          ...program.args,
        ],
      };
    case null:
      return program;
  }
}

/** The letter for file locks is `w` in dash and ash, and `x` in bash, ksh and zsh. */
const shellScript =
  'if [ "$1" ]; then ulimit $2 -w "$1" 2>/dev/null || ulimit $2 -x "$1" 2>/dev/null; fi; ' +
  'if [ "$3" ]; then ulimit -d "$3" 2>/dev/null; fi; shift 3; exec "$@"';

export async function canLimitMemory(): Promise<boolean> {
  return process.platform === 'linux' && (await findUsableSetter()) !== null;
}

let usableSetter: Promise<Setter> | null = null;

/** Tried once, because a sandbox may forbid what is installed. */
function findUsableSetter(): Promise<Setter> {
  usableSetter ??= tryPrlimit().then(async (works) =>
    works ? 'prlimit' : (await locateCommand('/bin/sh')) === null ? null : 'shell',
  );
  return usableSetter;
}

async function tryPrlimit(): Promise<boolean> {
  try {
    const file = await locateCommand('prlimit');
    if (file === null) return false;
    await promisify(execFile)(file, ['--locks=1:', '--', '/bin/sh', '-c', ':'], { timeout: 5_000 });
    return true;
  } catch {
    // It exists and doesn’t work here, as in some containers.
    return false;
  }
}

/** The hard limits of this process, which a child can't exceed; null for none. */
function readOwnLimits(): { locks: bigint | null; data: bigint | null } {
  const text = readFileSync('/proc/self/limits', 'utf8');
  const read = (name: string): bigint | null => {
    const [, hard] = new RegExp(`^${name} +\\S+ +(\\d+) `, 'm').exec(text) ?? [];
    return hard === undefined ? null : BigInt(hard);
  };
  return { locks: read('Max file locks'), data: read('Max data size') };
}

const fits = (value: bigint, hard: bigint | null): boolean => hard === null || value <= hard;
