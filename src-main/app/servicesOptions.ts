import type { ConnectMcp } from '../adapters/mcp/mcpConnection.ts';
import type { SecretGuard } from '../adapters/secrets/secretGuard.ts';
import { type Secrets } from '../adapters/secrets/secrets.ts';
import type { AskPassphrase } from '../adapters/secrets/secretFile.ts';
import { type SecretVault } from '../adapters/secrets/secretVault.ts';
import type { Clock, NextId } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { SaveDialog } from '../services/saving/saveDialog.ts';
import type { HostKind } from '../store/durability/workspaceLock.ts';

/**
 * How a host opens a workspace. Everything optional has the value of the real program; tests
 * replace it.
 */
export interface ServicesOptions {
  host: HostKind;
  /** The workspace: one folder with one database, held by one process. */
  folder: string;
  /**
   * `read` opens next to a running window and takes no lock. `write-if-possible` reads where the
   * disk is full or the folder can't be written to.
   */
  access?: 'read' | 'write' | 'write-if-possible';
  /**
   * A new folder that is removed after it was closed: it needs no lock, and nothing written to it
   * has to survive the end of the process.
   */
  temporary?: boolean;
  /** Adds the sample to a new workspace: all of it for a window, the Todo part for a command. */
  sample?: boolean;
  /** How long the sample's evaluation waits for the window to paint. */
  sampleDelayMs?: number;
  /** A Node binary that can run scripts; in Electron that is not the process itself. */
  node?: string;
  /** The command-line script for that Node; default: this program's own. */
  commandLine?: string;
  /** The variables that this program was started with; default: those that are left of them. */
  environment?: NodeJS.ProcessEnv;
  clock?: Clock;
  nextId?: NextId;
  log?: Log;
  connect?: ConnectMcp;
  /** Where keys come from; default: the encrypted file, the keychain and the environment. */
  secrets?: Secrets;
  /** The workspace whose encrypted keys and prices count too; default: the one in `folder`. */
  homeFolder?: string | undefined;
  /** Asks a person for the passphrase of the encrypted file; default: nobody is asked. */
  askPassphrase?: AskPassphrase | undefined;
  vault?: SecretVault;
  /** Learns the secrets of this workspace too; a command redacts its output by it. */
  secretGuard?: SecretGuard;
  /** The system's save dialog; default: the page saves by itself. */
  saveDialog?: SaveDialog;
}
