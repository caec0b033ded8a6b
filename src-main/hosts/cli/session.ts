import { resolve } from 'node:path';
import type { Client } from '../../../src-shared/contract/index.ts';
import { createProgramFolder, removeProgramFolder } from '../../adapters/process/programFolder.ts';
import { defaultWorkspace } from '../../runtime/programFiles.ts';
import { findHolder } from '../../services/settings/workspaceHolder.ts';
import type { Gateway } from '../../services/gateway/gateway.ts';
import type { NextId } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { sha256 } from '../../runtime/sha256.ts';
import type { CommandContext } from './commandContext.ts';
import type { CommandIo } from './commandIo.ts';
import { startText } from '../../../src-shared/display/serverTexts.ts';
import { UsageError } from './exitCodes.ts';
import { askPassphrase } from './input/askPassphrase.ts';
import type { Output } from './output/output.ts';
import { isInterrupted, registerCleanup } from './signals.ts';
import { openWhenFree } from './waitForWorkspace.ts';

/** A client of the contract, in this process or in a running window. */
export type { Client };

/** An open workspace, or a connection to the window that holds it. */
export interface Session {
  client: Client;
  /** True if a running window does the work. */
  remote: boolean;
  close(): Promise<void>;
}

/** A session whose services run in this process. */
export interface LocalSession extends Session {
  gateway: Gateway;
}

/** The absolute path of the workspace folder. */
export function workspaceOf({ globals, io }: Pick<CommandContext, 'globals' | 'io'>): string {
  // An unset variable of a script must not turn the current folder into a workspace.
  if (globals.workspace === '')
    throw new UsageError('--workspace: The name is empty. Name a folder.');
  return resolve(globals.workspace ?? defaultWorkspace(io.env));
}

/** Reports errors of the services on standard error. Standard output is for the answer only. */
const logTo = ({ stderr }: CommandIo): Log => ({
  info: () => undefined,
  // After an interrupt, errors only say that the workspace is closed already.
  error: (message) => {
    if (!isInterrupted()) stderr.write(`${message}\n`);
  },
});

async function openLocal(
  folder: string,
  access: 'read' | 'write' | 'write-if-possible',
  sample: boolean,
  io: CommandIo,
  own: {
    temporary?: boolean;
    homeFolder?: string;
    nextId?: NextId;
    note?: Output['note'];
  } = {},
): Promise<LocalSession> {
  const { note, ...services } = own;
  // Loaded on demand: commands that need no workspace start faster without these modules.
  const [{ createServices }, { createLocalClient }] = await Promise.all([
    import('../../app/createServices.ts'),
    import('../../rpc/router.ts'),
  ]);
  const opened = await createServices({
    host: 'cli',
    folder,
    access,
    sample,
    environment: io.env,
    ...services,
    askPassphrase: askPassphrase(io),
    commandLine: io.commandLine,
    secretGuard: io.secretGuard,
  });
  if (opened.unwritable !== null) note?.(`${opened.unwritable}\nThe workspace is read-only.`);
  if (opened.unreadPrices !== null)
    note?.(`The prices of the workspace are not used. ${opened.unreadPrices}`);
  if (opened.plainSecrets !== null) note?.(opened.plainSecrets);
  const client: Client = createLocalClient(opened.services, {
    log: logTo(io),
    redactValue: opened.services.secretGuard.redactValue,
  });
  const { gateway } = opened;
  return withCleanup({ client, gateway, remote: false, close: () => opened.close() }, note);
}

