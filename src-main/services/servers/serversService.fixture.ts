import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import { createConnector, type ConnectorOptions } from '../../adapters/mcp/connect.ts';
import { fakeStdioServer } from '../../testing/fakeMcpServer/start.ts';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import type { Store } from '../../store/store.ts';
import { SettingsService } from '../settings/settingsService.ts';
import { ServersService } from './serversService.ts';

export const noSignal = { signal: new AbortController().signal };

/** Long enough for a busy machine, so that only the limit under test is ever met. */
const generousDeadlines = { connectMs: 20_000, startMs: 20_000, listMs: 20_000, callMs: 20_000 };

/**
 * The real service on a real database, with real connections. `checked` resolves when the outcome
 * of the next check is stored.
 */
export function openServers(
  connector: ConnectorOptions = {},
  checkWaitMs = 60_000,
  redact: (text: string) => string = (text) => text,
) {
  const database = createTestDatabase();
  const waiting: (() => void)[] = [];
  const logged: string[] = [];
  const store: Store = {
    ...database.store,
    servers: {
      ...database.store.servers,
      setStatus(id, change) {
        const changed = database.store.servers.setStatus(id, change);
        for (const resolve of waiting.splice(0)) resolve();
        return changed;
      },
    },
  };
  const connect = createConnector({
    ...connector,
    deadlines: { ...generousDeadlines, ...connector.deadlines },
  });
  const service = new ServersService({
    store,
    tokens: database.tokens,
    connect,
    redact,
    clock: database.clock,
    nextId: database.nextId,
    maxCheckWaitMs: checkWaitMs,
    log: { info: (line) => void logged.push(line), error: (line) => void logged.push(line) },
  });
  const unused = (): never => {
    throw new Error('Nothing of this kind was deleted.');
  };
  const settings = new SettingsService({
    store,
    sample: { read: unused, add: unused, remove: unused },
    environment: {},
    contactedHosts: new Set(),
    fixed: {
      version: '0',
      host: 'cli',
      folder: database.folder,
      databaseFile: database.file,
      schemaVersion: 0,
      sqliteVersion: '',
      nodeVersion: '',
      platform: '',
      readOnly: false,
      plainSecrets: null,
    },
    restore: {
      server: (content) => service.restore(content),
      suite: unused,
      cases: unused,
      tasks: unused,
      evaluation: unused,
      dataset: unused,
    },
  });
  return {
    logged,
    database,
    service,
    settings,
    checked: () => new Promise<void>((resolve) => waiting.push(resolve)),
    create: (name: string, config: ServerConfig = fakeStdioServer()) =>
      service.create({ name, config }),
    /** The same, checked by a person, so that its tools are stored. */
    async createListed(name: string, config: ServerConfig = fakeStdioServer()) {
      const { id } = await service.create({ name, config });
      return service.check({ id });
    },
    addCase(expected: string, servers: string[] = [expected]) {
      const suite = database.store.suites.insert({
        name: `suite of ${expected}`,
        system: null,
        messages: [],
        servers,
      });
      return database.store.testCases.insertMany(suite.id, [
        {
          key: 'a',
          name: 'a',
          query: 'q',
          tags: [],
          servers: [],
          expectedCalls: [{ server: expected, tool: 'echo', parameters: { text: 'x' } }],
          orderDependent: false,
          allowedCalls: [{ server: expected, tool: 'look' }],
          stubResults: [],
        },
      ]);
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      database.close();
    },
  };
}
