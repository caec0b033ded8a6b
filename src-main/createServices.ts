import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerConfig } from '../src-shared/domain/server.ts';
import { createOpenChatModel, describeTools } from './adapters/llm/openChatModel.ts';
import { createConnector } from './adapters/mcp/connect.ts';
import type { ConnectMcp } from './adapters/mcp/mcpConnection.ts';
import { keepNurserySmall } from './memory.ts';
import { programFiles } from './programFiles.ts';
import type { Clock, NextId } from './services/clock.ts';
import { systemClock } from './services/clock.ts';
import { EvaluationsService } from './services/evaluations/evaluationsService.ts';
import { createScorer } from './services/evaluations/scorer.ts';
import type { Log } from './services/log.ts';
import { ServersService } from './services/servers/serversService.ts';
import type { Services } from './services/services.ts';
import { addSample } from './services/settings/sampleWorkspace.ts';
import { SettingsService } from './services/settings/settingsService.ts';
import { createSuitesService } from './services/suites/suitesService.ts';
import { openDatabase } from './store/openDatabase.ts';
import { identifyProcess } from './store/processIdentity.ts';
import { openStore } from './store/store.ts';
import type { HostKind, WorkspaceLock } from './store/workspaceLock.ts';
import { acquireWorkspaceLock } from './store/workspaceLock.ts';

export interface ServicesOptions {
  host: HostKind;
  /** The workspace: one folder, one database, one holder. */
  folder: string;
  /** `read` opens beside a running window and takes no lock. */
  access?: 'read' | 'write';
  /** Puts the bundled server and suite into a workspace that is new. */
  sample?: boolean;
  /** A Node that can run scripts: in a window of Electron, not the process itself. */
  node?: string;
  clock?: Clock;
  nextId?: NextId;
  log?: Log;
  connect?: ConnectMcp;
}

export interface OpenServices {
  services: Services;
  lock: WorkspaceLock | null;
  close(): Promise<void>;
}

/** The composition root: every host opens exactly this, and whoever opens it closes it. */
export async function createServices(options: ServicesOptions): Promise<OpenServices> {
  const { host, folder, access = 'write', clock = systemClock, nextId = randomUUID } = options;
  keepNurserySmall();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = access === 'write' ? acquireWorkspaceLock({ folder, host, clock }) : null;
  try {
    const opened = await openWorkspace(options, folder, access, clock, nextId);
    return {
      services: opened.services,
      lock,
      async close() {
        await opened.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function openWorkspace(options: ServicesOptions, folder: string, access: 'read' | 'write', clock: Clock, nextId: NextId) {
  const file = join(folder, 'touchstone.sqlite');
  const db = openDatabase({ file, migrationsFolder: programFiles.migrations, clock, access });
  const store = openStore(db, { clock, nextId });
  const contactedHosts = new Set<string>();
  const node = options.node ?? process.execPath;
  const connect = noteHosts(options.connect ?? createConnector({ self: { command: node, args: [programFiles.commandLine] } }), contactedHosts);
  const scorer = createScorer();

  const servers = new ServersService({ store, connect, clock, nextId });
  const suites = createSuitesService({ store });
  const evaluations = new EvaluationsService({ store, connect, openChatModel: createOpenChatModel(), describeTools, scorer, clock, nextId, owner: ownerName() });
  const settings = new SettingsService({
    store,
    contactedHosts,
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
    restore: { server: servers.restore, ...suites.restore, evaluation: evaluations.restore },
  });

  if (access === 'write') {
    store.trash.clear();
    evaluations.recover();
    if (options.sample) await addSample(store, suites, programFiles.datasets);
  }
  return {
    services: { servers, suites, evaluations, settings } satisfies Services,
    async close() {
      await evaluations.close();
      await servers.close();
      await scorer.close();
      db.close();
    },
  };
}

/** The process that runs evaluations here; its start time tells it from a later process of the same number. */
function ownerName(): string {
  const { pid, startTime } = identifyProcess();
  return startTime === null ? `${pid}` : `${pid}@${startTime}`;
}

/** Which hosts were contacted is part of what the program tells about itself. */
function noteHosts(connect: ConnectMcp, hosts: Set<string>): ConnectMcp {
  return (target, signal) => {
    const host = hostOf(target.config);
    if (host) hosts.add(host);
    return connect(target, signal);
  };
}

function hostOf(config: ServerConfig): string | null {
  return config.transport === 'stdio' ? null : new URL(config.url).host;
}
