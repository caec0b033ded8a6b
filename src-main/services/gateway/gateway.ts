import type { ExecutionMode, TaskStub } from '../../../src-shared/domain/task.ts';
import type { ToolOverride } from '../../../src-shared/domain/toolOverride.ts';
import type { WireTarget } from '../../adapters/mcp/mcpConnection.ts';
import type { LineEvents, LineOptions, ServerLine } from '../../adapters/mcp/serverLine.ts';
import { createProgramFolder, removeProgramFolder } from '../../adapters/process/programFolder.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { FillTarget } from '../servers/connectWithVariables.ts';
import { asksForFolder, fillRunFolder } from '../servers/runFolder.ts';
import { TaskJudge } from '../tasks/taskJudge.ts';
import { checkRelayed } from '../capture/checkRelayed.ts';
import { newSessionFile } from '../capture/sessionsFolder.ts';
import { MessageRules } from './messageRules.ts';
import { Recording } from './recording.ts';
import { Relay } from './relay.ts';

export interface GatewayParts {
  store: Pick<Store, 'servers'>;
  fill: FillTarget;
  options: LineOptions;
  guard: SecretGuard;
  clock: Clock;
  /** The workspace. */
  folder: string;
}

export interface GatewaySession {
  server: string;
  mode: ExecutionMode;
  stubs: readonly TaskStub[];
  overrides: ReadonlyMap<string, ToolOverride>;
  /**
   * Where each connection is recorded: in a file of its own with this name or the next number, or
   * among the captured sessions of the workspace; null: nowhere.
   */
  record: { file: string } | 'captured' | null;
  log: (line: string) => void;
  /** Told why a recording ended early. */
  onLost: (why: string) => void;
}

/**
 * Stands between clients and the registered servers: each connection of a client gets a server of
 * its own, with the credentials that the workspace knows and that the client never sees.
 */
export class Gateway implements AsyncDisposable {
  readonly #parts: GatewayParts;
  readonly #judge = new TaskJudge();

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /** Throws NOT_FOUND for a server that isn't registered, INVALID for one without messages. */
  check(name: string): void {
    checkRelayed(name, this.#parts.store.servers.getByName(name));
  }

  /** The relay of one connection. Throws if its recording can't begin. */
  async relay({
    server,
    mode,
    stubs,
    overrides,
    record,
    log,
    onLost,
  }: GatewaySession): Promise<Relay> {
    this.check(server);
    const { clock, guard, folder } = this.#parts;
    const header = { server, mode, overrides: [...overrides.keys()] };
    const recording =
      record === null
        ? null
        : new Recording({
            file:
              record === 'captured'
                ? await newSessionFile(folder, { server, now: clock.now() })
                : record.file,
            header: { ...header, masked: record === 'captured' },
            clock,
            redact: guard.redactValue,
            onTrouble: onLost,
          });
    return new Relay({
      open: (events) => this.#open(server, events, (text) => log(guard.redact(text))),
      rules: new MessageRules({
        server,
        mode,
        stubs,
        overrides,
        findStub: (of, args) => this.#judge.findStub(of, args),
      }),
      recording,
      log,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#judge[Symbol.asyncDispose]();
  }

  async #open(
    name: string,
    events: LineEvents,
    log: (text: string) => void,
  ): Promise<Pick<ServerLine, 'send' | 'close'>> {
    const { store, fill, options } = this.#parts;
    const config = store.servers.getByName(name)?.config;
    if (config === undefined) throw new Error(`Server ${name} was removed.`);
    const target = await fill({ name, config }, AbortSignal.timeout(signInMs));
    if (target.config.transport === 'skills') throw new Error(`Server ${name} has no messages.`);
    const wired: WireTarget = {
      ...target,
      config: target.config,
      // What a server writes to its standard error is for whoever starts it.
      tap: (event) => {
        if (event.kind === 'stderr') log(event.text);
      },
    };
    // The SDK is loaded when a server is needed.
    const { openServerLine } = await import('../../adapters/mcp/serverLine.ts');
    if (wired.config.transport !== 'stdio' || !asksForFolder(wired.config))
      return openServerLine(wired, options, events);
    const folder = await createProgramFolder();
    try {
      const own = { ...wired, config: fillRunFolder(wired.config, folder) };
      const line = await openServerLine(own, options, events);
      return {
        send: (message) => line.send(message),
        async close() {
          try {
            await line.close();
          } finally {
            await removeProgramFolder(folder);
          }
        },
      };
    } catch (error) {
      await removeProgramFolder(folder);
      throw error;
    }
  }
}

/** How long a token of a sign-in may take to be renewed. */
const signInMs = 30_000;
