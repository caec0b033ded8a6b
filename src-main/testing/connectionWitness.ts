import { appendFileSync } from 'node:fs';
import { Socket as DatagramSocket } from 'node:dgram';
import dns from 'node:dns';
import { Socket } from 'node:net';
import { basename } from 'node:path';

/**
 * Loaded with `--import` into a process, its threads and its Node children. Records every
 * connection, lookup and datagram below all client libraries, and every native module that is
 * loaded.
 */
const file = process.env['TOUCHSTONE_CONNECTIONS'];
if (file !== undefined) {
  const note = (what: string): void => appendFileSync(file, `${what}\n`);
  const wrap = (owner: object, name: string, describe: (all: unknown[]) => string | null): void => {
    const original = Reflect.get(owner, name) as (...all: unknown[]) => unknown;
    Reflect.set(owner, name, function witnessed(this: unknown, ...all: unknown[]) {
      const what = describe(all);
      if (what !== null) note(what);
      return Reflect.apply(original, this, all);
    });
  };
  wrap(Socket.prototype, 'connect', (all) => {
    // Node itself passes its arguments as one list.
    const [first, second] = Array.isArray(all[0]) ? (all[0] as unknown[]) : all;
    if (typeof first !== 'object' || first === null)
      return `tcp ${typeof second === 'string' ? second : 'localhost'}:${String(first)}`;
    const { host, port, path } = first as { host?: string; port?: unknown; path?: string };
    // A pipe between processes of this machine.
    return path !== undefined && port === undefined
      ? null
      : `tcp ${host ?? 'localhost'}:${String(port)}`;
  });
  wrap(
    DatagramSocket.prototype,
    'send',
    (all) => `udp ${all.filter((part) => typeof part === 'string').join(' ')}`,
  );
  wrap(process, 'dlopen', ([, path]) => `native ${basename(String(path))}`);
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'])
    wrap(dns, name, ([host]) => `name ${String(host)}`);
}
