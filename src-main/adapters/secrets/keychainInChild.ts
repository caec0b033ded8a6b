import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../process/environment.ts';
import { createRunId } from '../process/runId.ts';
import {
  keychainAnswer,
  lateAnswer,
  type KeychainEntry,
  type KeychainEntryClass,
  type KeychainTask,
} from './keychainTask.ts';

const childEntry = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? './keychainChild.ts' : './keychainChild.js',
    import.meta.url,
  ),
);

/** Where the session's bus is, and where a store may ask to be unlocked. */
const sessionVariables = () =>
  Object.fromEntries(
    [
      'DBUS_SESSION_BUS_ADDRESS',
      'XDG_RUNTIME_DIR',
      'DISPLAY',
      'WAYLAND_DISPLAY',
      'XAUTHORITY',
    ].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );

export interface ChildParts {
  /** A Node that runs scripts. */
  node: string;
  timeLimitMs: number;
}

/**
 * The keychain's package, each call in a process of its own that is ended at the limit: one that
 * waits for ever holds up neither window nor command.
 */
export function entriesInChild({ node, timeLimitMs }: ChildParts): {
  AsyncEntry: KeychainEntryClass;
} {
  async function ask(task: KeychainTask): Promise<string | boolean | null> {
    const child = spawn(node, [childEntry], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: childEnvironment(sessionVariables(), createRunId()),
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
    });
    const ended = Promise.withResolvers<NodeJS.Signals | null>();
    child.once('error', ended.reject).once('close', (_code, signal) => ended.resolve(signal));
    // A child that is gone before it has read says so by how it ended.
    child.stdin.on('error', () => undefined).end(JSON.stringify(task));
    const [said, signal] = await Promise.all([text(child.stdout), ended.promise]);
    if (signal === 'SIGKILL') throw lateAnswer(timeLimitMs);
    const told = keychainAnswer.safeParse(said === '' ? null : JSON.parse(said));
    if (!told.success) throw new Error('its process ended without an answer');
    if ('error' in told.data) throw new Error(told.data.error);
    return told.data.answer;
  }

  return {
    AsyncEntry: class implements KeychainEntry {
      readonly #task: Pick<KeychainTask, 'service' | 'account'>;

      constructor(service: string, account: string) {
        this.#task = { service, account };
      }

      async getPassword() {
        const answer = await ask({ ...this.#task, action: 'get', value: null });
        return typeof answer === 'string' ? answer : null;
      }

      async setPassword(value: string) {
        await ask({ ...this.#task, action: 'set', value });
      }

      deletePassword = async () =>
        (await ask({ ...this.#task, action: 'remove', value: null })) === true;
    },
  };
}
