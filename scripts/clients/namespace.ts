import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const port = 4020;
/** The address of the model that answers in the namespace. */
export const model = `http://127.0.0.1:${port}`;

export interface Alone {
  /** Gets each request to the model as a line. */
  requests: string;
  /** What the model calls before it is done, as `recorder.ts` takes it. */
  call?: object;
  cwd?: string;
  env: Readonly<Record<string, string>>;
  /** The folders of further programs. */
  path?: string;
  seconds: string;
  /** A file that gets both outputs; without it, they are returned. */
  output?: string;
  /** A file that gets the processes which are left when the command has ended. */
  left?: string;
}

/**
 * Runs a command in a network namespace with the loopback interface alone and a model on it, with
 * these variables and no others (Linux, as root). The process namespace ends what it leaves behind.
 */
export function runAlone(
  { requests, call, cwd, env, path, seconds, output, left }: Alone,
  command: readonly string[],
): SpawnSyncReturns<string> {
  writeFileSync(requests, '');
  const script = `ip link set lo up
node "$RECORDER" "$REQUESTS" ${port} "$RECORDED_CALL" >/dev/null &
until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do :; done
timeout -k 5 ${seconds} env -u RECORDER -u REQUESTS -u RECORDED_CALL "$@" </dev/null ${output === undefined ? '' : `>"${output}" 2>&1`}
ended=$?
kill $!; wait $! 2>/dev/null
${left === undefined ? '' : `ps -e -o pid=,args= | grep -v -e ' ps -e' -e ' bash -c' -e ' grep -v' -e '\\[.*\\]$' >"${left}"`}
exit $ended`;
  return spawnSync(
    'unshare',
    [
      ...['--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...['bash', '-c', script, 'bash', ...command],
    ],
    {
      encoding: 'utf8',
      ...(cwd !== undefined && { cwd }),
      env: {
        PATH: [path, dirname(process.execPath), process.env['PATH']].filter(Boolean).join(':'),
        ...{ LANG: 'C.UTF-8', TERM: 'dumb', NO_PROXY: '127.0.0.1' },
        ...{ RECORDER: join(import.meta.dirname, 'recorder.ts'), REQUESTS: requests },
        RECORDED_CALL: call === undefined ? '' : JSON.stringify(call),
        ...env,
      },
    },
  );
}
