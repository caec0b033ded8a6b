import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { contractWords } from '../src-shared/contract/contractWords.ts';
import { errorText } from '../src-shared/domain/errorText.ts';
import { watchContacts } from './adapters/http/watchContacts.ts';
import { createOpenEmbedder } from './adapters/llm/embeddings/openEmbedder.ts';
import { createModelAccess, describeTools, mapTools } from './adapters/llm/openChatModel.ts';
import { plannedWire } from './adapters/llm/plannedWire.ts';
import type { ConnectMcp } from './adapters/mcp/mcpConnection.ts';
import type { SecretGuard } from './adapters/secrets/secretGuard.ts';
import { createSecrets, type Secrets } from './adapters/secrets/secrets.ts';
import type { AskPassphrase } from './adapters/secrets/secretFile.ts';
import { openSecretStore } from './adapters/secrets/openSecretStore.ts';
import { createSecretVault, type SecretVault } from './adapters/secrets/secretVault.ts';
import { startSweep } from './adapters/process/sweepLeftovers.ts';
import { CloseStack } from './runtime/closeStack.ts';
import { makeFolder } from './runtime/makeFolder.ts';
import { keepNurserySmall, keepRowsYoung } from './runtime/memory.ts';
import { programFiles } from './runtime/programFiles.ts';
import type { Clock, NextId } from './runtime/clock.ts';
import { systemClock } from './runtime/clock.ts';
import { EvaluationReader } from './services/evaluations/read/evaluationReader.ts';
import { EvaluationsService } from './services/evaluations/evaluationsService.ts';
import { createScorer } from './services/evaluations/score/scorer.ts';
import { KeysService } from './services/keys/keysService.ts';
import { createFileLog, type FileLog } from './runtime/fileLog.ts';
import type { Log } from './runtime/log.ts';
import { ModelsService } from './services/models/modelsService.ts';
import { openPrices } from './services/models/prices.ts';
import { ReportsService } from './services/reports/reportsService.ts';
import { SavingService } from './services/saving/savingService.ts';
import type { SaveDialog } from './services/saving/saveDialog.ts';
import { SecurityService } from './services/security/securityService.ts';
import { RetrievalService } from './services/retrieval/retrievalService.ts';
import { connectWithVariables } from './services/servers/connectWithVariables.ts';
import { OptimizationsService } from './services/optimizations/optimizationsService.ts';
import { RewritesService } from './services/rewrites/rewritesService.ts';
import { inputsOfServer } from './services/servers/serverVariables.ts';
import { createGetToken } from './services/servers/signIns.ts';
import { currentMachine } from './services/servers/import/serverExchange.ts';
import { ServersService } from './services/servers/serversService.ts';
import { ResultsService } from './services/results/resultsService.ts';
import type { Services } from './services/services.ts';
import { SampleWorkspace } from './services/settings/sampleWorkspace.ts';
import { startIntegrityCheck } from './services/settings/integrityCheck.ts';
import { SettingsService } from './services/settings/settingsService.ts';
import { SimilarityService } from './services/similarity/similarityService.ts';
import { createCaseReader } from './services/suites/caseReader.ts';
import { SuitesService } from './services/suites/suitesService.ts';
import { TokenCounter } from './services/tokens/tokenCounter.ts';
import { TokenCounts } from './services/tokens/tokenCounts.ts';
import { TaskEvaluationsService } from './services/tasks/taskEvaluationsService.ts';
import { TokensService } from './services/tokens/tokensService.ts';
import { WorkshopService } from './services/workshop/workshopService.ts';
import { openDatabase } from './store/database/openDatabase.ts';
import { writeDurably } from './store/durability/durableFile.ts';
import { preventsWriting, withDiskTrouble } from './store/durability/diskTrouble.ts';
import { identifyProcess } from './store/durability/processIdentity.ts';
import { openStore } from './store/store.ts';
import { noHomePrices, readHomePrices } from './store/workspace/homePrices.ts';
import type { HostKind, WorkspaceLock } from './store/durability/workspaceLock.ts';
import { acquireWorkspaceLock } from './store/durability/workspaceLock.ts';
import { connectInRunFolder } from './services/servers/runFolder.ts';
import { connectAsThisProgram, recordHosts } from './services/servers/programConnector.ts';

const databaseName = 'touchstone.sqlite';

/**
 * How a host opens a workspace. Everything optional has the value of the real program; tests
 * replace it.
 */
