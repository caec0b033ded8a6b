import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { serverConfig, type ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';
import { splitWords } from '../commandWords.ts';
import { readSignIn } from './entryAuth.ts';
import { EntryError, EntrySettings, plainName, type TakenSetting } from './entrySettings.ts';
import { withOurReferences, type VariableSyntax } from './entryVariables.ts';
import { readEnvironmentFile } from './environmentFile.ts';

/** A server as a client configures it, or the place and reason why it cannot be read. */
export type ClientEntry =
  | {
      readable: true;
      config: ServerConfig;
      /** Settings without a meaning here, kept for an export. */
      extra: JsonObject;
      /** Their paths in the entry. */
      notCarried: string[];
      inputs: ServerFileInput[];
      warnings: string[];
    }
  | { readable: false; path: JsonPath; message: string };

export interface EntryRules extends VariableSyntax {
  /** Milliseconds in one unit of a setting that limits the start, by its plain name. */
  startTimes?: Readonly<Record<string, number>>;
  /** Plain names of addresses that speak SSE if the entry names no transport. */
  sseAddresses?: readonly string[];
  /** The transport of entries that name none, where the place of the table says it. */
  type?: 'sse' | 'http';
  /** True if a variable without a value is the one of the client's own environment. */
  inheritsEmpty?: boolean;
  /** Texts of files that entries name, by the name that is written there. */
  files?: Readonly<Record<string, string>>;
}

const httpTypes = new Set(
  'http streamablehttp httpstream httpstreaming httpstreamable streaming streamable'.split(' '),
);
/** Types that say no more than that a server is reached by an address. */
const remoteTypes = new Set(['remote', 'url', 'mcp']);
const stdioTypes = new Set(['stdio', 'local', 'command', 'process', 'custom']);
const knownTypes = new Set([...httpTypes, ...remoteTypes, ...stdioTypes, 'sse']);
const addresses = (
  'httpurl url serverurl uri endpoint baseurl sseurl sseendpoint address serveraddress ' +
  'endpointurl mcpurl'
).split(' ');

/** Settings that clients name unmistakably; `timeout` alone means something else in each. */
const startTimes: Readonly<Record<string, number>> = {
  starttimeoutms: 1,
  startuptimeoutms: 1,
  startuptimeoutsec: 1000,
  startuptimeoutseconds: 1000,
  startuptimeout: 1000,
  inittimeout: 1,
  inittimeoutms: 1,
  connectiontimeout: 1,
  connectiontimeoutms: 1,
  connecttimeoutms: 1,
  discoverytimeoutms: 1,
};

/** More than any user has, and few enough to show in a preview. */
export const maxServers = 2_000;
const maxEntryLength = 256 * 1024;

/** Reads one server, in every way that clients write one. */
export function readClientEntry(entry: JsonValue, rules: EntryRules = {}): ClientEntry {
  try {
    if (!isJsonObject(entry))
      throw new EntryError([], 'A server is an object with a command or a url.');
    if (JSON.stringify(entry).length > maxEntryLength)
      throw new EntryError([], `The entry is larger than ${maxEntryLength / 1024} kB.`);
    const settings = new EntrySettings(entry);
    const warnings: string[] = [];
    const made = readConfig(settings, rules, warnings);
    readSwitches(settings, warnings);
    const parsed = serverConfig.safeParse(made);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new EntryError(
        (issue?.path ?? []).map((step) => (typeof step === 'symbol' ? String(step) : step)),
        issue?.message ?? "It isn't a server.",
      );
    }
    const { config, inputs } = withOurReferences(parsed.data, settings, rules);
    return {
      readable: true,
      config,
      extra: settings.rest,
      notCarried: settings.left(),
      inputs,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    return { readable: false, path: error.path, message: error.message };
  }
}

function readConfig(
  settings: EntrySettings,
  rules: EntryRules,
  warnings: string[],
): Record<string, unknown> {
  const { type = rules.type ?? null, declared } = readType(settings);
  const address = settings.peek(...addresses);
  const command = settings.peek('command', 'cmd');
  const isRemote = type !== null && !stdioTypes.has(type);
  const http = address !== null && (type === null ? command === null : isRemote);
  if (!http && isRemote && command === null)
    throw new EntryError([], `It is of the type ${JSON.stringify(declared)} and has no url.`);
  if (!http && command === null) throw new EntryError([], 'It has neither a command nor a url.');
  const startTimeoutMs = readStartTime(settings, rules);
  const startTime = startTimeoutMs === null ? {} : { startTimeoutMs };
  if (http) return { ...readHttp(settings, address, type, rules, warnings), ...startTime };
  if (address !== null) warnings.push('It has both a command and a url; the command is used.');
  return { ...readStdio(settings, rules, warnings), ...startTime };
}

/** The declared type of the connection, as one plain word. */
function readType(settings: EntrySettings): { type: string | undefined; declared: JsonValue } {
  const found = ['transporttype', 'servertransport', 'type', 'transport']
    .map((name) => settings.peek(name))
    .filter((each): each is TakenSetting & { value: string } => typeof each?.value === 'string')
    .filter(({ path }) => path.length < 2 || !/^(?:auth|request)/i.test(String(path[0])));
  const types = found.map(({ path, value }) => ({ path, value, type: plainName(value) }));
  const unknown = types.find(({ type }) => !knownTypes.has(type));
  if (unknown !== undefined)
    throw new EntryError(
      unknown.path,
      `The transport ${JSON.stringify(unknown.value)} is not supported: stdio, http and sse are.`,
    );
  // Some clients write it twice: the kind of server, and its transport.
  for (const { path } of types) settings.drop(path);
  const told = types.find(({ type }) => !remoteTypes.has(type)) ?? types[0];
  return { type: told?.type, declared: told?.value ?? null };
}

function readHttp(
  settings: EntrySettings,
  address: TakenSetting,
  type: string | null,
  { sseAddresses = [] }: EntryRules,
  warnings: string[],
): Record<string, unknown> {
  settings.drop(address.path);
  const { value } = address;
  if (typeof value !== 'string' || value === '')
    throw new EntryError(address.path, `${address.key} must be text and must not be empty.`);
  const isOpen = type === null || remoteTypes.has(type);
  const looksLikeSse =
    isOpen && plainName(address.key) !== 'httpurl' && /\/sse\/?(?:\?|$)/.test(value);
  if (looksLikeSse)
    warnings.push('It names no transport; its address ends in /sse, so SSE is used.');
  const isSse =
    type === 'sse' ||
    looksLikeSse ||
    (isOpen && ['sseurl', 'sseendpoint'].includes(plainName(address.key))) ||
    (type === null && sseAddresses.includes(plainName(address.key)));
  const headers = readHeaders(settings, warnings);
  const signIn = readSignIn(settings, warnings);
  for (const [name, text] of Object.entries(signIn))
    if (Object.keys(headers).some((each) => each.toLowerCase() === name.toLowerCase()))
      warnings.push(`It says twice what to send as ${name}; the one among its headers is used.`);
    else headers[name] = text;
  return {
    transport: isSse ? 'sse' : 'streamable-http',
    url: withQuery(value, settings, warnings),
    headers,
  };
}

/** Parameters that an entry keeps apart from its address. */
function withQuery(url: string, settings: EntrySettings, warnings: string[]): string {
  const found = settings.take('queryparams', 'queryparameters', 'query', 'params');
  if (found === null) return url;
  const parameters = readPairs(found, warnings);
  const text = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeParameter(value)}`)
    .join('&');
  return text === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${text}`;
}

