import type { ContractRouterClient } from '@orpc/contract';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Contract } from '../../../src-shared/contract/index.ts';
import { defaultWorkspace } from '../../runtime/programFiles.ts';
import { findHolder } from '../../services/settings/workspaceHolder.ts';
import type { Log } from '../../runtime/log.ts';
import type { GlobalOptions } from './output/output.ts';
import { isEnding, keepUntilClosed } from './signals.ts';

export type Client = ContractRouterClient<Contract>;

export interface Session {
  client: Client;
  /** True where a running window does the work. */
  remote: boolean;
  close(): Promise<void>;
}

export const workspaceOf = (options: GlobalOptions): string =>
  resolve(options.workspace ?? defaultWorkspace());

/** Standard output is for the answer alone. */
const log: Log = {
  info: () => undefined,
  // What an interrupt leaves without its workspace fails, and is no fault.
  error: (message) => {
    if (!isEnding()) process.stderr.write(`${message}\n`);
  },
};

async function openHere(
  folder: string,
  access: 'read' | 'write',
  sample: boolean,
): Promise<Session> {
  // Read when a workspace is opened: what works on files alone, and what asks for help, needs none
  // of it.
  const [{ createServices }, { createRouter }, { createRouterClient }] = await Promise.all([
    import('../../createServices.ts'),
    import('../../rpc/router.ts'),
    import('@orpc/server'),
  ]);
  const opened = await createServices({ host: 'cli', folder, access, sample });
  const client: Client = createRouterClient(createRouter(opened.services), { context: { log } });
  return heldSession({ client, remote: false, close: () => opened.close() });
}

/** Closed once, by the command or by an interrupt, whichever comes first. */
function heldSession(session: Session): Session {
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= session.close().finally(release));
  const release = keepUntilClosed(close);
  return { ...session, close };
}

/**
 * The same contract as the window's, over the shortest way: through the window's host where one is
 * open and the command writes, else in this process.
 */
export async function openSession(
  options: GlobalOptions,
  access: 'read' | 'write',
): Promise<Session> {
  const folder = workspaceOf(options);
  const holder = findHolder(folder);
  if (access === 'write' && holder?.endpoint) {
    const { connectToHost } = await import('../../endpoint/client.ts');
    const remote = await connectToHost(holder.endpoint);
    return heldSession({ client: remote.client, remote: true, close: () => remote.close() });
  }
  // Where nobody holds the workspace, even a reader may have to create or migrate it.
  return openHere(folder, holder ? access : 'write', true);
}

/** For what reads for a long time beside whoever writes: it holds no lock. */
export async function openReader(options: GlobalOptions): Promise<Session> {
  const folder = workspaceOf(options);
  // Where nobody holds the workspace, it may have to be created or migrated first.
  if (findHolder(folder) === null) await (await openHere(folder, 'write', true)).close();
  return openHere(folder, 'read', false);
}

/** For work on files alone: a workspace that is gone when the command ends. */
export async function openTemporarySession(): Promise<Session> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-'));
  const session = await openHere(folder, 'write', false).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return heldSession({
    client: session.client,
    remote: false,
    async close() {
      await session.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
