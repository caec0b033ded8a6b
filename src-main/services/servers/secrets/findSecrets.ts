import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import {
  isDescribing,
  isIdentifyingName,
  isSecretByName,
  isTokenLike,
  judgeName,
  wordsOf,
} from '../../../../src-shared/domain/credentialNames.ts';
import { knownShapes, secretShapes, type Span } from './credentialShapes.ts';

/** A credential in a text: its place, and the name that it goes by. */
export interface FoundSecret extends Span {
  name: string;
}

/**
 * References to values that are elsewhere, and placeholders that a person fills in: `${X}`,
 * `{{X}}`, `os.environ/X`, `%X%`, `$X`, `<your key>`, `YOUR_API_KEY`, `xxxx`.
 */
const placeholders =
  /\$\{[^}]*\}|\{\{[^}]*\}\}|\$\([^()]*\)|`[^`]*`|(?<![^\s'"=:])(?:<<\w+>>|@@\w+@@|__[A-Z]\w*__)(?![^\s'"])|\bos\.environ\/\w+|(?<!\w)%[A-Za-z_]\w*%(?!\w)|(?<![\w$)}])\$(?:env:)?[A-Za-z_]\w*(?!\$)|<[^<>\n]+>|(?<![^\s'"=:])\[[\w -]*(?:key|token|secret|password)\](?![^\s'"])|\{env:[^}]*\}|\b(?:your|insert|replace|enter|paste|add)[-_ ][\w-]*(?:key|token|secret|password|pat|id|here|value|credentials?|me|this)\b|\b[A-Z_]*(?:KEY|TOKEN|SECRET|PASSWORD)_HERE\b|\b[a-z]{2,10}[-_]your[-_]\w+\b|\bchange[-_ ]?me\b|^(?:todo|fixme|tbd|placeholder|example)$|\b(?:[a-z]{2,10}[-_])+(?:[x*•]{3,}|\.{3}|…)(?![\w-])|(?<![^\s'"=:])[x*•.]{3,}(?![^\s'"])/gi;
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
  const references = [...text.matchAll(/\$\{[^}]*\}/g)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  return withoutOverlaps(
    found.filter(
      ({ start, end }) =>
        !isPlaceholder(text.slice(start, end)) &&
        // What is within a reference is its name.
        !references.some((each) => within(start, each) || within(end, each)),
    ),
  );
}

const within = (place: number, { start, end }: Span): boolean => start < place && place < end;

/** The same for the arguments of a command, where an option says what the next argument is. */
export function findArgumentSecrets(args: readonly string[]): FoundSecret[][] {
  return args.map((argument, index) => {
    const before = args[index - 1] ?? '';
    const option = /^--?[A-Za-z][\w.-]*$/.test(before) ? before : '';
    if (option !== '' && !/^-{1,2}[A-Za-z]/.test(argument)) {
      if (userOptions.has(option)) return shift(passwordOf(argument), 0, option);
      if (/^-[A-Za-z]$/.test(option) && isOptionSecret(option, argument))
        return [{ start: 0, end: argument.length, name: option }];
      if (judgeName(option) !== 'open' || isIdentifyingName(option))
        return findSecrets(option, argument);
    }
    // A word such as `token` before a word that looks like one.
    if (/^[A-Za-z_][\w-]*$/.test(before) && judgeName(before) === 'secret' && isTokenLike(argument))
      return [{ start: 0, end: argument.length, name: before }];
    const whole = wholeArgument(argument, before);
    if (whole !== null) return whole;
    // `-k=VALUE`, and the `-pPASSWORD` of databases.
    const [lead, value = ''] = /^-[kp]=?(?=([^=].*)$)/.exec(argument) ?? [];
    if (lead !== undefined && isTokenLike(value) && (lead.endsWith('=') || lead === '-p'))
      return shift([{ start: 0, end: value.length }], lead.length, lead.slice(0, 2));
    // `--header NAME VALUE`, in two arguments, and `setx NAME VALUE`.
    const isHeader =
      /^(?:-H|--headers?|setx|setenv)$/i.test(args[index - 2] ?? '') && !/[\s:=]/.test(before);
    return findSecrets(isHeader ? before : 'argument', argument);
  });
}

const userOptions = new Set(['-u', '--user', '--userpwd', '--basic-auth', '--basic', '--login']);
/** What an option of one letter has as a credential; `-k` is short for a key. */
const isOptionSecret = (option: string, text: string): boolean =>
  (isTokenLike(text) && (/^-[kpt]$/.test(option) || !/^\d/.test(text))) ||
  (option === '-k' && /^[A-Za-z]{8,}$/.test(text));

/** `--name=`, `-eNAME=`, `--env=NAME=` and, after `-e`, `NAME=`: the value ends with the argument. */
function wholeArgument(argument: string, before: string): FoundSecret[] | null {
  const pattern = /^(?:-e|--?env[=.])?(-{0,2}([A-Za-z_][\w.-]*)=)(?=[^"'`]*\s[^"'`]*$)/;
  const [lead = '', , name = ''] = pattern.exec(argument) ?? [];
  const isOne = argument.startsWith('-') || /^(?:-e|-E|--env|--set|-D)$/.test(before);
  if (lead === '' || !isOne || judgeName(name) !== 'secret') return null;
  const value = argument.slice(lead.length);
  return shiftFound(findIn(name, value, 1), lead.length);
}

