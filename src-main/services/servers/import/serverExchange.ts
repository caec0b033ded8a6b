import { homedir } from 'node:os';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ServerExport, ServerExportFormat, ServerFileFormat, ServerImportPreview } from '../../../../src-shared/domain/serverImport.ts';
import type { StoredServer } from '../../../store/servers.ts';
import type { Store } from '../../../store/store.ts';
import { serverUrl } from '../serverUrl.ts';
import { exportServers } from './exportServers.ts';
import type { Machine } from './knownFiles.ts';
import { planImport, type PlannedEntry } from './planImport.ts';
import { readServerFile } from './readServerFile.ts';
import type { ServerFile } from './serverFile.ts';

export interface FileText {
  fileName: string;
  text: string;
}

export const thisMachine = (): Machine => ({ environment: process.env, platform: process.platform, home: homedir() });

/** Servers in from other programs and out to them. It only ever reads and writes the database: nothing is started, no foreign file is touched. */
export class ServerExchange {
  readonly #store: Store;
  readonly #machine: Machine;

  constructor(store: Store, machine: Machine) {
    this.#store = store;
    this.#machine = machine;
  }

  preview(input: FileText): ServerImportPreview {
    const { file, planned } = this.#plan(input);
    return { format: file.format, entries: planned.map(({ shown }) => shown), problems: file.problems };
  }

  import({ names, ...input }: FileText & { names: string[] }): { made: StoredServer[]; unchanged: string[] } {
    return this.#store.transaction(() => {
      const { file, planned } = this.#plan(input);
      const [problem] = file.problems;
      if (problem !== undefined || file.format === null) throw refused(input.fileName, `Line ${problem?.line ?? 1}, column ${problem?.column ?? 1}: ${problem?.message ?? 'It holds no servers.'}`);
      const chosen = [...new Set(names)].map((name) => {
        const found = planned.find(({ shown }) => shown.name === name);
        if (found === undefined) throw refused(name, `${input.fileName} has no server of this name.`);
        if (found.shown.state === 'skipped') throw refused(name, found.shown.reason ?? 'It can\'t be read.');
        return found;
      });
      const made = chosen.flatMap((each) => this.#register(each, file.format ?? 'mcp-servers'));
      return { made, unchanged: chosen.filter(({ shown }) => shown.state === 'same').map(({ shown }) => shown.name) };
    });
  }

  export({ ids, format }: { ids: string[]; format: ServerExportFormat }): ServerExport {
    const servers = ids.map((id) => {
      const server = this.#store.servers.get(id);
      if (server === null) throw new ServiceError('NOT_FOUND', { thing: `Server ${id}`, cause: 'There is none of this id.', nextStep: 'Look in the list of servers.' });
      return server;
    });
    return exportServers(servers, format);
  }

  #plan(input: FileText): { file: ServerFile; planned: PlannedEntry[] } {
    const file = readServerFile(input);
    return { file, planned: planImport(file, this.#store.servers.list(), this.#machine.environment) };
  }

  #register({ entry, shown }: PlannedEntry, format: ServerFileFormat): StoredServer[] {
    if (entry === null || shown.registersAs === null) return [];
    const { config, extra, inputs } = entry;
    return [this.#store.servers.insert({ name: shown.registersAs, url: serverUrl(config), config, origin: { format, extra, inputs } })];
  }
}

function refused(thing: string, cause: string): ServiceError {
  return new ServiceError('INVALID', { thing, cause, nextStep: 'Look at the preview, and choose among what it offers.' });
}