/** Ids that follow from a text and their number: UUIDs of version 8. */
function numberedIds(text: string): NextId {
  let number = 0;
  return () => {
    const hex = sha256(`${text} ${(number += 1)}`);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}

/** When a server that is still starting is named: after this time, and each time it has doubled. */
const firstStartNoteMs = 3_000;
const startPollMs = 1_000;

/** Says on standard error which servers are still starting. Returns what stops it. */
export function noteStarts(
  client: { servers: Pick<Client['servers'], 'starting'> },
  note: Output['note'],
): () => void {
  const due = new Map<string, number>();
  const poll = async (): Promise<void> => {
    // A session that is being closed has nothing to say.
    const starts = await client.servers.starting().catch(() => []);
    for (const name of due.keys())
      if (!starts.some(({ server }) => server === name)) due.delete(name);
    for (const start of starts) {
      const next = due.get(start.server) ?? firstStartNoteMs;
      if (start.elapsedMs < next) continue;
      note(`${start.server}: ${startText(start)}`);
      due.set(start.server, 2 * start.elapsedMs);
    }
  };
  const timer = setInterval(() => void poll(), startPollMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** A session that is closed once, by its command or by an interrupt. */
function withCleanup<Opened extends Session>(session: Opened, note?: Output['note']): Opened {
  let closed: Promise<void> | null = null;
  const stop = note === undefined ? null : noteStarts(session.client, note);
  const close = (): Promise<void> => {
    stop?.();
    return (closed ??= session.close().finally(unregister));
  };
  const unregister = registerCleanup(close);
  return { ...session, close };
}

/**
 * Opens a client for the contract. A command that writes while a window is open goes through that
 * window; everything else runs in this process.
 */
export async function openSession(
  context: CommandContext,
  access: 'read' | 'write',
): Promise<Session> {
  const { globals, output } = context;
  return openWhenFree(
    globals.wait,
    (text) => output.note(text),
    () => openOnce(context, access),
  );
}

async function openOnce(context: CommandContext, access: 'read' | 'write'): Promise<Session> {
  const folder = workspaceOf(context);
  const holder = findHolder(folder);
  if (access === 'write' && holder?.endpoint) {
    const { connectToHost } = await import('../../endpoint/client.ts');
    const remote = await connectToHost(holder.endpoint);
    return withCleanup(
      { client: remote.client, remote: true, close: () => remote.close() },
      (text) => context.output.note(text),
    );
  }
  // If no process holds the workspace, even a reader may have to create or migrate it.
  const possible = access === 'read' ? 'write-if-possible' : 'write';
  return openLocal(folder, holder ? access : possible, true, context.io, {
    note: (text) => context.output.note(text),
  });
}

/** A session for long reads while another process may write. It holds no lock. */
export async function openReader(context: CommandContext): Promise<LocalSession> {
  const folder = workspaceOf(context);
  const { globals, io, output } = context;
  return openWhenFree(
    globals.wait,
    (text) => output.note(text),
    async () => {
      // If no process holds the workspace, it may have to be created or migrated first.
      if (findHolder(folder) === null)
        await (
          await openLocal(folder, 'write-if-possible', true, io, {
            note: (text) => output.note(text),
          })
        ).close();
      return openLocal(folder, 'read', false, io);
    },
  );
}

/**
 * A session for commands that work on files only, with the keys and prices of the real workspace. Its own
 * workspace is removed when it closes.
 *
 * @param stamp ids follow from it, so that two runs on the same files give the same reports
 */
export async function openTemporarySession(
  context: CommandContext,
  stamp?: string,
): Promise<Session> {
  // Its name tells whose it is, so that the next start removes what a killed command left.
  const folder = await createProgramFolder();
  const session = await openLocal(folder, 'write', false, context.io, {
    temporary: true,
    homeFolder: workspaceOf(context),
    note: (text) => context.output.note(text),
    ...(stamp === undefined ? {} : { nextId: numberedIds(stamp) }),
  }).catch(async (error: unknown) => {
    await removeProgramFolder(folder);
    throw error;
  });
  return withCleanup({
    client: session.client,
    remote: false,
    async close() {
      await session.close();
      const left = await removeProgramFolder(folder);
      if (left !== null) context.output.note(`warning: ${folder} can’t be removed: ${left}`);
    },
  });
}
