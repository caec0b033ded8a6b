import { createHash } from 'node:crypto';
import punycode from 'punycode/punycode.js';
import type { Naming } from '../../src-shared/domain/clientFacts.ts';

/** The 32-bit FNV-1a hash (Fowler, Noll, Vo) over UTF-16 units in base 36, with seven digits. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(36).padStart(7, '0');
}
const sha1 =
  (digits: number) =>
  (text: string): string =>
    createHash('sha1').update(text).digest('hex').slice(0, digits);
const hashes = {
  'fnv1a-base36-7': fnv1a,
  'sha1-hex-8': sha1(8),
  'sha1-hex-12': sha1(12),
} as const;

/** A tool under its own names and under those that a model sees. */
export interface Named<Item> {
  server: string;
  tool: string;
  item: Item;
  /** The group of its server; "" if the client has no groups. */
  namespace: string;
  name: string;
}
/** A tool whose name another one has. */
export interface Displaced<Item> {
  named: Named<Item>;
  by: Named<Item>;
}

/** A name with what a client doesn't keep replaced. */
function clean(text: string, { kept, replacement, per, empty }: Naming): string {
  if (text === '') return empty;
  if (kept === null) return text;
  const foreign = per === 'punycode' && /[\u0080-\uffff]/.test(text);
  return (foreign ? punycode.toASCII(text) : text).replace(
    new RegExp(`[^${kept}]${per === 'run' ? '+' : ''}`, per === 'unit' ? 'g' : 'gu'),
    replacement,
  );
}

const fill = (pattern: string, server: string, tool: string): string =>
  pattern.replaceAll(/\{(server|tool)\}/g, (_, part) => (part === 'server' ? server : tool));

/** The name of a tool before it is cleaned and cut. */
export const plainName = (server: string, tool: string, { pattern }: Naming): string =>
  fill(pattern, server, tool);

/** The longest name, cut to the limit of the client. */
function shorten(name: string, room: number, mark: string, { beyond }: Naming): string {
  if (name.length <= room || beyond === 'kept') return name;
  const half = Math.floor((room - 3) / 2);
  if (beyond === 'middle') return `${name.slice(0, half)}...${name.slice(-half)}`;
  if (beyond === 'cut') return name.slice(0, room);
  return `${name.slice(0, room - mark.length)}${mark}`;
}

/**
 * The names under which a client shows tools, in the order given.
 *
 * A name is cleaned, gets its hash where the client adds one, and is cut. Of tools with one name the
 * client keeps what its facts say; the others are `displaced`. A hash is that of the name before
 * cleaning, as the client builds it: of `pattern` with the raw names, or, with namespaces, of the
 * server, the namespace, an empty connector and the tool twice, separated by U+0000.
 */
export function nameTools<Item>(
  tools: readonly { server: string; tool: string; item: Item }[],
  naming: Naming,
): { shown: Named<Item>[]; displaced: Displaced<Item>[] } {
  const { pattern, hash, hashed, longest, equal, twice } = naming;
  const displaced: Displaced<Item>[] = [];
  const once = oneOfEach(
    tools.map((one) => ({ ...one, namespace: '', name: '' })),
    ({ server, tool }) => `${server}\0${tool}`,
    twice === 'none-of-server' ? 'both' : twice,
    displaced,
  );
  const servers = new Map<string, Set<string>>();
  const namespaceOf = (server: string): string =>
    naming.namespace === null ? '' : fill(naming.namespace, clean(server, naming), '');
  for (const { server } of once) {
    const same = servers.get(namespaceOf(server)) ?? new Set();
    servers.set(namespaceOf(server), same.add(server));
  }
  const digest = (text: string): string => (hash === null ? '' : `_${hashes[hash](text)}`);
  const cleaned = once.map((one): Named<Item> & { mark: string } => {
    const namespace = namespaceOf(one.server);
    const unlike = (servers.get(namespace)?.size ?? 0) > 1 && hashed === 'equal';
    const raw =
      naming.namespace === null
        ? fill(pattern, one.server, one.tool)
        : [one.server, one.server, '', one.tool, one.tool].join('\0');
    return {
      ...one,
      namespace: unlike
        ? `${namespace}${digest([one.server, one.server, ''].join('\0'))}`
        : namespace,
      name: fill(pattern, clean(one.server, naming), clean(one.tool, naming)),
      mark: digest(raw),
    };
  });
  const counts = new Map<string, number>();
  const key = ({ namespace, name }: Named<Item>): string => `${namespace}\0${name}`;
  for (const one of cleaned) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  const taken = new Set<string>();
  const named = cleaned.map(({ mark, ...one }): Named<Item> => {
    const changed = one.name !== fill(pattern, one.server, one.tool);
    const marked =
      (hashed === 'changed' && changed) || (hashed === 'equal' && (counts.get(key(one)) ?? 0) > 1);
    const room =
      longest === null
        ? Infinity
        : longest - (one.namespace === '' ? 0 : one.namespace.length + '__'.length);
    const whole = marked ? `${one.name}${mark}` : one.name;
    const name =
      whole.length > room && naming.beyond === 'hash'
        ? `${one.name.slice(0, room - mark.length)}${mark}`
        : shorten(whole, room, mark, naming);
    // The twin of a cut name gets a number in place of its last letter.
    const unique = naming.beyond === 'cut' && whole.length > room ? numbered(name, taken) : name;
    taken.add(unique);
    return { ...one, name: unique };
  });
  return { shown: oneOfEach(named, key, equal, displaced), displaced };
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, next = name; ; number += 1) {
    if (!taken.has(next)) return next;
    next = `${name.slice(0, name.length - String(number).length)}${number}`;
  }
}

/** The items of which a client keeps one of each key; a last one stands where the first stood. */
function oneOfEach<Item>(
  named: readonly Named<Item>[],
  keyOf: (one: Named<Item>) => string,
  keeps: Naming['equal'],
  displaced: Displaced<Item>[],
): Named<Item>[] {
  if (keeps === 'both') return [...named];
  const kept = new Map<string, Named<Item>>();
  for (const one of named) {
    const before = kept.get(keyOf(one));
    const wins =
      before === undefined ||
      keeps === 'last' ||
      (keeps === 'last-by-name' && one.tool > before.tool);
    if (wins) kept.set(keyOf(one), one);
  }
  for (const one of named) {
    const by = kept.get(keyOf(one));
    if (by !== undefined && by !== one) displaced.push({ named: one, by });
  }
  return [...kept.values()];
}
