import type { WorkshopBackend } from '../../services/workshop/serving.ts';
import { serveOverStdio } from '../serveOverStdio.ts';
import {
  announceChanges,
  createWorkshopServer,
  logToStandardError,
  type WorkshopLog,
} from './workshopServer.ts';

/** Serves over standard input and output, see `serveOverStdio`. Calls in progress are cancelled. */
export async function serveWorkshopOverStdio({
  backend,
  log = logToStandardError,
}: {
  backend: WorkshopBackend;
  log?: WorkshopLog;
}): Promise<void> {
  const connection = createWorkshopServer(backend, log);
  const watching = new AbortController();
  let announcing: Promise<void> = Promise.resolve();
  try {
    await serveOverStdio(connection, {
      log,
      onConnected: () => {
        announcing = announceChanges(backend, () => [connection], watching.signal, log);
      },
      onEnding: () => watching.abort(),
    });
    await announcing;
  } finally {
    watching.abort();
  }
}
