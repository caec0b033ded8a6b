import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../process/environment.ts';
import { createRunId } from '../process/runId.ts';
import { KeychainTrouble } from './keychainReason.ts';
import {
  keychainAnswer,
  lateAnswer,
  type KeychainEntry,
  type KeychainEntryClass,
  type KeychainTask,
} from './keychainTask.ts';
import { besideModule } from '../../runtime/besideModule.ts';

const childEntry = fileURLToPath(besideModule(import.meta.url, 'keychainChild'));

/** Where the bus of the session is, and where a store can show its dialog to be unlocked. */
const sessionVariables = () =>
  Object.fromEntries(
    'DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY'
      .split(' ')
      .flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );

export interface ChildParts {
  /** The Node executable that runs the child. */
  node: string;
  timeLimitMs: number;
}

/**
 * Stands in for the keychain package. Each call runs in a process of its own that is ended at the
 * limit, so that a store that never answers blocks neither window nor command.
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
    // A child that exits before it has read is reported by its exit.
    child.stdin.on('error', () => undefined).end(JSON.stringify(task));
    const [output, signal] = await Promise.all([text(child.stdout), ended.promise]);
    if (signal === 'SIGKILL') throw lateAnswer(timeLimitMs);
    const parsed = keychainAnswer.safeParse(output === '' ? null : JSON.parse(output));
    if (!parsed.success) throw new KeychainTrouble('its process exited without an answer');
    if ('error' in parsed.data) throw new Error(parsed.data.error);
    return parsed.data.answer;
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
