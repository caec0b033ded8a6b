import { isDeepStrictEqual } from 'node:util';
import { namedValues, type ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { ServerImportEntry } from '../../../../src-shared/domain/serverImport.ts';
import {
  extractSecrets,
  maskSecrets,
  secretNames,
  type ExtractedServer,
} from '../secrets/extractSecrets.ts';
import { mask } from '../secrets/findSecrets.ts';
import { address, serverUrl } from '../serverUrl.ts';
import type { Environment } from '../variables.ts';
import { findCommandMarks } from './commandMarks.ts';
import type { ServerFileEntry, ServerFile } from './serverFile.ts';

/** A registered server, as far as an import can conflict with it. */
interface RegisteredServer {
  name: string;
  url: string;
  config: ServerConfig;
}

export interface PlanContext {
  registered: readonly RegisteredServer[];
  environment: Environment;
  /** Values of the registered servers' secrets, to compare them with the file. */
  secrets: Readonly<Record<string, string>>;
  /** Names of entries that replace the registered server they conflict with. */
  replace?: ReadonlySet<string>;
  /** Secrets of entries, by the names of both, that a user marked as not secret. */
  notSecret?: readonly { entry: string; secret: string }[];
}

type ImportVerdict = Pick<ServerImportEntry, 'state' | 'reason' | 'replaces' | 'registersAs'>;

export interface PlannedEntry {
  shown: Omit<ServerImportEntry, 'variables'>;
  /** Null if the entry cannot be registered. */
  entry: ServerFileEntry | null;
  /** What would be stored, with the credentials separated. */
  hidden: ExtractedServer | null;
}

/** Compares a file with the registered servers. Read-only: nothing is written or started. */
export function planImport(file: ServerFile, context: PlanContext): PlannedEntry[] {
  const claimed: RegisteredServer[] = [];
  const shownNames = new Set<string>();
  const planned = file.entries.map((entry): PlannedEntry => {
    const wanted = toServerName(entry.name);
    const name = freeName(wanted, (each) => shownNames.has(each));
    shownNames.add(name);
    const known = [...context.registered, ...claimed];
    const verdict = compareEntry(wanted, entry, context, claimed);
    const replacing = verdict.replaces !== null && (context.replace?.has(name) ?? false);
    const others = replacing ? known.filter((each) => each.name !== verdict.replaces) : known;
    const owner = (replacing ? verdict.replaces : verdict.registersAs) ?? wanted;
    const options = {
      server: owner,
      isForeign: true,
      taken: new Set(others.flatMap(({ config }) => secretNames(config))),
    };
    const found = extractSecrets(entry.config, entry.extra, options);
    const notSecret = (context.notSecret ?? [])
      .filter((each) => each.entry === name)
      .flatMap(({ secret }) => found.values.get(secret) ?? []);
    const hidden =
      notSecret.length === 0
        ? found
        : extractSecrets({ ...entry.config, notSecret } as ServerConfig, entry.extra, options);
    if (verdict.registersAs !== null || replacing)
      claimed.push({ name: owner, url: serverUrl(hidden.config), config: entry.config });
    const warnings =
      wanted === entry.name
        ? entry.warnings
        : [`A server can't be named ${JSON.stringify(entry.name)} here.`, ...entry.warnings];
    return {
      entry,
      hidden,
      shown: {
        name,
        ...verdict,
        ...describe(entry, hidden),
        warnings,
        notCarried: entry.notCarried,
        line: entry.line,
        column: entry.column,
      },
    };
  });
  for (const { name, problem } of file.skipped) {
    const shown = freeName(toServerName(name), (each) => shownNames.has(each));
    shownNames.add(shown);
    const nothing = {
      replaces: null,
      registersAs: null,
      command: null,
      config: null,
      marks: [],
      warnings: [],
      notCarried: [],
      secrets: [],
    };
    planned.push({
      entry: null,
      hidden: null,
      shown: {
        name: shown,
        state: 'skipped',
        reason: problem.message,
        ...nothing,
        line: problem.line,
        column: problem.column,
      },
    });
  }
  return planned;
}

/**
 * An entry is in conflict if it has the same command or address as a registered server with other
 * values, or the same name; it is the same if its secrets have equal values too.
 */
function compareEntry(
  name: string,
  { config }: ServerFileEntry,
  { registered, secrets }: PlanContext,
  claimed: readonly RegisteredServer[],
): ImportVerdict {
  const duplicate = claimed.find(
    (known) =>
      hasSameAddress(known.config, config) &&
      (isEqual(known.config, config, secrets) || urlUnderName(known.name, config) === known.url),
  );
  if (duplicate !== undefined)
    return {
      state: 'skipped',
      reason: `The file already contains this server as ${duplicate.name}.`,
      replaces: null,
      registersAs: null,
    };
  const same = registered.filter((known) => hasSameAddress(known.config, config));
  const equal = same.find((known) => isEqual(known.config, config, secrets));
  if (equal !== undefined)
    return {
      state: 'same',
      reason: `Already registered as ${equal.name}.`,
      replaces: null,
      registersAs: null,
    };
  const [other] = same;
  const taken = (each: string): boolean =>
    [...registered, ...claimed].some((server) => server.name === each);
  if (other !== undefined) {
    // Entries that differ only in the values of their secrets have different addresses; all others
    // with one address cannot exist side by side.
    const free = freeName(name, taken);
    const isFree = !registered.some(({ url }) => url === urlUnderName(free, config));
    return {
      state: 'conflict',
      reason: `${other.name} has the same command or address with other values. You can replace it.`,
      replaces: other.name,
      registersAs: isFree ? free : null,
    };
  }
  if (!taken(name)) return { state: 'new', reason: null, replaces: null, registersAs: name };
  const free = freeName(name, taken);
  const replaces = registered.some((server) => server.name === name) ? name : null;
  return {
    state: 'conflict',
    reason:
      `Another server is named ${name}; this one would be named ` +
      `${free}${replaces === null ? '' : ', or replace that one'}.`,
    replaces,
    registersAs: free,
  };
}

/** Whether two configurations reach the same server, whatever the values of their secrets are. */
export const hasSameAddress = (a: ServerConfig, b: ServerConfig): boolean =>
  addressOf(a) === addressOf(b) && isDeepStrictEqual(distinguishingKeys(a), distinguishingKeys(b));

const urlUnderName = (server: string, config: ServerConfig): string =>
  serverUrl(extractSecrets(config, {}, { server, isForeign: true }).config);

/** The configuration with every secret reference and every credential replaced by the same mask. */
const withoutSecrets = (config: ServerConfig): ServerConfig => {
  const { config: hidden } = extractSecrets(withoutMarks(config), {}, { server: 'x' });
  return JSON.parse(JSON.stringify(hidden).replace(/\$\{secret:[^}]*\}/g, mask)) as ServerConfig;
};

