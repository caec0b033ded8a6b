import { createRouterClient } from '@orpc/server';
import type { Client } from '../../src-shared/contract/index.ts';
import type { ServerConfig } from '../../src-shared/domain/server.ts';
import { toolContent, type ToolContent } from '../../src-shared/domain/workshop.ts';
import { createSecretGuard, type SecretGuard } from '../adapters/secrets/secretGuard.ts';
import { createSecretStore, type SecretStore } from '../adapters/secrets/secretStore.ts';
import { createSecretVault } from '../adapters/secrets/secretVault.ts';
import type { OpenChatModel } from '../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../adapters/mcp/mcpConnection.ts';
import { openEchoServer } from '../servers/echo.ts';
import { serveWorkshopOverHttp } from '../servers/workshop/http.ts';
import { handlersOf } from '../rpc/router.ts';
import { WorkshopService } from '../services/workshop/workshopService.ts';
import { testedProgram } from './testedProgram.ts';
import { createTestDatabase, type TestDatabase } from './testDatabase.ts';

export const noSignal = { signal: new AbortController().signal };

export interface TestWorkshop extends AsyncDisposable {
  database: TestDatabase;
  /** The service as hosts call it, through the contract. */
  workshop: Client['workshop'];
  logged: string[];
  /** Does what the start of the program does. */
  recover(): void;
  close(): Promise<void>;
}

interface Options {
  /** Where secrets of tools are kept, and the variables that may hold them. */
  keys?: SecretStore;
  environment?: Readonly<Record<string, string>>;
  secretGuard?: SecretGuard;
  openChatModel?: OpenChatModel;
  /** The folder in which clients keep their configuration. */
  home?: string;
  connect?: ConnectMcp;
  database?: TestDatabase;
}

/** The real service on a real database; scripts really run. */
export function createTestWorkshop(options: Options = {}): TestWorkshop {
  const database = options.database ?? createTestDatabase();
  const logged: string[] = [];
  const { keys = createSecretStore(), environment = {} } = options;
  const service = new WorkshopService({
    store: database.store,
    connect:
      options.connect ?? (() => Promise.reject(new Error('No server is connected in this test.'))),
    clock: { now: database.clock.now, monotonic: () => performance.now() },
    toolVault: (id) => createSecretVault({ store: keys, environment, prefix: `tool:${id}/` }),
    secretGuard: options.secretGuard ?? createSecretGuard(),
    openChatModel: options.openChatModel ?? null,
    contactedHosts: new Set(),
    clients: {
      machine: { environment: {}, platform: 'linux', home: options.home ?? '/nowhere' },
      program: { node: process.execPath, commandLine: testedProgram },
      folder: '/nowhere/workspace',
    },
    openServer: (server) =>
      serveWorkshopOverHttp({ ...server, log: (line) => void logged.push(line) }),
    openEcho: openEchoServer,
    register: async ({ name, config }: { name: string; config: ServerConfig }) =>
      database.store.servers.insert({ name, url: JSON.stringify(config), config }),
    log: { info: () => undefined, error: (line) => void logged.push(line) },
  });
  const client = createRouterClient(
    { workshop: handlersOf('workshop', service) },
    {
      context: {
        log: { info: () => undefined, error: (line) => void logged.push(line) },
        redactValue: (value) => value,
      },
    },
  );
  return {
    database,
    workshop: client.workshop,
    logged,
    recover: () => service.recover(),
    close: () => service.close(),
    async [Symbol.asyncDispose]() {
      await service.close();
      database.close();
    },
  };
}

/** A valid tool; the given parts replace its own. */
export function toolOf(change: Record<string, unknown> = {}): ToolContent {
  return toolContent.parse({
    name: 'echo_text',
    displayName: 'Echo',
    description: 'Gives back what it got.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    executorType: 'shell',
    executorConfig: { output: 'json' },
    scriptContent: 'cat\n',
    ...change,
  });
}

/** A shell tool that runs this text with `node`, which every test machine has. */
export function nodeTool(script: string, change: Record<string, unknown> = {}): ToolContent {
  return toolOf({
    scriptContent: null,
    executorConfig: { command: process.execPath, args: ['-e', script], output: 'json' },
    ...change,
  });
}
