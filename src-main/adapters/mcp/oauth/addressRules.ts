import { hostOf, reachOf, refusalOfUrl, type AddressRules } from '../../http/addressPolicy.ts';
import { allowsFrom, reachOfHost, type Resolve } from '../../http/checkedLookup.ts';

/** The rules for addresses that a server names in its sign-in. */
export async function signInRules(
  server: URL,
  allowedHosts: readonly string[],
  resolve?: Resolve,
): Promise<AddressRules> {
  return { allows: allowsFrom(await reachOfHost(hostOf(server), resolve)), allowedHosts };
}

/**
 * Why an address that a server names in its sign-in is refused, or null. It must be https (http
 * only on this machine), contain no credentials, have no secret in the name of its host, and not be
 * closer to this machine than the server itself. Where a name leads is checked when it is connected to.
 */
export function refuseAddress(
  address: string | URL,
  rules: AddressRules,
  redact: (text: string) => string = (text) => text,
): string | null {
  const url = URL.parse(String(address));
  if (url === null) return `${redact(String(address)).slice(0, 200)} isn't an address`;
  const shown = redact(`${url.origin}${url.pathname}`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `${redact(String(address)).slice(0, 200)} isn't an HTTPS address`;
  if (url.username !== '' || url.password !== '') return `${shown} contains credentials`;
  // Looking such a name up would tell the secret to every name server on the way.
  if (redact(url.hostname) !== url.hostname)
    return `${redact(url.host)} is a host whose name contains a secret`;
  const host = hostOf(url);
  const isHere = isLocalName(host) || reachOf(host) === 'loopback';
  if (url.protocol === 'http:' && !isHere) return `${shown} is not encrypted`;
  const refused = isHere ? !rules.allows.includes('loopback') : refusalOfUrl(url, rules) !== null;
  return refused && !rules.allowedHosts.includes(host)
    ? `${shown} leads to an address that only this computer or its network can reach`
    : null;
}

/** Names that mean this machine everywhere, so that a browser needs no lookup. */
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');
