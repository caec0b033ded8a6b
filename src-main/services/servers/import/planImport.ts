import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { ServerImportEntry } from '../../../../src-shared/domain/serverImport.ts';
import { serverUrl, shellQuote } from '../serverUrl.ts';
import { expandVariables, inputValues, referencesIn, type Environment } from '../variables.ts';
import { markCommand } from './commandMarks.ts';
import { maskSecrets } from './maskSecrets.ts';
import type { ReadEntry, ServerFile } from './serverFile.ts';

/** A registered server as far as an import can collide with it. */
export interface Registered {
  name: string;
  url: string;
  config: ServerConfig;
}

type Verdict = Pick<ServerImportEntry, 'state' | 'reason' | 'registersAs'>;

export interface PlannedEntry {
  shown: ServerImportEntry;
  /** Null where nothing could be registered. */
  entry: ReadEntry | null;
}

/** Compares a file with what is registered. Looks only: nothing is written, started or asked. */
export function planImport(file: ServerFile, registered: readonly Registered[], environment: Environment): PlannedEntry[] {
  const claimed: Registered[] = [];
  const shownNames = new Set<string>();
  const planned: PlannedEntry[] = file.entries.map((entry) => {
    const wanted = toServerName(entry.name);
    const name = freeName(wanted, (each) => shownNames.has(each));
    shownNames.add(name);
    const url = serverUrl(entry.config);
    const earlier = claimed.find((each) => each.url === url);
    const verdict = earlier === undefined ? compare({ name: wanted, url, config: entry.config }, [...registered, ...claimed]) : twice(earlier.name);
    if (verdict.registersAs !== null) claimed.push({ name: verdict.registersAs, url, config: entry.config });
    const warnings = wanted === entry.name ? entry.warnings : [`A server can't be called ${JSON.stringify(entry.name)} here.`, ...entry.warnings];
    return { entry, shown: { name, ...verdict, ...describe(entry, environment), warnings, line: entry.line, column: entry.column } };
  });
  for (const { name, problem } of file.skipped) {
    const shown = freeName(toServerName(name), (each) => shownNames.has(each));
    shownNames.add(shown);
    const nothing = { registersAs: null, command: null, config: null, marks: [], warnings: [], variables: [] };
    planned.push({ entry: null, shown: { name: shown, state: 'skipped', reason: problem.message, ...nothing, line: problem.line, column: problem.column } });
  }
  return planned;
}

const twice = (name: string): Verdict => ({ state: 'skipped', reason: `The file has the same server before this, as ${name}.`, registersAs: null });

function compare(wanted: Registered, known: readonly Registered[]): Verdict {
  const sameAddress = known.find(({ url }) => url === wanted.url);
  if (sameAddress !== undefined) {
    return isDeepStrictEqual(sameAddress.config, wanted.config)
      ? { state: 'same', reason: `It is there already, as ${sameAddress.name}.`, registersAs: null }
      : { state: 'skipped', reason: `${sameAddress.name} has the same command or address with other values. Change that one, or remove it first.`, registersAs: null };
  }
  const taken = (name: string): boolean => known.some((server) => server.name === name);
  if (!taken(wanted.name)) return { state: 'new', reason: null, registersAs: wanted.name };
  const other = freeName(wanted.name, taken);
  return { state: 'conflict', reason: `Another server is called ${wanted.name}; this one would be called ${other}.`, registersAs: other };
}

function describe(entry: ReadEntry, environment: Environment): Pick<ServerImportEntry, 'command' | 'config' | 'marks' | 'variables'> {
  const { config, inputs } = entry;
  const { unresolved } = expandVariables(config, environment, inputValues(config, environment, inputs));
  return {
    command: config.transport === 'stdio' ? shellQuote([config.command, ...config.args]) : config.url,
    config: maskSecrets(config),
    marks: markCommand(config),
    variables: referencesIn(config).map((reference) => ({ reference, resolved: !unresolved.includes(reference) })),
  };
}

/** A name as a server may have it: no colon, no control characters, no more than 100 characters. */
function toServerName(name: string): string {
  const clean = name.replace(/[:\p{Cc}]+/gu, '-').trim().slice(0, 100).trim();
  return clean === '' ? 'server' : clean;
}

function freeName(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name;
  for (let count = 2; ; count += 1) {
    const next = `${name.slice(0, 95)}-${count}`;
    if (!taken(next)) return next;
  }
}