/** References stay as they are written. */
const encodeParameter = (value: string): string =>
  value
    .split(/(\$\{[^}]*\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');

function readHeaders(settings: EntrySettings, warnings: string[]): Record<string, string> {
  const plain = settings
    .takeAll('headers', 'httpheaders', 'staticheaders', 'customheaders', 'requestheaders')
    .map((found) => readPairs(found, warnings, /^([^:=\s]+)\s*[:=]\s*(.*)$/s));
  const more = takeMaps(settings, 'extraheaders', 'additionalheaders', 'defaultheaders').map(
    (found) => readPairs(found, warnings),
  );
  const named = settings
    .takeAll('envhttpheaders', 'envheaders')
    .map((found) =>
      Object.fromEntries(
        Object.entries(readPairs(found, warnings)).map(([name, variable]) => [
          name,
          `\${${variable}}`,
        ]),
      ),
    );
  // The outermost wins.
  return Object.assign({}, ...[...plain, ...named, ...more].reverse()) as Record<string, string>;
}

/** Settings with these names that are maps of texts; lists of names under them mean something else. */
const takeMaps = (settings: EntrySettings, ...names: string[]): TakenSetting[] =>
  names.flatMap((name) => {
    const found = settings.peek(name);
    const isMap =
      isJsonObject(found?.value) &&
      Object.values(found.value).every((item) => item !== null && typeof item !== 'object');
    if (found === null || !isMap) return [];
    settings.drop(found.path);
    return [found];
  });

function readStdio(
  settings: EntrySettings,
  rules: EntryRules,
  warnings: string[],
): Record<string, unknown> {
  const { command, args } = readCommand(settings, warnings);
  const cwd = settings.take('cwd', 'workingdirectory', 'workingdir', 'workdir');
  if (cwd !== null && (typeof cwd.value !== 'string' || cwd.value === ''))
    throw new EntryError(cwd.path, `${cwd.key} must be text and must not be empty.`);
  return {
    transport: 'stdio',
    command,
    args,
    cwd: cwd?.value ?? null,
    env: {
      ...readEnvironmentFiles(settings, rules, warnings),
      ...readNamedVariables(settings),
      ...readEnvironment(settings, rules, warnings),
    },
  };
}

function readCommand(
  settings: EntrySettings,
  warnings: string[],
): { command: string; args: string[] } {
  const found = settings.take('command', 'cmd');
  if (found === null) throw new EntryError([], 'It has neither a command nor a url.');
  if (isJsonObject(found.value)) return readCommandObject(found, settings, warnings);
  const given = readList(settings.take('args', 'arguments', 'argv'));
  if (Array.isArray(found.value)) {
    const [command = '', ...args] = readList(found);
    if (command === '') throw new EntryError(found.path, `${found.key} must not be empty.`);
    return { command, args: [...args, ...given] };
  }
  if (typeof found.value !== 'string' || found.value.trim() === '')
    throw new EntryError(found.path, `${found.key} must be text and must not be empty.`);
  const words = splitWhole(found.value);
  if (words === null) return { command: found.value, args: given };
  warnings.push('It has the command and its arguments in one text; it was split at the spaces.');
  const [command = '', ...args] = words;
  return { command, args: [...args, ...given] };
}

/** Zed: an object with path, args and env. */
function readCommandObject(
  { key, path, value }: TakenSetting,
  settings: EntrySettings,
  warnings: string[],
): { command: string; args: string[] } {
  const inner = new EntrySettings(isJsonObject(value) ? value : {});
  const program = inner.takeText('path', 'command', 'program', 'executable');
  if (program === null) throw new EntryError([...path, 'path'], `${key} names no program.`);
  const args = readList(inner.take('args', 'arguments'));
  const env = inner.take('env', 'environment');
  if (env !== null && settings.peek('env') === null) settings.rest['env'] = env.value;
  else if (env !== null) warnings.push(`It has two environments; that of ${key} is left out.`);
  if (Object.keys(inner.rest).length > 0) settings.rest[key] = inner.rest;
  return { command: program.value, args };
}

/** The words of a command that holds its arguments; null for a path that may contain spaces. */
function splitWhole(text: string): string[] | null {
  const line = text.trim();
  if (!/\s/.test(line)) return null;
  const words = splitWords(
    /\\\S/.test(line) && /^[A-Za-z]:\\/.test(line) ? line.replaceAll('\\', '\\\\') : line,
  );
  if (typeof words === 'string') return null;
  const [first = '', second = ''] = words;
  const isPath = /[\\/]/.test(first) && !first.startsWith('@');
  return isPath && !/^(?:-|\/|~|\.{1,2}[\\/]|[A-Za-z]:[\\/]|[\w@./-]+\.\w{1,4}$)/.test(second)
    ? null
    : words;
}

function readList(found: TakenSetting | null): string[] {
  if (found === null) return [];
  const { key, path, value } = found;
  if (typeof value === 'string') {
    const words = splitWords(value);
    if (typeof words === 'string')
      throw new EntryError(path, `${key} has a quote that isn’t closed.`);
    return words;
  }
  if (!Array.isArray(value)) throw new EntryError(path, `${key} is a list of texts.`);
  return value.map((item, index) => {
    if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean')
      throw new EntryError([...path, index], 'An argument is a text.');
    return String(item);
  });
}

/** A list of names without values; null if it is none. */
function namesIn(value: JsonValue): string[] | null {
  if (!Array.isArray(value)) return null;
  const names = value.map((item) =>
    isJsonObject(item) && item['value'] === undefined ? item['name'] : item,
  );
  return names.every((name) => typeof name === 'string' && !name.includes('='))
    ? names.map(String)
    : null;
}

const namedVariables =
  'envkeys envvars envnames inheritenv passenv envpassthrough forwardenv secrets'.split(' ');

/** Variables that an entry only names: their values are those of this program's environment. */
function readNamedVariables(settings: EntrySettings): Record<string, string> {
  const names = [...namedVariables, 'env'].flatMap((key) => {
    const found = settings.peek(key);
    const listed = found === null ? null : namesIn(found.value);
    if (found === null || listed === null) return [];
    settings.drop(found.path);
    return listed;
  });
  return Object.fromEntries(
    names.filter((name) => name !== '').map((name) => [name, `\${${name}}`]),
  );
}

function readEnvironment(
  settings: EntrySettings,
  { inheritsEmpty = false }: EntryRules,
  warnings: string[],
): Record<string, string> {
  const withInherited = ({ value, ...setting }: TakenSetting): TakenSetting => ({
    ...setting,
    value:
      inheritsEmpty && isJsonObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, text]) => [name, text || `\${${name}}`]),
          )
        : value,
  });
  const found = settings
    .takeAll('env', 'envs', 'environment', 'environmentvariables', 'envvars')
    .concat(takeMaps(settings, ...moreVariables))
    .map((each) => readPairs(withInherited(each), warnings));
  return Object.assign({}, ...found.reverse()) as Record<string, string>;
}
const moreVariables = 'variables extraenv additionalenv secretenv secrets'.split(' ');

