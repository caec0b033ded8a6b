import { serveOverStdio, type Pipes } from '../serveOverStdio.ts';
import {
  createTodoServer,
  logToStandardError,
  systemTime,
  type TodoServerOptions,
} from './todoServer.ts';
import { TodoStore } from './todoStore.ts';

/** Serves over standard input and output, see `serveOverStdio`. */
export async function serveTodoOverStdio({
  file,
  clock = systemTime,
  log = logToStandardError,
  pipes = process,
}: TodoServerOptions & { pipes?: Pipes }): Promise<void> {
  const store = new TodoStore(file, clock);
  try {
    await serveOverStdio(createTodoServer(store, log), { log, pipes });
  } finally {
    store.close();
  }
}