export interface ServicesOptions {
  host: HostKind;
  /** The workspace: one folder with one database, held by one process. */
  folder: string;
  /**
   * `read` opens next to a running window and takes no lock. `write-if-possible` reads where the
   * disk is full or the folder can't be written to.
   */
  access?: 'read' | 'write' | 'write-if-possible';
  /** Adds the sample to a new workspace: all of it for a window, the Todo part for a command. */
  sample?: boolean;
  /** How long the sample's evaluation waits for the window to paint. */
  sampleDelayMs?: number;
  /** A Node binary that can run scripts; in Electron that is not the process itself. */
  node?: string;
  /** The command-line script for that Node; default: this program's own. */
  commandLine?: string;
  /** The variables that this program was started with; default: those that are left of them. */
  environment?: NodeJS.ProcessEnv;
  clock?: Clock;
  nextId?: NextId;
  log?: Log;
  connect?: ConnectMcp;
  /** Where keys come from; default: the encrypted file, the keychain and the environment. */
  secrets?: Secrets;
  /** The workspace whose encrypted keys and prices count too; default: the one in `folder`. */
  homeFolder?: string | undefined;
  /** Asks a person for the passphrase of the encrypted file; default: nobody is asked. */
  askPassphrase?: AskPassphrase | undefined;
  vault?: SecretVault;
  /** Learns the secrets of this workspace too; a command redacts its output by it. */
  secretGuard?: SecretGuard;
  /** The system's save dialog; default: the page saves by itself. */
  saveDialog?: SaveDialog;
}

/** A command counts ordinary lists of tools itself, because a thread would only cost memory. */
const commandMaxInlineLength = 1_000_000;

/** Open services with what a host needs besides them. */
export interface OpenServices {
  services: Services;
  /** The log of the host. Secrets are redacted, and a window also writes it to a file. */
  log: Log;
  lock: WorkspaceLock | null;
  /** Why the workspace is open for reading although it was to be written to. */
  unwritable: string | null;
  /** Why the prices of `homeFolder` don't count. */
  unreadPrices: string | null;
  close(): Promise<void>;
}

/** The composition root: every host opens exactly this. The caller closes it. */
export async function createServices(options: ServicesOptions): Promise<OpenServices> {
  keepNurserySmall();
  keepRowsYoung();
  const { access = 'write' } = options;
  if (access !== 'write-if-possible') return openWith({ ...options, access });
  try {
    return await openWith({ ...options, access: 'write' });
  } catch (error) {
    if (!preventsWriting(error)) throw error;
    const opened = await openWith({ ...options, access: 'read' }).catch(() => {
      throw error;
    });
    return { ...opened, unwritable: errorText(error) };
  }
}

type OptionsWithAccess = ServicesOptions & { access: 'read' | 'write' };

async function openWith(options: OptionsWithAccess): Promise<OpenServices> {
  makeFolder(options.folder);
  const closing = new CloseStack();
  try {
    const { host, folder, access, clock = systemClock } = options;
    const lock =
      access === 'write'
        ? withDiskTrouble(join(folder, databaseName), () =>
            acquireWorkspaceLock({ folder, host, clock }),
          )
        : null;
    closing.add(() => lock?.release());
    const opened = await openWorkspace(options, closing);
    return { ...opened, lock, unwritable: null, close: () => closing.run() };
  } catch (error) {
    // The reason why it could not open matters more than what then could not be closed.
    await closing.run().catch(() => undefined);
    throw error;
  }
}

/**
 * Opens the database and connects all services. Everything that needs closing is added to `closing`
 * right after it was opened, so that a failure half-way leaves nothing open.
 */
