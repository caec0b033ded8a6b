import { join } from 'node:path';
import { contractWords } from '../../src-shared/contract/contractWords.ts';
import { watchContacts } from '../adapters/http/watchContacts.ts';
import { createOpenEmbedder } from '../adapters/llm/embeddings/openEmbedder.ts';
import { createModelAccess } from '../adapters/llm/openChatModel.ts';
import { createSecrets, type Secrets } from '../adapters/secrets/secrets.ts';
import { openSecretStore } from '../adapters/secrets/openSecretStore.ts';
import { createSecretVault, type SecretVault } from '../adapters/secrets/secretVault.ts';
import type { CloseStack } from '../runtime/closeStack.ts';
import { orderedId } from '../runtime/orderedId.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { sealKeyVariable } from '../runtime/seal.ts';
import type { Clock } from '../runtime/clock.ts';
import { systemClock } from '../runtime/clock.ts';
import { createFileLog, type FileLog } from '../runtime/fileLog.ts';
import {
  connectWithVariables,
  createFillTarget,
} from '../services/servers/connectWithVariables.ts';
import { RequestSecrets } from '../services/models/requestSecrets.ts';
import { inputsOfServer } from '../services/servers/serverVariables.ts';
import { createGetToken } from '../services/servers/signIns.ts';
import { openDatabase, openTemporaryDatabase } from '../store/database/openDatabase.ts';
import { maxInlineBytes } from '../store/database/prepareFile.ts';
import { writeDurably } from '../store/durability/durableFile.ts';
import { openStore } from '../store/store.ts';
import { connectInRunFolder } from '../services/servers/runFolder.ts';
import { StartingServers } from '../services/servers/startingServers.ts';
import { connectAsThisProgram, recordHosts } from '../services/servers/programConnector.ts';
import type { ServicesOptions } from './servicesOptions.ts';

export const databaseName = 'touchstone.sqlite';
export const logName = 'touchstone.log';

export type OptionsWithAccess = ServicesOptions & { access: 'read' | 'write' };

/** What every service stands on: the database, the secrets, the log and connections to servers. */
export type Workspace = ReturnType<typeof openWorkspace>;

/** Opens what `Workspace` holds. Everything that needs closing is added to `closing`. */
export function openWorkspace(options: OptionsWithAccess, closing: CloseStack) {
  const { folder, access, clock = systemClock, nextId = orderedId } = options;
  const file = join(folder, databaseName);
  const { migrations: migrationsFolder, emptyDatabase: empty } = programFiles;
  // A command has no screen to show meanwhile, and ends before a check behind it would.
  const maxUnread = options.host === 'cli' ? undefined : maxInlineBytes;
  const db =
    options.temporary === true
      ? openTemporaryDatabase({ file, empty, migrationsFolder, clock })
      : openDatabase({ file, migrationsFolder, clock, access, maxUnread });
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
  const sealKey = environment[sealKeyVariable] || null;
  if (sealKey !== null) secrets.guard(sealKey);
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
  const starting = new StartingServers(clock);
  closing.add(watchContacts((host) => void contactedHosts.add(host)));
  const recordingConnect = recordHosts(
    connectInRunFolder(
      options.connect ??
        connectAsThisProgram({ ...options, allowedHosts, onStart: starting.begin }),
    ),
    contactedHosts,
  );
  const vault = redactingVault(
    options.vault ?? createSecretVault({ store: keys, environment }),
    secrets,
  );
  /** The secrets of one workshop tool, which no other tool and no server can read. */
  const toolVault = (toolId: string): SecretVault =>
    redactingVault(
      createSecretVault({ store: keys, environment, prefix: `tool:${toolId}/` }),
      secrets,
    );
  const requestSecrets = new RequestSecrets(
    redactingVault(createSecretVault({ store: keys, environment, prefix: 'model:' }), secrets),
    environment,
    secrets,
  );
  const fillTarget = createFillTarget(
    environment,
    (name) => inputsOfServer(store.servers.getByName(name)),
    vault,
    createGetToken(vault, { allowedHosts }, secrets.redact),
    secrets,
  );
  const connect = connectWithVariables(recordingConnect, fillTarget, secrets);
  const contacted = (host: string) => void contactedHosts.add(host);
  return {
    options,
    db,
    file,
    store,
    secrets,
    vault,
    toolVault,
    log,
    fileLog,
    connect,
    fillTarget,
    allowedHosts,
    starting,
    environment,
    contactedHosts,
    clock,
    nextId,
    openEmbedder: createOpenEmbedder({
      secrets,
      contacted,
      keep: (model) => requestSecrets.keep(model),
      additions: (model) => requestSecrets.read(model),
    }),
    requestSecrets,
    sealKey,
    models: createModelAccess({
      secrets,
      sealKey,
      contacted,
      additions: (configuration) => requestSecrets.read(configuration),
    }),
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
        file: join(folder, logName),
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
