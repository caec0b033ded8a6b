import { homedir } from 'node:os';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ServerVariable } from '../../../../src-shared/domain/server.ts';
import type {
  ServerExport,
  ServerExportFormat,
  ServerFileFormat,
  ServerImportEntry,
  ServerImportPreview,
} from '../../../../src-shared/domain/serverImport.ts';
import type { SecretVault } from '../../../adapters/secrets/secretVault.ts';
import type { StoredServer } from '../../../store/servers/servers.ts';
import type { Store } from '../../../store/store.ts';
import { secretNames, type ExtractedServer } from '../secrets/extractSecrets.ts';
import { describeVariables, storeValue, inputSecretName } from '../serverVariables.ts';
import { serverUrl } from '../serverUrl.ts';
import { exportServers } from './exportServers.ts';
import type { Machine } from './knownFiles.ts';
import { planImport, type PlanContext, type PlannedEntry } from './planImport.ts';
import type { FileInput } from './readServerFile.ts';
import type { ServerFileEntry, ServerFile } from './serverFile.ts';

/** What the user chose in the preview. */
export interface ImportChoice {
  names: readonly string[];
  replace: readonly string[];
  values: readonly { entry: string; reference: string; value: string }[];
  notSecret: readonly { entry: string; secret: string }[];
}

export interface ImportResult {
  made: StoredServer[];
  /** Names of registered servers that got a new configuration. */
  replaced: string[];
  unchanged: string[];
}

export const currentMachine = (): Machine => ({
  environment: process.env,
  platform: process.platform,
  home: homedir(),
});

/**
 * Imports servers from other programs and exports to them. Starts nothing and never writes a
 * foreign file. Credentials go to the vault, after everything else is written.
 */
export class ServerExchange {
  readonly #store: Store;
  readonly #machine: Machine;
  readonly #vault: SecretVault;

  constructor(store: Store, machine: Machine, vault: SecretVault) {
    this.#store = store;
    this.#machine = machine;
    this.#vault = vault;
  }

  async preview(input: FileInput): Promise<Omit<ServerImportPreview, 'skills'>> {
    const read = await readFile(input);
    const { file, planned } = this.#plan(read, await this.#secrets());
    const entries = await Promise.all(
      planned.map(async ({ shown, entry, hidden }): Promise<ServerImportEntry> => ({
        ...shown,
        variables: await this.#variables(entry, hidden),
      })),
    );
    const { format, problems, named = [] } = file;
    return { format, entries, problems, named };
  }