/** `envFile` names files of variables. What its own environment sets wins. */
function readEnvironmentFiles(
  settings: EntrySettings,
  { files = {} }: EntryRules,
  warnings: string[],
): Record<string, string> {
  const found = settings.peek('envfile', 'envfiles', 'dotenv');
  if (found === null) return {};
  const names = (Array.isArray(found.value) ? found.value : [found.value]).filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  const missing = names.filter((name) => !Object.hasOwn(files, name));
  for (const name of missing)
    warnings.push(`The variables of ${name} are not read. Enter those that the server needs.`);
  if (missing.length === 0 && names.length > 0) settings.drop(found.path);
  return Object.assign(
    {},
    ...names.map((name) => readEnvironmentFile(files[name] ?? '')),
  ) as Record<string, string>;
}

export function environmentFilesOf(entry: JsonValue): string[] {
  if (!isJsonObject(entry)) return [];
  const found = new EntrySettings(entry).peek('envfile', 'envfiles', 'dotenv');
  return (Array.isArray(found?.value) ? found.value : [found?.value]).filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
}

/** An object of texts, or a list of `{name, value}` or of `NAME=value`. */
function readPairs(
  { key, path, value }: TakenSetting,
  warnings: string[],
  line: RegExp = /^([^=\s]+)=(.*)$/s,
): Record<string, string> {
  if (Array.isArray(value))
    return Object.fromEntries(
      value.map((item, index): [string, string] => {
        const [, written, text] = (typeof item === 'string' && line.exec(item)) || [];
        const name = isJsonObject(item) ? (item['name'] ?? item['key'] ?? item['header']) : written;
        const own = isJsonObject(item) ? item['value'] : text;
        if (typeof name !== 'string' || name === '' || own === undefined || typeof own === 'object')
          throw new EntryError([...path, index], `An item of ${key} has a name and a value.`);
        return [name, String(own)];
      }),
    );
  if (typeof value === 'string' && line.test(value)) {
    const lines = value.split(/\r?\n/).filter((each) => each.trim() !== '');
    return readPairs({ key, path, value: lines }, warnings, line);
  }
  if (!isJsonObject(value))
    throw new EntryError(path, `${key} must be an object with text values.`);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, string][] => {
      if (item === null) {
        warnings.push(`${name} has no value and is left out.`);
        return [];
      }
      if (name === '' || typeof item === 'object')
        throw new EntryError([...path, name], `${name || 'An entry without a name'} needs a text.`);
      return [[name, String(item)]];
    }),
  );
}

