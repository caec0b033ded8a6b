import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * From where an address can be reached: nowhere that a program should ask (link-local, where clouds
 * hand out credentials, and reserved), this computer, its network, or everywhere.
 */
export type Reach = 'never' | 'loopback' | 'private' | 'public';

/** Which addresses that are not public may be contacted: none, this computer, or all. */
export type PrivatePolicy = 'refuse' | 'loopback' | 'allow';

/** What a connection may lead to. Every request of a tool or to a server is judged by such rules. */
export interface AddressRules {
  /** Allowed besides public addresses. */
  allows: readonly Reach[];
  /** Hosts that a person allowed by name, wherever they lead. */
  allowedHosts: readonly string[];
  /** A sentence that says how a person allows what is refused, by its reach. */
  remedies?: Partial<Record<Reach, string>>;
}

export function rulesOf(policy: PrivatePolicy, allowedHosts: readonly string[] = []): AddressRules {
  const allows: Record<PrivatePolicy, Reach[]> = {
    refuse: [],
    loopback: ['loopback'],
    allow: ['loopback', 'private'],
  };
  return { allows: allows[policy], allowedHosts };
}

function listOf(subnets: readonly [string, number][]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of subnets)
    // Node would compile its pattern of addresses for this, at each start.
    list.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

const loopback = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);
/** Metadata services of clouds, which hand out credentials, and reserved addresses. */
const alwaysRefused = listOf([
  ['169.254.0.0', 16],
  ['0.0.0.0', 8],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['100.100.100.200', 32],
  ['fe80::', 10],
  ['ff00::', 8],
  ['::', 128],
  ['fd00:ec2::254', 128],
]);
const privateNetworks = listOf([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['192.0.0.0', 24],
  ['198.18.0.0', 15],
  ['fc00::', 7],
  ['fec0::', 10],
]);

/** The reach of an address; null if the text is none. */
export function reachOf(address: string): Reach | null {
  const plain = embeddedIpv4(address) ?? address;
  if (isIP(plain) === 0) return null;
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (alwaysRefused.check(plain, family)) return 'never';
  if (loopback.check(plain, family)) return 'loopback';
  return privateNetworks.check(plain, family) ? 'private' : 'public';
}

/** Why a connection to this address is refused, as a sentence; null if it is allowed. */
export function refusalOf(
  address: string,
  { allows, remedies = {} }: Pick<AddressRules, 'allows' | 'remedies'>,
): string | null {
  const reach = reachOf(address);
  if (reach === null) return `"${address}" isn't an IP address.`;
  if (reach === 'public' || allows.includes(reach)) return null;
  const what: Record<typeof reach, string> = {
    never: 'a link-local or reserved address, which is not allowed',
    loopback: 'this computer, which is not allowed',
    private: 'in a private network, which is not allowed',
  };
  const refused = `${address} is ${what[reach]}.`;
  const remedy = remedies[reach];
  return remedy === undefined ? refused : `${refused} ${remedy}`;
}

/** The host of a URL without brackets and the final dot. */
export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

export function isAllowedHost(host: string, { allowedHosts }: AddressRules): boolean {
  return allowedHosts.some((name) => name.toLowerCase() === host.toLowerCase());
}

/**
 * Why a request to this URL is refused before any connection, as a sentence; null if the host is a
 * name, whose addresses are judged when they are known. The URL parser has already normalized
 * decimal, octal and short forms.
 */
export function refusalOfUrl(url: URL, rules: AddressRules): string | null {
  const host = hostOf(url);
  return isIP(host) === 0 || isAllowedHost(host, rules) ? null : refusalOf(host, rules);
}

/** The IPv4 address inside an IPv6 one: mapped, translated (NAT64) or 6to4. */
function embeddedIpv4(address: string): string | null {
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  if (groups === null) return null;
  const [a = 0, b = 0, c = 0] = groups;
  const last = fromGroups(groups[6] ?? 0, groups[7] ?? 0);
  const zeroes = (from: number, to: number): boolean =>
    groups.slice(from, to).every((group) => group === 0);
  if (zeroes(0, 5) && groups[5] === 0xffff) return last;
  if (zeroes(0, 6) && (groups[6] !== 0 || (groups[7] ?? 0) > 1)) return last;
  if (zeroes(0, 4) && groups[4] === 0xffff && groups[5] === 0) return last;
  if (a === 0x64 && b === 0xff9b) return last;
  if (a === 0x2002) return fromGroups(b, c);
  return null;
}

function fromGroups(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address, without its zone (`%eth0`). */
function groupsOf(address: string): number[] | null {
  let text = address.split('%', 1)[0] ?? '';
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (dotted !== null) {
    const [w = 0, x = 0, y = 0, z = 0] = dotted.slice(1).map(Number);
    text = `${text.slice(0, dotted.index)}${((w << 8) | x).toString(16)}:${((y << 8) | z).toString(16)}`;
  }
  const [head = '', tail] = text.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const before = read(head);
  const after = tail === undefined ? [] : read(tail);
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 0) return null;
  return [...before, ...new Array<number>(missing).fill(0), ...after];
}