  async import({
    names,
    replace,
    values,
    notSecret,
    ...input
  }: FileInput & ImportChoice): Promise<ImportResult> {
    const read = await readFile(input);
    const secrets = await this.#secrets();
    const secretsToStore = new Map<string, string>();
    const done = this.#store.transaction((): ImportResult => {
      const { file, planned } = this.#plan(read, secrets, {
        replace: new Set(replace),
        notSecret,
      });
      const [problem] = file.problems;
      if (problem !== undefined || file.format === null)
        throw invalidChoice(
          input.fileName,
          `Line ${problem?.line ?? 1}, column ${problem?.column ?? 1}: ` +
            (problem?.message ?? 'It holds no servers.'),
        );
      const { format } = file;
      const chosen = [...new Set([...names, ...replace])].map((name) => {
        const found = planned.find(({ shown }) => shown.name === name);
        if (found === undefined)
          throw invalidChoice(name, `${input.fileName} has no server with this name.`);
        const { state, reason, registersAs, replaces } = found.shown;
        const replacing = replace.includes(name);
        if (state === 'skipped' || (state === 'conflict' && registersAs === null && !replacing))
          throw invalidChoice(name, reason ?? "It can't be read.");
        if (replacing && replaces === null)
          throw invalidChoice(name, 'There is no server to replace.');
        return { ...found, replacing };
      });
      const made = chosen.flatMap(({ shown, entry, hidden, replacing }) => {
        if (entry === null || hidden === null || (shown.registersAs === null && !replacing))
          return [];
        const server = this.#register(shown, entry, hidden, replacing, {
          format,
          fileName: input.fileName,
        });
        for (const [name, value] of hidden.values) secretsToStore.set(name, value);
        for (const input of entry.inputs)
          if (input.password && input.default !== null)
            secretsToStore.set(inputSecretName(server.id, input.id), input.default);
        return [
          this.#storeValues(
            server,
            values.filter((each) => each.entry === shown.name),
            secretsToStore,
          ),
        ];
      });
      return {
        made,
        replaced: chosen
          .filter(({ replacing }) => replacing)
          .map(({ shown }) => shown.replaces ?? shown.name),
        unchanged: chosen
          .filter(({ shown, replacing }) => shown.state === 'same' && !replacing)
          .map(({ shown }) => shown.name),
      };
    });
    for (const [name, value] of secretsToStore) await this.#vault.set(name, value);
    return done;
  }

  export({ ids, format }: { ids: string[]; format: ServerExportFormat }): ServerExport {
    const servers = ids.map((id) => {
      const server = this.#store.servers.get(id);
      if (server === null)
        throw new ServiceError('NOT_FOUND', {
          thing: `Server ${id}`,
          cause: "It doesn't exist.",
          nextStep: 'Choose one from the list of servers.',
        });
      return server;
    });
    return exportServers(servers, format);
  }

  #plan(
    file: ServerFile,
    secrets: Readonly<Record<string, string>>,
    choice: Pick<PlanContext, 'replace' | 'notSecret'> = {},
  ): { file: ServerFile; planned: PlannedEntry[] } {
    return {
      file,
      planned: planImport(file, {
        registered: this.#store.servers.list(),
        environment: this.#machine.environment,
        secrets,
        ...choice,
      }),
    };
  }

  /** Values of the registered servers' secrets, to compare a file with them. */
  async #secrets(): Promise<Record<string, string>> {
    const names = this.#store.servers.list().flatMap(({ config }) => secretNames(config));
    const values = await Promise.all(
      names.map(async (name) => [name, await this.#vault.get(name)] as const),
    );
    return Object.fromEntries(
      values.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
  }

  async #variables(
    entry: ServerFileEntry | null,
    hidden: ExtractedServer | null,
  ): Promise<ServerVariable[]> {
    if (entry === null || hidden === null) return [];
    const own = { id: null, inputs: entry.inputs, values: {} };
    const all = await describeVariables(hidden.config, own, this.#machine.environment, (name) =>
      this.#vault.place(name),
    );
    // References whose value comes from the file need no value from the user.
    return all.filter(
      ({ reference }) => !hidden.values.has(/^\$\{secret:(.+)\}$/.exec(reference)?.[1] ?? ''),
    );
  }

  #register(
    { registersAs, replaces }: PlannedEntry['shown'],
    entry: ServerFileEntry,
    hidden: ExtractedServer,
    replacing: boolean,
    from: { format: ServerFileFormat; fileName: string },
  ): StoredServer {
    const inputs = entry.inputs.map((input) =>
      input.password ? { ...input, default: null } : input,
    );
    const origin = { ...from, extra: hidden.extra, inputs, values: {} };
    const content = { url: serverUrl(hidden.config), config: hidden.config, origin };
    const old = replacing && replaces !== null ? this.#store.servers.getByName(replaces) : null;
    if (old !== null) {
      // Status of the old command says nothing about the new one.
      this.#store.servers.update(old.id, { ...content, name: old.name });
      return (
        this.#store.servers.setStatus(old.id, { status: 'inactive', statusReason: null }) ?? old
      );
    }
    return this.#store.servers.insert({ ...content, name: registersAs ?? entry.name });
  }

  /**
   * Stores the values that were entered in the preview: passwords in the vault, others with the
   * server.
   */
  #storeValues(
    server: StoredServer,
    values: ImportChoice['values'],
    secretsToStore: Map<string, string>,
  ): StoredServer {
    let given = server;
    for (const { reference, value } of values)
      given = storeValue(this.#store, given, reference, value, (name) =>
        secretsToStore.set(name, value),
      );
    return given;
  }
}

function invalidChoice(thing: string, cause: string): ServiceError {
  return new ServiceError('INVALID', {
    thing,
    cause,
    nextStep: 'Choose one of the options in the preview.',
  });
}

/** What reads the files of other programs is loaded for the first one, not for every command. */
async function readFile(input: FileInput): Promise<ServerFile> {
  const { readServerFile } = await import('./readServerFile.ts');
  return readServerFile(input);
}