/** How long the server may take to start, in milliseconds. */
function readStartTime(settings: EntrySettings, rules: EntryRules): number | null {
  const units = { ...startTimes, ...rules.startTimes };
  let time: number | null = null;
  for (const [name, unit] of Object.entries(units)) {
    const found = settings.peek(name);
    const value = Number(found?.value ?? Number.NaN);
    if (found === null || !Number.isFinite(value) || value <= 0) continue;
    if (name === 'timeout' && found.path.length > 1) continue;
    settings.drop(found.path);
    time ??= Math.min(maxStartTimeMs, Math.max(1, Math.round(value * unit)));
  }
  return time;
}

/** As long as the configuration of a server allows. */
const maxStartTimeMs = 86_400_000;

/** Whether the client uses the server. One that it doesn't use is registered like the others. */
function readSwitches(settings: EntrySettings, warnings: string[]): void {
  for (const [names, active] of [
    [['disabled', 'isdisabled'], false],
    [['enabled', 'isactive', 'active', 'isenabled'], true],
  ] as const)
    for (const name of names) {
      const found = settings.peek(name);
      if (found?.path.length !== 1 || typeof found.value !== 'boolean') continue;
      if (found.value === active) settings.drop(found.path);
      else warnings.push('Disabled in its file.');
    }
  // Zed tells a server that the person wrote from one of an extension.
  if (settings.peek('source')?.value === 'custom') settings.take('source');
}