function findIn(name: string, text: string, depth: number): FoundSecret[] {
  if (remainder(text) === '') return [];
  if (text.length > maxSearched || depth > maxDepth) return shift(secretShapes(text), 0, name);
  const inner = escapedMembers(name, text, depth);
  if (inner !== null) return inner;
  const members = jsonMembers(name, text);
  if (members !== null)
    return members.flatMap(({ key, value, at }) =>
      shiftFound(findInMember(key === '' ? name : key, value, depth + 1), at),
    );
  // `NAME={"key": …}`, `--option=[…]`, `/name:value`.
  const [lead, own = ''] =
    /^(-{0,2}[A-Za-z_][\w.-]*)=(?=\s*[[{][^]*[\]}]\s*$)/.exec(text) ??
    /^\/([A-Za-z][\w-]*):(?=[^/\\])/.exec(text) ??
    [];
  if (lead !== undefined && (lead.endsWith('=') || judgeName(own) === 'secret'))
    return shiftFound(findIn(own, text.slice(lead.length), depth + 1), lead.length);
  const whole = wholeValue(name, text);
  if (whole !== null) return whole;
  const rest = text.replaceAll(address, (url) => ' '.repeat(url.length));
  return [
    ...addresses(text, name, depth),
    ...pairs(rest, depth),
    ...looseMembers(rest, depth),
    ...passwordByName(text, name),
    ...headers(rest, depth),
    ...assignments(rest, depth),
    ...schemes(text, name),
    ...shift(shapes(name, text), 0, name),
  ];
}

