import { join } from 'node:path';
import { errorText } from '../../src-shared/domain/errorText.ts';
import { startSweep, sweeping } from '../adapters/process/sweepLeftovers.ts';
import { CloseStack } from '../runtime/closeStack.ts';
import type { Log } from '../runtime/log.ts';
import { makeFolder } from '../runtime/makeFolder.ts';
import { keepMemorySmall } from '../runtime/v8Flags.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { systemClock } from '../runtime/clock.ts';
import type { Gateway } from '../services/gateway/gateway.ts';
import type { Services } from '../services/services.ts';
import { hidePlainSecrets } from '../services/servers/secrets/hidePlainSecrets.ts';
import { startIntegrityCheck } from '../services/settings/integrityCheck.ts';
import { preventsWriting, withDiskTrouble } from '../store/durability/diskTrouble.ts';
import { acquireWorkspaceLock, type WorkspaceLock } from '../store/durability/workspaceLock.ts';
import { connectServices, type PlainSecrets } from './connectServices.ts';
import {
  databaseName,
  logName,
  openWorkspace,
  type OptionsWithAccess,
  type Workspace,
} from './openWorkspace.ts';
import type { ServicesOptions } from './servicesOptions.ts';

/** Open services with what a host needs besides them. */
export interface OpenServices {
  services: Services;
  /** Stands between clients and servers. No procedure of the contract opens it. */
  gateway: Gateway;
  /** The log of the host. Secrets are redacted, and a window also writes it to a file. */
  log: Log;
  lock: WorkspaceLock | null;
  /** Why the workspace is open for reading although it was to be written to. */
  unwritable: string | null;
  /** Why the prices of `homeFolder` don't count. */
  unreadPrices: string | null;
  /** What happened to credentials that stood in the database; null if there were none. */
  plainSecrets: string | null;
  /** True while anything runs that the end of the program would interrupt. */
  isRunning(): boolean;
  close(): Promise<void>;
}

/** The composition root: every host opens exactly this. The caller closes it. */
export async function createServices(options: ServicesOptions): Promise<OpenServices> {
  keepMemorySmall();
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

async function openWith(options: OptionsWithAccess): Promise<OpenServices> {
  makeFolder(options.folder);
  const closing = new CloseStack();
  try {
    const { host, folder, access, temporary = false, clock = systemClock } = options;
    const lock =
      access === 'write' && !temporary
        ? withDiskTrouble(join(folder, databaseName), () =>
            acquireWorkspaceLock({ folder, host, clock }),
          )
        : null;
    closing.add(() => lock?.release());
    const opened = await openServices(options, closing);
    return { ...opened, lock, unwritable: null, close: () => closing.run() };
  } catch (error) {
    // The reason why it could not open matters more than what then could not be closed.
    await closing.run().catch(() => undefined);
    throw error;
  }
}

/** Opens the workspace and connects the services, then ends what an earlier program left undone. */
async function openServices(options: OptionsWithAccess, closing: CloseStack) {
  const { workspace, plain } = await openWithoutPlainSecrets(options, closing);
  const connected = connectServices(workspace, closing, plain);
  const { services, gateway, sample, recover, settle, unreadPrices, isRunning } = connected;
  const { db, store, log = noLog, clock } = workspace;
  if (options.access === 'write') {
    // Runs in the background so that it does not delay the start; closing waits for it.
    if (sweeping.atStart) closing.add(startSweep(workspace.log));
    store.trash.clear();
    recover();
    if (options.sample) {
      const isWindow = options.host !== 'cli';
      await sample.addToNew(isWindow ? 'whole' : 'todo');
      if (isWindow) sample.evaluateWhenDue(options.sampleDelayMs);
    }
    // After all that a start writes: what the check finds is said in the window.
    const { session } = db;
    if (session !== null && options.host !== 'cli') {
      const { migrations: migrationsFolder } = programFiles;
      const check = startIntegrityCheck({ db, session, store, migrationsFolder, clock, log });
      closing.add(check.stop);
      void check.done.then(settle);
    }
  }
  if (plain.note !== null) workspace.fileLog?.info(plain.note);
  return { services, gateway, log, unreadPrices, isRunning, plainSecrets: plain.note };
}

/**
 * Opens the workspace, and moves credentials out of a database that an earlier version wrote. Such a
 * database is closed and opened again, so that its journal, which may still hold them, is gone.
 */
async function openWithoutPlainSecrets(
  options: OptionsWithAccess,
  closing: CloseStack,
): Promise<{ workspace: Workspace; plain: PlainSecrets }> {
  const first = new CloseStack();
  closing.add(() => first.run());
  const workspace = openWorkspace(options, first);
  const without = { workspace, plain: { note: null, hide: async () => undefined } };
  if (options.access !== 'write' || options.temporary === true) return without;
  const { db, vault, secrets, log } = workspace;
  const file = join(options.folder, logName);
  const logs = [file, `${file}.old`];
  const hideIn = ({ db, store, vault, secrets: { redact } }: Workspace) =>
    hidePlainSecrets({ db, store, vault, redact, logs });
  try {
    const { note, rewritten } = await hideIn(workspace);
    if (rewritten) await first.run();
    const opened = rewritten ? openWorkspace({ ...options, vault, secrets }, closing) : workspace;
    const plain: PlainSecrets = {
      note,
      hide: async () => {
        plain.note = (await hideIn(opened)).note ?? plain.note;
      },
    };
    return { workspace: opened, plain };
  } catch (error) {
    if (preventsWriting(error) || !db.open) throw error;
    log?.error(`Credentials in the database were not looked for: ${errorText(error)}`);
    return without;
  }
}

const noLog: Log = { info: () => undefined, error: () => undefined };
