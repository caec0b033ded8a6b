import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loopbackAddress } from '../../src-main/endpoint/bindHost.ts';

/** How a request gets into the host that runs now: as the one page that redeemed its link. */
export interface HostAccess {
  port: number;
  cookie: string;
  pageToken: string;
}

export interface HostProcess {
  /** Waits for a host that is starting; rejects if it could not start. */
  access(): Promise<HostAccess>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** How long a host may take to close its workspace before it is killed. */
const stopMs = 5000;

/** Runs the loopback host from its source files, in a process that can be replaced. */
export function startHostProcess(root: string, workspace: string): HostProcess {
  let child = spawnHost(root, workspace);
  let access = redeemLink(child);
  let stopped = false;
  // Restarts follow one another; a failed start is reported by access().
  let lastChange: Promise<unknown> = access.catch(() => undefined);

  const replaceHost = async (): Promise<HostAccess> => {
    await endProcess(child);
    if (stopped) throw new Error('The host was stopped.');
    child = spawnHost(root, workspace);
    return redeemLink(child);
  };
  return {
    access: () => access,
    async restart() {
      access = lastChange.then(replaceHost);
      lastChange = access.catch(() => undefined);
      await access;
    },
    async stop() {
      stopped = true;
      await endProcess(child);
      await lastChange;
      await endProcess(child);
    },
  };
}

function spawnHost(root: string, workspace: string): ChildProcess {
  const program = join(root, 'src-main', 'hosts', 'cli', 'main.ts');
  const options = ['open', '--host', 'loopback', '--no-browser', '--port', '0'];
  return spawn(process.execPath, [program, '--workspace', workspace, '--quiet', ...options], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'touchstone'),
      ...process.env,
    },
  });
}

/** Opens the link that the host prints first, as a browser would. */
async function redeemLink(child: ChildProcess): Promise<HostAccess> {
  if (child.stdout === null) throw new Error('The host has no standard output.');
  const ended = once(child, 'exit').then(() => null);
  const printed = once(createInterface({ input: child.stdout }), 'line').then(
    ([line]) => new URL(String(line)),
  );
  const link = await Promise.race([printed, ended]);
  if (link === null) throw new Error('The host ended while it was starting.');
  const reply = await fetch(link);
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';', 1);
  const [, pageToken = ''] = /data-token="([^"]+)"/.exec(await reply.text()) ?? [];
  return { port: Number(link.port), cookie, pageToken };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await exited;
  clearTimeout(deadline);
}

/** The name and origin that the host accepts. */
export const hostName = ({ port }: HostAccess): string => `${loopbackAddress}:${port}`;
