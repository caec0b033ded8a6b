import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/store.ts';
import { ClientFiles, commandOf, type ClientFilesParts } from '../clientFiles/clientFiles.ts';
import { workshopEntry } from './workshopEntry.ts';
import { bundledServer } from '../servers/bundledServers.ts';
import type { OpenEcho } from './executors/echo.ts';
import { Executions } from './executions.ts';
import { servedTools } from './modelTools.ts';
import { Revisions } from './revisions.ts';
import { SchemaChecker } from './schemaChecker.ts';
import { WorkshopServing, type OpenWorkshopServer } from './serving.ts';
import { ToolExchange } from './toolExchange.ts';
import { ToolLibrary } from './toolLibrary.ts';
import { ToolSecrets, type VaultOfTool } from './toolSecrets.ts';
import { findPython, type Interpreter } from '../../adapters/process/pythonInterpreter.ts';

export interface WorkshopDependencies {
  store: Store;
  connect: ConnectMcp;
  clock: Clock;
  toolVault: VaultOfTool;
  secretGuard: SecretGuard;
  contactedHosts: Set<string>;
  /** Serves the active tools over HTTP. Passed in, because services must not import servers. */
  openServer: OpenWorkshopServer;
  openEcho: OpenEcho;
  log?: Log | undefined;
  /** Where clients keep their configuration, and how they start this program. */
  clients: ClientFilesParts;
}

/** The objects behind the workshop service, one per concern. */
export interface WorkshopComponents {
  schemaChecker: SchemaChecker;
  interpreters: Interpreters;
  revisions: Revisions;
  library: ToolLibrary;
  exchange: ToolExchange;
  executions: Executions;
  secrets: ToolSecrets;
  serving: WorkshopServing;
  clients: ClientFiles;
}

export function assembleWorkshop({ store, ...parts }: WorkshopDependencies): WorkshopComponents {
  const schemaChecker = new SchemaChecker();
  const interpreters = new Interpreters(() => store.workshop.settings().python);
  const revisions = new Revisions(() => store.workshop.revision());
  const checks = {
    schemaChecker,
    python: (signal: AbortSignal) => interpreters.find(signal),
  };
  const library = new ToolLibrary({ store, revisions, checks });
  const secrets = new ToolSecrets({
    store,
    vault: parts.toolVault,
    secretGuard: parts.secretGuard,
  });
  const executions = new Executions({
    store,
    secrets,
    clock: parts.clock,
    log: parts.log,
    runner: {
      ...checks,
      secretGuard: parts.secretGuard,
      connect: parts.connect,
      openEcho: parts.openEcho,
      allowedHosts: () => store.settings.get().allowedHosts,
      memoryBytes: () => store.workshop.settings().memoryMb * 1024 * 1024 || null,
      findServer: (name) => store.servers.getByName(name) ?? bundledServer(name),
      onContact: (host) => void parts.contactedHosts.add(host),
    },
  });
  return {
    schemaChecker,
    interpreters,
    revisions,
    library,
    exchange: new ToolExchange({ store, library, checks }),
    executions,
    secrets,
    clients: new ClientFiles(
      parts.clients.machine,
      workshopEntry(commandOf(parts.clients, ['workshop', 'serve', '--stdio'])),
    ),
    serving: new WorkshopServing({
      open: parts.openServer,
      backend: {
        redactValue: parts.secretGuard.redactValue,
        tools: async () => servedTools(store),
        call: (call, signal) => executions.execute({ ...call, activeOnly: true }, signal),
        revisions: (signal) => revisions.watch(-1, signal),
      },
    }),
  };
}

/**
 * Finds Python once per setting. A failed search is repeated, because Python may have been
 * installed in the meantime.
 */
class Interpreters {
  readonly #getConfiguredPath: () => string;
  #cached: { named: string; found: Promise<Interpreter> } | null = null;

  constructor(named: () => string) {
    this.#getConfiguredPath = named;
  }

  async find(signal: AbortSignal): Promise<Interpreter> {
    const named = this.#getConfiguredPath();
    if (this.#cached?.named !== named) {
      // The search is shared by all callers, so none of them may abort it.
      const found = findPython(named, new AbortController().signal);
      const known = { named, found };
      this.#cached = known;
      const forget = (): void => {
        if (this.#cached === known) this.#cached = null;
      };
      found.then((interpreter) => interpreter.found || forget(), forget);
    }
    signal.throwIfAborted();
    return this.#cached.found;
  }
}
