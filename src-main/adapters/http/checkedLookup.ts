import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import {
  isAllowedHost,
  reachOf,
  refusalOf,
  type AddressRules,
  type Reach,
} from './addressPolicy.ts';

/** The addresses of a name. Tests replace it. */
export type Resolve = (
  hostname: string,
  options: { family?: number | 'IPv4' | 'IPv6' | undefined; hints?: number | undefined },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveBySystem: Resolve = (hostname, options, callback) =>
  lookUp(hostname, { ...options, all: true }, callback);

/** A connection was refused because of its address. The message is a sentence. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * A lookup for connections that refuses a name if any of its addresses is refused, because Node
 * chooses which one it connects to. It runs when a connection is opened, so that no second lookup
 * can return another address.
 */
export function checkedLookup(
  getRules: () => AddressRules,
  resolve: Resolve = resolveBySystem,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { family: options.family, hints: options.hints }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const rules = getRules();
      const refused = isAllowedHost(hostname, rules)
        ? undefined
        : addresses
            .map(({ address }) => refusalOf(address, rules))
            .find((reason) => reason !== null);
      const [first] = addresses;
      if (first === undefined || refused !== undefined) {
        const reason =
          refused === undefined
            ? `${hostname} has no address.`
            : `${hostname} leads to an address that is refused: ${refused}`;
        return callback(new AddressRefused(reason), '');
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const nearness: Record<Reach, number> = { never: 0, loopback: 1, private: 2, public: 3 };

/** The nearest reach of a host's addresses; null if it has none. */
export async function reachOfHost(
  host: string,
  resolve: Resolve = resolveBySystem,
): Promise<Reach | null> {
  const addresses =
    isIP(host) !== 0
      ? [host]
      : await new Promise<string[]>((done) =>
          resolve(host, {}, (error, found) =>
            done(error === null ? found.map(({ address }) => address) : []),
          ),
        );
  const reaches = addresses.flatMap((address) => reachOf(address) ?? []);
  return reaches.sort((one, other) => nearness[one] - nearness[other])[0] ?? null;
}

/** Rules for addresses that a server names: none of them may be nearer than the server itself. */
export function allowsFrom(server: Reach | null): Reach[] {
  if (server === 'public' || server === null) return [];
  return server === 'private' ? ['private'] : ['loopback', 'private'];
}
