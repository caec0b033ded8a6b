import { spawnSync } from 'node:child_process';

/** Null where a command can be had; else why not, for the title of what is skipped. */
function whyNot(command: string, args: readonly string[]): string | null {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined) return `${command} can't be run (${error.message})`;
  return status === 0
    ? null
    : `${command} is not permitted here (${stderr.trim().split('\n')[0] ?? status})`;
}

/** A command prefix under which no file grows beyond `bytes`. */
export const fileSizeLimit = {
  under: (bytes: number) => ['prlimit', `--fsize=${bytes}`],
  unavailable: whyNot('prlimit', ['--fsize=1000000', 'true']),
};

/**
 * A command prefix under which `folder` is an empty disk of 2 MiB that nobody else sees and that
 * ends with the process.
 */
export const smallDisk = {
  under: (folder: string) => [
    'unshare',
    '-Urm',
    'sh',
    '-c',
    'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"',
    folder,
  ],
  unavailable: whyNot('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=2m tmpfs /tmp']),
};