const hostName = /^([a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?)([\w-]+(?:\.[\w-]+)+)/i;

/** What has the form of a credential, outside of what names call an identifier. */
function shapes(name: string, text: string): Span[] {
  if (isIdentifyingName(name) && !text.includes('://')) return knownShapes(text);
  const blank = (whole: string, lead: string, own: string, value: string): string =>
    isIdentifyingName(own) || isIdentifyingName(own.replace(/s$/, ''))
      ? lead + ' '.repeat(value.length)
      : whole;
  const open = text
    .replaceAll(/((?<![\w.-])-{0,2}([A-Za-z_][\w.-]*)(?:=|:\s?))([\w-]{20,})/g, blank)
    .replaceAll(/((?<![\w.-])--([A-Za-z_][\w.-]*)\s)([\w-]{20,})/g, blank)
    // Steps of a path: `/workspaces/ID`, and those of Figma, Google Docs and Git.
    .replaceAll(/(\/([a-z]+)\/)([\w-]{20,})/gi, blank)
    .replaceAll(
      /((?:figma\.com\/\w+|docs\.google\.com\/\w+\/d|githubusercontent\.com(?:\/[\w.-]+){2}|login\.microsoftonline\.com|\/(?:commit|blob|tree|raw))\/)([\w-]{20,})/gi,
      (_whole, lead: string, value: string) => lead + ' '.repeat(value.length),
    )
    // The name of a host is public.
    .replaceAll(address, (url) =>
      url.replace(hostName, (_whole, lead: string, host: string) => lead + ' '.repeat(host.length)),
    );
  return open === text ? secretShapes(text) : [...knownShapes(text), ...secretShapes(open)];
}

const maxSearched = 64 * 1024;

/** `user:password` and Oracle's `user/password@host`, where the name says that it is one. */
function passwordByName(text: string, name: string): FoundSecret[] {
  const words = wordsOf(name);
  const isLogin = words.some((word) => /^(?:login|userpass|userpwd|basic)$/.test(word));
  if (isLogin && /^[^\s:/]+:[^\s/]+$/.test(text)) return shift(passwordOf(text), 0, name);
  const oracle = /^((?:jdbc:oracle:\w+:)?[\w$#]+\/)([^@\s/]+)@\S+$/.exec(text);
  const isConnection =
    text.startsWith('jdbc:') ||
    words.some((word) => /^(?:conn|connect|connection|oracle|ora|db|database)$/.test(word));
  if (oracle === null || !isConnection) return [];
  const [, { length } = '', password = ''] = oracle;
  return [{ start: length, end: length + password.length, name }];
}

/** A text within JSON. One that holds JSON itself is hidden whole, as its escapes hide the places. */
function findInMember(name: string, value: string, depth: number): FoundSecret[] {
  if (!value.includes('\\"')) return findIn(name, value, depth);
  const inner = findIn(name, value.replaceAll('\\"', '"'), depth);
  return inner.length === 0 ? [] : [{ start: 0, end: value.length, name: inner[0]?.name ?? name }];
}

/** JSON that is a text of JSON again, as command lines quote it: `"{\\"key\\":\\"x\\"}"`. */
function escapedMembers(name: string, text: string, depth: number): FoundSecret[] | null {
  if (!/^\s*["']?\{\s*\\"/.test(text)) return null;
  // The places of the characters that are left when one level of escapes is taken away.
  const places = [...text.matchAll(/\\(?=[\\"])[^]|[^]/g)].map(({ index, 0: sign }) =>
    sign.length > 1 ? index + 1 : index,
  );
  const plain = places.map((place) => text[place]).join('');
  const start = plain.indexOf('{');
  const end = plain.lastIndexOf('}') + 1;
  return findIn(name, plain.slice(start, end), depth + 1).map((found) => ({
    name: found.name,
    start: places[start + found.start] ?? 0,
    // A credential ends before the escape of the quote that closes it.
    end: (places[start + found.end - 1] ?? 0) + 1,
  }));
}

/** The whole text without its scheme, if the name says that it is a credential. */
function wholeValue(name: string, text: string): FoundSecret[] | null {
  const before = scheme.exec(text)?.[0].length ?? /^\s*/.exec(text)?.[0].length ?? 0;
  const value = text.slice(before).trimEnd();
  if (!isSecretByName(name, value)) return null;
  // A scheme whose credential is the next word.
  if (scheme.test(`${value} `)) return null;
  // Of a value that is put together from references, only the rest is here.
  // A sign of a dollar without braces is one of a password as often.
  if (/\$[{(]|[%{`]/.test(value) && value !== remainder(value)) return null;
  // An address is reached under its host, which stays readable.
  if (/^[a-z][\w+.-]*:\/\//i.test(value)) return null;
  return [{ start: before, end: before + value.length, name }];
}

/** In a map of credentials such as `{"tokens": {"me": …}}`, the name of the map says what they are. */
export const memberName = (map: string, name: string): string =>
  /^(?:keys|tokens|secrets|passwords|apikeys)$/.test(wordsOf(map).at(-1) ?? '') &&
  judgeName(name) === 'open' &&
  !isDescribing(name)
    ? map
    : name;

/** Text of JSON members, as it is written between its quotes. Null if the text isn't JSON. */
function jsonMembers(
  name: string,
  text: string,
): { key: string; value: string; at: number }[] | null {
  if (!/^\s*[[{]/.test(text) || isDeep(text)) return null;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0 || (root.type !== 'object' && root.type !== 'array'))
    return null;
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
    // An item of a list that names itself: `{"name": "X-API-Key", "value": …}`.
    const own = node.children?.find((child) =>
      ['name', 'key', 'header'].includes(String(child.children?.[0]?.value)),
    )?.children?.[1]?.value as unknown;
    for (const child of node.children ?? [])
      if (child.type !== 'property') walk(child, key);
      else if (child.children?.[1] !== undefined) {
        const named = String(child.children[0]?.value);
        walk(
          child.children[1],
          memberName(key, named === 'value' && typeof own === 'string' ? own : named),
        );
      }
  };
  walk(root, name);
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

/** A password with signs that an address should encode, in front of the last host. */
const looseUser =
  /^((?!https?:)[a-z][a-z\d+.-]*:\/\/)([^\s:/?#@]*:(?!\d+[/?#])[^\s]*@)(?=[\w.-]+(?::\d+)?(?:[/?#,]|$))/i;

/** The user information, the steps and the parameters of each address in a text. */
function addresses(text: string, owner: string, depth: number): FoundSecret[] {
  return [...text.matchAll(address)].flatMap(({ index, 0: url }) => {
    const [, begin = '', user = ''] =
      looseUser.exec(url) ?? /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*@)?/i.exec(url) ?? [];
    const mark = url.search(/[?#;]/);
    const query = mark === -1 ? url.length : mark;
    const parameters = [...url.slice(query).matchAll(/([?&#;])([^=&#;]+)=([^&#]*)/g)].flatMap(
      ({ index: at, 1: sign = '', 2: name = '', 3: value = '' }) =>
        shiftFound(
          parameter(name.replace(/^amp;/, ''), value, depth),
          query + at + sign.length + name.length + 1,
        ),
    );
    return shiftFound(
      [
        ...shift(passwordOf(user.slice(0, -1), owner), begin.length, 'password'),
        ...steps(url.slice(0, query)),
        ...parameters,
        ...webhook(url),
      ],
      index,
    );
  });
}

/** Steps of a path such as `/token/abc123de` and `/key=abc`. */
const steps = (path: string): FoundSecret[] =>
  [...path.matchAll(/(?<=\/)([A-Za-z_][\w-]*)([/=])(?=([^/=]+))/g)].flatMap(
    ({ index, 1: name = '', 2: sign = '', 3: value = '' }) =>
      judgeName(name) === 'secret' &&
      remainder(value) !== '' &&
      (sign === '=' || isTokenLike(value))
        ? shift([{ start: 0, end: value.length }], index + name.length + 1, name)
        : [],
  );

function parameter(name: string, value: string, depth: number): FoundSecret[] {
  const whole = [{ start: 0, end: value.length, name }];
  if (isParameter(name, value)) return whole;
  const decoded = decode(value);
  // An address within an address: its places are hidden by the encoding.
  if (decoded !== value && findIn(name, decoded, depth + 1).length > 0) return whole;
  return findIn(name, value, depth + 1);
}

/** A parameter whose value is no reference, and whose name or own form says that it is a credential. */
const isParameter = (name: string, value: string): boolean =>
  remainder(decode(value)) !== '' &&
  (isSecretByName(decode(name), decode(value)) ||
    (/^(?:code|ticket|k)$/i.test(name) && isTokenLike(decode(value))));

/** Addresses whose last steps are their whole protection. */
function webhook(url: string): FoundSecret[] {
  const found =
    /^(https:\/\/hooks\.slack(?:-gov)?\.com\/\w+\/)([^?#]+)/i.exec(url) ??
    /^(https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/)([^?#]+)/i.exec(url) ??
    /^(https:\/\/[\w.-]+\.webhook\.office\.com\/)([^?#]+)/i.exec(url) ??
    /^(https:\/\/hooks\.zapier\.com\/hooks\/catch\/)([^?#]+)/i.exec(url);
  if (found === null) return [];
  const [, { length } = '', steps = ''] = found;
  return [{ start: length, end: length + steps.length, name: 'webhook' }];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Written by hand: read as it is.
  }
}

/** What follows the colon of `user:password`; without a colon, a user that is itself a token. */
function passwordOf(user: string, owner = ''): Span[] {
  const colon = user.indexOf(':');
  // Numbers of a user and a group.
  if (/^\d+:\d+$/.test(user)) return [];
  if (colon === -1)
    return judgeName(owner) === 'secret' && user !== ''
      ? [{ start: 0, end: user.length }]
      : secretShapes(user);
  return colon + 1 < user.length ? [{ start: colon + 1, end: user.length }] : [];
}

/** `NAME=value`, `name: value` between semicolons, and `--option value`, anywhere in a text. */
function pairs(text: string, depth: number): FoundSecret[] {
  const pattern =
    /(^|[\s;,&?'"({[:/|])((?:--?|\$env:)?[A-Za-z_][\w.-]*(?: [A-Z][\w.-]*)?)(\s*=\s*|:(?=[^\s/\\])|\s+(?=["'])|\s+(?=[^\s-])(?<=(?:^|[\s;,&?'"({[:/|])(?:--?|\$env:)[\w.-]+\s+))("[^"]*"|'[^']*'|\{(?:[^{}]|\}\})*\}|\$\([^()]*\)|[^\s;&'"]+)/g;
  return [...text.matchAll(pattern)].flatMap(
    ({ index, 1: lead = '', 2: name = '', 3: sign = '', 4: quoted = '' }) => {
      const isOption = name.startsWith('-');
      if (!sign.includes('=') && !(isOption && sign.trim() === '')) {
        // A colon alone separates many things: only a telling name makes it a pair.
        if (sign !== ':' || judgeName(name) !== 'secret')
          // `set "NAME=value"`
          return /^["']/.test(quoted)
            ? shiftFound(
                pairs(quoted.slice(1, -1), depth),
                index + lead.length + name.length + sign.length + 1,
              )
            : [];
      }
      const inner = /^["']/.test(quoted) ? 1 : 0;
      const value = quoted.slice(inner, quoted.length - inner);
      if (isOption && value.startsWith('-')) return [];
      const at = index + lead.length + name.length + sign.length + inner;
      if (userOptions.has(name)) return shift(passwordOf(value), at, name);
      return shiftFound(findIn(name, value, depth + 1), at);
    },
  );
}

/** Members of an object that isn't quite JSON: `{apiKey: x}`, `{'apiKey': 'x'}`. */
function looseMembers(text: string, depth: number): FoundSecret[] {
  const pattern = /((?<!\$)[{,]\s*(['"]?)([A-Za-z_][\w.-]*)\2\s*:\s*)("[^"]*"|'[^']*'|[^\s,}'"]+)/g;
  return [...text.matchAll(pattern)].flatMap(
    ({ index, 1: lead = '', 3: name = '', 4: quoted = '' }) => {
      const inner = /^["']/.test(quoted) ? 1 : 0;
      const value = quoted.slice(inner, quoted.length - inner);
      return shiftFound(findIn(name, value, depth + 1), index + lead.length + inner);
    },
  );
}

/** `Authorization: Bearer …`, as a whole text, also several lines of it. */
function headers(text: string, depth: number): FoundSecret[] {
  return [
    ...text.matchAll(
      /^([ \t]*(?:- )?['"]?)([A-Za-z][\w-]*)(['"]?[ \t]*:[ \t]*)(?!\/\/|\\)(\S.*?)['"]?$/gm,
    ),
  ].flatMap(({ index, 1: quote = '', 2: name = '', 3: sign = '', 4: value = '' }) =>
    name.length === 1 || judgeName(name) === 'open'
      ? []
      : shiftFound(
          findIn(name, value, depth + 1),
          index + quote.length + name.length + sign.length,
        ),
  );
}

/** `setx NAME value` of Windows, `set -x NAME value` of fish, `setenv NAME value`. */
const assignments = (text: string, depth: number): FoundSecret[] =>
  [
    ...text.matchAll(
      /\b((?:setx\s+|setenv\s+|set\s+-\w+\s+|SetEnvironmentVariable\(\s*["'])([A-Za-z_]\w*)(?:\s+|["']\s*,\s*)["']?)([^\s;&'"]+)/gi,
    ),
  ].flatMap(({ index, 1: lead = '', 2: name = '', 3: value = '' }) =>
    shiftFound(findIn(name, value, depth + 1), index + lead.length),
  );

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

const isPlaceholder = (text: string): boolean =>
  remainder(text).replaceAll(/[\s:=,[\]()]/g, '') === '';

const shift = (spans: readonly Span[], by: number, name: string): FoundSecret[] =>
  spans.map(({ start, end }) => ({ start: start + by, end: end + by, name }));
const shiftFound = (spans: readonly FoundSecret[], by: number): FoundSecret[] =>
  spans.map((span) => ({ ...span, start: span.start + by, end: span.end + by }));

/** Spans that overlap become one, under the name of the longest; of equal ones the first knows best. */
export function withoutOverlaps(spans: readonly FoundSecret[]): FoundSecret[] {
  const kept: FoundSecret[] = [];
  const length = ({ start, end }: Span): number => end - start;
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push({ ...span });
    else if (span.end > last.end) {
      if (length(span) > length(last)) last.name = span.name;
      last.end = span.end;
    }
  }
  return kept;
}
