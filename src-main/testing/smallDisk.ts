import { spawnSync } from 'node:child_process';

/** Null if such a command is available, else the reason for the title of a skipped test. */
function whyNot(command: string, args: readonly string[]): string | null {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined) return `${command} can't be run (${error.message})`;
  return status === 0
    ? null
    : `${command} is not permitted here (${stderr.trim().split('\n')[0] ?? status})`;
}

/** A command prefix that limits files to `bytes`. */
export const fileSizeLimit = {
  under: (bytes: number) => ['prlimit', `--fsize=${bytes}`],
  unavailable: whyNot('prlimit', ['--fsize=1000000', 'true']),
};

/**
 * A command prefix that makes `folder` an empty disk of 3 MiB, visible to the command only and gone
 * with it.
 */
export const smallDisk = {
  under: (folder: string) => [
    'unshare',
    '-Urm',
    'sh',
    '-c',
    'mount -t tmpfs -o size=3m tmpfs "$0" && exec "$@"',
    folder,
  ],
  unavailable: whyNot('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=3m tmpfs /tmp']),
};
