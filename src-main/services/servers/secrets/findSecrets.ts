import { parseTree, type Node } from 'jsonc-parser';
import { isSecretByName, judgeName } from '../../../../src-shared/domain/credentialNames.ts';
import { secretShapes, type Span } from './credentialShapes.ts';

/** A credential in a text: its place, and the name that it goes by. */
export interface FoundSecret extends Span {
  name: string;
}

/**
 * References to values that are elsewhere, and placeholders that a person fills in: `${X}`,
 * `{{X}}`, `os.environ/X`, `%X%`, `$X`, `<your key>`, `YOUR_API_KEY`, `xxxx`.
 */
const placeholders =
  /\$\{[^}]*\}|\{\{[^}]*\}\}|\bos\.environ\/\w+|%[A-Za-z_]\w*%|\$(?:env:)?[A-Za-z_]\w*|<[^<>\n]+>|\{env:[^}]*\}|\b(?:your|my|the|insert|replace|enter|changeme|change[-_ ]me)[-_ ][\w-]*(?:key|token|secret|password|pat|id|here|value|credentials?)\b|\bchangeme\b|(?<![^\s'"=:])[x*•.]{3,}(?![^\s'"])/gi;
const scheme = /^\s*(?:bearer|basic|token|api-?key|digest|negotiate|bot)\s+/i;
const maxDepth = 4;

/** What stands in place of a credential where a configuration is shown. */
export const mask = '••••••';

/**
 * Finds the credentials in a value by the structure of the value, and by the name under which it is
 * stored (docs/rules.md §1). Looks into addresses, connection strings, `NAME=value`, `Header: value`,
 * options of command lines, and JSON. In doubt a text is a credential. The spans are in order and
 * don't overlap. A text longer than 64 kB is searched for known forms only.
 */
export function findSecrets(name: string, text: string): FoundSecret[] {
  const found = findIn(name, text, 0);
  return withoutOverlaps(found.filter(({ start, end }) => !isPlaceholder(text.slice(start, end))));
}

/** The same for the arguments of a command, where an option says what the next argument is. */
export function findArgumentSecrets(args: readonly string[]): FoundSecret[][] {
  return args.map((argument, index) => {
    const before = args[index - 1] ?? '';
    const option = /^--?[A-Za-z][\w.-]*$/.test(before) ? before : '';
    if (option !== '' && !/^-{1,2}[A-Za-z]/.test(argument)) {
      if (userOptions.has(option)) return shift(passwordOf(argument), 0, option);
      if (judgeName(option) !== 'open') return findSecrets(option, argument);
    }
    return findSecrets('argument', argument);
  });
}

const userOptions = new Set(['-u', '--user', '--userpwd', '--basic-auth']);

function findIn(name: string, text: string, depth: number): FoundSecret[] {
  if (remainder(text) === '') return [];
  if (text.length > maxSearched || depth > maxDepth) return shift(secretShapes(text), 0, name);
  const members = jsonMembers(text);
  if (members !== null)
    return members.flatMap(({ key, value, at }) =>
      shiftFound(findIn(key === '' ? name : key, value, depth + 1), at),
    );
  const whole = wholeValue(name, text);
  if (whole !== null) return whole;
  const rest = text.replaceAll(address, (url) => ' '.repeat(url.length));
  return [
    ...addresses(text, depth),
    ...pairs(rest, depth),
    ...headers(rest, depth),
    ...schemes(text, name),
    ...shift(secretShapes(text), 0, name),
  ];
}

const maxSearched = 64 * 1024;

/** The whole text without its scheme, if the name says that it is a credential. */
function wholeValue(name: string, text: string): FoundSecret[] | null {
  const before = scheme.exec(text)?.[0].length ?? /^\s*/.exec(text)?.[0].length ?? 0;
  const value = text.slice(before).trimEnd();
  if (!isSecretByName(name, value)) return null;
  // Of a value that is put together from references, only the rest is here.
  if (/[$%{]/.test(value) && value !== remainder(value)) return null;
  // An address is reached under its host, which stays readable.
  if (/^[a-z][\w+.-]*:\/\//i.test(value)) return null;
  return [{ start: before, end: before + value.length, name }];
}

/** Text of JSON members, as it is written between its quotes. Null if the text isn't JSON. */
function jsonMembers(text: string): { key: string; value: string; at: number }[] | null {
  if (!/^\s*[[{]/.test(text) || isDeep(text)) return null;
  const root = parseTree(text);
  if (root === undefined || (root.type !== 'object' && root.type !== 'array')) return null;
  const members: { key: string; value: string; at: number }[] = [];
  const walk = (node: Node, key: string): void => {
    if (node.type === 'string')
      members.push({
        key,
        value: text.slice(node.offset + 1, node.offset + node.length - 1),
        at: node.offset + 1,
      });
    if (node.type === 'number' && judgeName(key) === 'secret')
      members.push({
        key,
        value: text.slice(node.offset, node.offset + node.length),
        at: node.offset,
      });
    for (const child of node.children ?? [])
      if (child.type !== 'property') walk(child, key);
      else if (child.children?.[1] !== undefined)
        walk(child.children[1], String(child.children[0]?.value));
  };
  walk(root, '');
  return members;
}

const address = /(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,30}:\/\/[^\s"'<>`]+/gi;

/** Whether brackets are nested deeper than a setting has reason to, and than a parser may follow. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    depth += sign === '[' || sign === '{' ? 1 : -1;
    if (depth > 100) return true;
  }
  return false;
}

/** The user information, the parameters and the steps of each address in a text. */
function addresses(text: string, depth: number): FoundSecret[] {
  return [...text.matchAll(address)].flatMap(({ index, 0: url }) => {
    const [, begin = '', user = ''] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*@)?/i.exec(url) ?? [];
    const query = url.search(/[?#]/);
    const parameters =
      query === -1
        ? []
        : [...url.slice(query).matchAll(/([?&#;])([^=&#;]+)=([^&#]*)/g)].flatMap(
            ({ index: at, 1: sign = '', 2: name = '', 3: value = '' }) =>
              shiftFound(
                isParameter(name, value)
                  ? [{ start: 0, end: value.length, name }]
                  : findIn(name, value, depth + 1),
                query + at + sign.length + name.length + 1,
              ),
          );
    return shiftFound(
      [...shift(passwordOf(user.slice(0, -1)), begin.length, 'password'), ...parameters],
      index,
    );
  });
}

/** A parameter whose value is no reference, and whose name or own form says that it is a credential. */
const isParameter = (name: string, value: string): boolean =>
  remainder(decode(value)) !== '' && isSecretByName(decode(name), decode(value));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Written by hand: read as it is.
  }
}

/** What follows the colon of `user:password`; without a colon, a user that is itself a token. */
function passwordOf(user: string): Span[] {
  const colon = user.indexOf(':');
  if (colon === -1) return secretShapes(user);
  return colon + 1 < user.length ? [{ start: colon + 1, end: user.length }] : [];
}

/** `NAME=value`, `name: value` between semicolons, and `--option value`, anywhere in a text. */
function pairs(text: string, depth: number): FoundSecret[] {
  const pattern =
    /(^|[\s;,&'"({])((?:--?)?[A-Za-z_][\w.-]*(?: [A-Z][\w.-]*)?)(\s*=\s*|:(?=[^\s/\\])|\s+(?=[^\s-]))("[^"]*"|'[^']*'|[^\s;&'"]+)/g;
  return [...text.matchAll(pattern)].flatMap(
    ({ index, 1: lead = '', 2: name = '', 3: sign = '', 4: quoted = '' }) => {
      const isOption = name.startsWith('-');
      if (!sign.includes('=') && !(isOption && sign.trim() === '')) {
        // A colon alone separates many things: only a telling name makes it a pair.
        if (sign !== ':' || judgeName(name) !== 'secret') return [];
      }
      const inner = /^["']/.test(quoted) ? 1 : 0;
      const value = quoted.slice(inner, quoted.length - inner);
      if (isOption && value.startsWith('-')) return [];
      const at = index + lead.length + name.length + sign.length + inner;
      return shiftFound(findIn(name, value, depth + 1), at);
    },
  );
}

/** `Authorization: Bearer …`, as a whole text, also several lines of it. */
function headers(text: string, depth: number): FoundSecret[] {
  return [...text.matchAll(/^(['"]?)([A-Za-z][\w-]*)(\s*:\s*)(?!\/\/|\\)(\S.*?)\1$/gm)].flatMap(
    ({ index, 1: quote = '', 2: name = '', 3: sign = '', 4: value = '' }) =>
      name.length === 1 || judgeName(name) === 'open'
        ? []
        : shiftFound(
            findIn(name, value, depth + 1),
            index + quote.length + name.length + sign.length,
          ),
  );
}

/** What follows a scheme of authentication, wherever it is. */
const schemes = (text: string, name: string): FoundSecret[] =>
  [...text.matchAll(/\b((?:Bearer|Basic)\s+)([\w.~+/=-]{8,})/gi)].map(
    ({ index, 1: lead = '', 2: value = '' }) => ({
      start: index + lead.length,
      end: index + lead.length + value.length,
      name,
    }),
  );

/** What is left of a text without placeholders and without the scheme before a credential. */
const remainder = (text: string): string =>
  text.replace(placeholders, '').replace(scheme, '').trim();

const isPlaceholder = (text: string): boolean => remainder(text).replaceAll(/[\s:=,]/g, '') === '';

const shift = (spans: readonly Span[], by: number, name: string): FoundSecret[] =>
  spans.map(({ start, end }) => ({ start: start + by, end: end + by, name }));
const shiftFound = (spans: readonly FoundSecret[], by: number): FoundSecret[] =>
  spans.map((span) => ({ ...span, start: span.start + by, end: span.end + by }));

/** Of overlapping spans the longest; of equal ones the first, which knows its name best. */
export function withoutOverlaps(spans: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const span of [...spans].sort((a, b) => b.end - b.start - (a.end - a.start)))
    if (!kept.some(({ start, end }) => span.start < end && start < span.end)) kept.push(span);
  return kept.sort((a, b) => a.start - b.start);
}