/** What a user marked says nothing about which server it is. */
const withoutMarks = (config: ServerConfig): ServerConfig => {
  if (!('notSecret' in config)) return config;
  const { notSecret: _, ...rest } = config;
  return rest;
};

function addressOf(config: ServerConfig): string {
  return address(withoutSecrets(config));
}

/** What distinguishes two entries with the same address; see `serverUrl`. */
function distinguishingKeys(config: ServerConfig): unknown {
  return [
    config.transport === 'stdio' ? config.cwd : null,
    Object.keys(namedValues(config)).sort(),
  ];
}

function isEqual(
  known: ServerConfig,
  wanted: ServerConfig,
  secrets: Readonly<Record<string, string>>,
): boolean {
  const expand = (config: ServerConfig): ServerConfig => expandSecrets(config, secrets);
  if (isDeepStrictEqual(expand(known), expand(wanted))) return true;
  // The file contains our own references, or the value of a secret is no longer available: nothing
  // shows a difference.
  const unknown = [known, wanted].some((config) =>
    secretNames(config).some((name) => !Object.hasOwn(secrets, name)),
  );
  return unknown && isDeepStrictEqual(withoutSecrets(known), withoutSecrets(wanted));
}

function expandSecrets(
  config: ServerConfig,
  secrets: Readonly<Record<string, string>>,
): ServerConfig {
  const plain = JSON.stringify(withoutMarks(config));
  const text = plain.replace(/\$\{secret:([^}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(secrets, name) ? JSON.stringify(secrets[name]).slice(1, -1) : whole,
  );
  return JSON.parse(text) as ServerConfig;
}

function describe(
  { config }: ServerFileEntry,
  hidden: ExtractedServer,
): Pick<ServerImportEntry, 'command' | 'config' | 'marks' | 'secrets'> {
  const shown = maskSecrets(hidden);
  return {
    command: address(shown),
    config: shown,
    marks: findCommandMarks(config),
    secrets: [...hidden.values.keys()],
  };
}

/** Makes a valid server name: no colon, no control characters, at most 100 characters. */
function toServerName(name: string): string {
  const clean = name
    .replace(/[:\p{Cc}]+/gu, '-')
    .trim()
    .slice(0, 100)
    .trim();
  return clean === '' ? 'server' : clean;
}

/** Appends a number if the name is taken. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name;
  for (let count = 2; ; count += 1) {
    const next = `${name.slice(0, 95)}-${count}`;
    if (!taken(next)) return next;
  }
}