async function openWorkspace(
  options: OptionsWithAccess,
  closing: CloseStack,
): Promise<Pick<OpenServices, 'services' | 'log' | 'unreadPrices'>> {
  const { folder, access, clock = systemClock, nextId = randomUUID } = options;
  const file = join(folder, databaseName);
  const db = openDatabase({ file, migrationsFolder: programFiles.migrations, clock, access });
  closing.add(() => db.close());
  const environment = options.environment ?? process.env;
  const keys = openSecretStore({
    folder: options.homeFolder ?? folder,
    environment,
    ask: options.askPassphrase,
    write: writeDurably,
    node: options.node,
  });
  const secrets =
    options.secrets ?? createSecrets({ store: keys, environment, guard: options.secretGuard });
  secrets.exempt(contractWords);
  const store = openStore(db, { clock, nextId, redact: secrets.redact });
  const fileLog = openFileLog(options, secrets, clock);
  const log = fileLog ?? options.log;
  fileLog?.info(
    `Touchstone ${programFiles.version} opened ${file} for ` +
      `${access === 'write' ? 'writing' : 'reading'}: ${options.host}, ${process.platform} ` +
      `${process.arch}, Node ${process.versions.node}, SQLite ${store.sqliteVersion}, schema ` +
      `${store.schemaVersion}.`,
  );
  closing.add(() => fileLog?.info('Touchstone ended.'));
  const allowedHosts = (): readonly string[] => store.settings.get().allowedHosts;
  const contactedHosts = new Set<string>();
  closing.add(watchContacts((host) => void contactedHosts.add(host)));
  const recordingConnect = recordHosts(
    connectInRunFolder(options.connect ?? connectAsThisProgram({ ...options, allowedHosts })),
    contactedHosts,
  );
  const vault = redactingVault(
    options.vault ?? createSecretVault({ store: keys, environment }),
    secrets,
  );
  const connect = connectWithVariables(
    recordingConnect,
    environment,
    (name) => inputsOfServer(store.servers.getByName(name)),
    vault,
    createGetToken(vault, { allowedHosts }, secrets.redact),
    secrets,
  );
  const scorer = createScorer();
  closing.add(() => scorer.close());
  // A command has nothing else to do while it waits, so a worker would only cost memory.
  const reader = new EvaluationReader({
    store,
    file,
    migrationsFolder: programFiles.migrations,
    ...(options.host === 'cli' && { maxInlineRuns: Infinity }),
  });
  closing.add(() => reader.close());

  const tokenCounts = new TokenCounts(
    store,
    new TokenCounter(options.host === 'cli' ? { maxInlineLength: commandMaxInlineLength } : {}),
  );
  closing.add(() => tokenCounts.close());

  const servers = new ServersService({
    store,
    tokens: tokenCounts,
    connect,
    vault,
    redact: secrets.redact,
    clock,
    nextId,
    machine: { ...currentMachine(), environment },
    log: fileLog,
  });
  closing.add(() => servers.close());
  const contacted = (host: string) => void contactedHosts.add(host);
  const models = createModelAccess({ secrets, contacted });
  const openEmbedder = createOpenEmbedder({ secrets, contacted });
  const security = new SecurityService({
    store,
    openChatModel: models.open,
    datasetsFolder: programFiles.datasets,
  });
  closing.add(() => security.close());
  const similarity = new SimilarityService({
    store,
    tokens: tokenCounts,
    connect,
    openChatModel: models.open,
    openEmbedder,
    examine: (tools, signal) => security.toolFindings({ tools: [...tools] }, { signal }),
    clock,
    nextId,
  });
  closing.add(() => similarity.close());
  const caseReader = createCaseReader(store);
  closing.add(() => caseReader.close());
  const suites = new SuitesService({ store, reader: caseReader, openChatModel: models.open });
  const home =
    options.homeFolder === undefined
      ? noHomePrices
      : readHomePrices({
          file: join(options.homeFolder, databaseName),
          migrationsFolder: programFiles.migrations,
          clock,
        });
  const prices = openPrices(store.modelPrices, programFiles.datasets, home.prices);
  const retrieval = new RetrievalService({
    store,
    connect,
    openEmbedder,
    clock,
    datasets: programFiles.datasets,
  });
  const evaluations = new EvaluationsService({
    store,
    tokens: tokenCounts,
    connect,
    openChatModel: models.open,
    openExternalRetriever: (spec, corpus, signal) => retrieval.open(spec, corpus, signal),
    describeTools,
    mapTools,
    wires: { of: plannedWire },
    prices,
    scorer,
    reader,
    clock,
    nextId,
    owner: ownerName(),
    log: fileLog,
  });
  closing.add(() => evaluations.close());
  const taskEvaluations = new TaskEvaluationsService({
    store,
    tokens: tokenCounts,
    connect,
    openChatModel: models.open,
    prices,
    clock,
    nextId,
    owner: ownerName(),
  });
  closing.add(() => taskEvaluations.close());
  const workshop = new WorkshopService({
    store,
    connect,
    clock,
    secrets: vault,
    secretGuard: secrets,
    contactedHosts,
    // The SDK is loaded when the workshop is served, not at startup.
    openServer: async (server) =>
      (await import('./servers/workshop/http.ts')).serveWorkshopOverHttp(server),
    register: (input) => servers.create(input),
    log,
  });
  closing.add(() => workshop.close());
  const results = new ResultsService({
    store,
    reader,
    summarize: ({ id }, modelSettingsId) => evaluations.summary({ id, modelSettingsId }),
  });
  const reports = new ReportsService({
    store,
    reader,
    clock,
    version: programFiles.version,
    redactTexts: secrets.redactTexts,
    evaluations,
    results,
    security,
    similarity,
    taskEvaluations,
  });
  const saving = new SavingService({
    store,
    dialog: options.saveDialog ?? null,
    reports,
    nextId,
  });
  const tokens = new TokensService({
    store,
    tokens: tokenCounts,
    clock,
    nextId,
    datasets: programFiles.datasets,
    evaluations,
    reader,
    prices,
  });
  const rewrites = new RewritesService({
    store,
    tokens: tokenCounts,
    examine: (tools, signal) => security.toolFindings({ tools: [...tools] }, { signal }),
    openChatModel: models.open,
    repeat: (id, request) => evaluations.repeatCases(id, request),
  });
  const optimizations = new OptimizationsService({
    store,
    openChatModel: models.open,
    prices,
    evaluations,
    clock,
    log: fileLog,
  });
  closing.add(() => optimizations.close());
  const sample = new SampleWorkspace({
    store,
    suites,
    servers,
    evaluations,
    datasets: programFiles.datasets,
    log,
  });
  closing.add(() => sample.close());
  const settings = new SettingsService({
    store,
    sample,
    contactedHosts,
    log: fileLog,
    fixed: {
      version: programFiles.version,
      host: options.host,
      folder,
      databaseFile: file,
      schemaVersion: store.schemaVersion,
      sqliteVersion: store.sqliteVersion,
      nodeVersion: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      readOnly: access === 'read',
    },
    restore: {
      server: (content) => servers.restore(content),
      suite: (content) => suites.restoreSuite(content),
      cases: (content) => suites.restoreCases(content),
      tasks: (content) => suites.restoreTasks(content),
      evaluation: (content) => evaluations.restore(content),
      task_evaluation: (content) => taskEvaluations.restore(content),
      dataset: (content) => retrieval.restore(content),
    },
  });

  if (access === 'write') {
    // Runs in the background so that it does not delay the start; closing waits for it.
    closing.add(startSweep(log));
    const { session } = db;
    if (session !== null && options.host !== 'cli') {
      const { migrations: migrationsFolder } = programFiles;
      closing.add(startIntegrityCheck({ db, session, store, migrationsFolder, clock, log }).stop);
    }
    store.trash.clear();
    evaluations.recover();
    taskEvaluations.recover();
    optimizations.recover();
    workshop.recover();
    if (options.sample) {
      const isWindow = options.host !== 'cli';
      await sample.addToNew(isWindow ? 'whole' : 'todo');
      if (isWindow) sample.evaluateWhenDue(options.sampleDelayMs);
    }
  }
  const services = {
    servers,
    suites,
    evaluations,
    taskEvaluations,
    results,
    reports,
    saving,
    retrieval,
    similarity,
    rewrites,
    optimizations,
    security,
    tokens,
    workshop,
    settings,
    secretGuard: secrets,
    keys: new KeysService(secrets),
    models: new ModelsService({ store, access: models, prices }),
  };
  return {
    services,
    log: log ?? { info: () => undefined, error: () => undefined },
    unreadPrices: home.problem,
  };
}

/** A window writes a log file for the person at the machine; a command writes to standard error. */
function openFileLog(
  { host, folder, log: also }: ServicesOptions,
  secrets: Secrets,
  clock: Clock,
): FileLog | null {
  return host === 'cli'
    ? null
    : createFileLog({
        file: join(folder, 'touchstone.log'),
        clock,
        redact: (text) => secrets.redact(text),
        also,
      });
}

/** Registers every secret that passes through the vault for redaction. */
function redactingVault(vault: SecretVault, secrets: Secrets): SecretVault {
  return {
    ...vault,
    async get(name) {
      const found = await vault.get(name);
      if (found !== null) secrets.guard(found);
      return found;
    },
    set(name, value) {
      secrets.guard(value);
      return vault.set(name, value);
    },
  };
}

/**
 * Identifies this process. The start time distinguishes it from a later process with the same id.
 */
function ownerName(): string {
  const { pid, startTime } = identifyProcess();
  return startTime === null ? `${pid}` : `${pid}@${startTime}`;
}
