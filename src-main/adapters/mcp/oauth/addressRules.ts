import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Private addresses, which a remote server must not name. */
const inner = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  inner.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  inner.addSubnet(net, prefix, 'ipv6');
inner.addAddress('::', 'ipv6');

/** The metadata services of clouds, which hand out credentials. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');

type Reach = 'loopback' | 'inner' | 'outer';

/**
 * Judges the address alone, without a DNS lookup. The URL parser has already normalized decimal,
 * octal and short forms.
 */
export function reachOf(url: URL): Reach {
  const host = hostOf(url);
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  const family = isIP(host);
  if (family === 0) return 'outer';
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  if (loopback.check(host, kind)) return 'loopback';
  return inner.check(host, kind) ? 'inner' : 'outer';
}

const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

function isLinkLocal(url: URL): boolean {
  const family = isIP(hostOf(url));
  return family !== 0 && linkLocal.check(hostOf(url), family === 4 ? 'ipv4' : 'ipv6');
}

const nearness: Record<Reach, number> = { loopback: 0, inner: 1, outer: 2 };

/**
 * Why an address that a server names in its sign-in is refused, or null. It must be https (http
 * only on this machine), contain no credentials, and not be closer to this machine than the server
 * itself.
 */
export function refuseAddress(address: string | URL, server: URL): string | null {
  const url = URL.parse(String(address));
  const shown = String(address).slice(0, 200);
  if (url === null) return `${shown} is no address`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${shown} is no https address`;
  if (url.username !== '' || url.password !== '')
    return `${url.origin}${url.pathname} has credentials in it`;
  const reach = reachOf(url);
  if (url.protocol === 'http:' && reach !== 'loopback')
    return `${url.origin}${url.pathname} is not encrypted`;
  if (
    (isLinkLocal(url) && url.hostname !== server.hostname) ||
    nearness[reach] < nearness[reachOf(server)]
  )
    return (
      `${url.origin}${url.pathname} leads to an address that only this machine or its network ` +
      'can reach'
    );
  return null;
}
