import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { maxServerFileLength } from '../../../src-shared/contract/servers.ts';
import {
  mcpClientLabels,
  mcpClients,
  type ClientConfig,
  type McpClient,
  type ClientChange,
} from '../../../src-shared/domain/clientConfig.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { explainFileProblem, fileCause } from '../../runtime/fileProblem.ts';
import { readEditableFile } from '../files/readTextFile.ts';
import { checkWritable, writeFileAtomically } from '../files/writeFileAtomically.ts';
import { knownLocations, type Machine } from '../servers/import/knownFiles.ts';
import { fileShapeOf } from '../servers/import/clients.ts';
import type { ChangedFile, ClientEntry } from './clientEntry.ts';
import { addEntry, clientText, hasOwnEntry, takeOut, type NotTaken } from './clientFile.ts';

export interface ClientFilesParts {
  machine: Machine;
  /** How this program is started as a command. */
  program: { node: string; commandLine: string };
  /** The workspace folder. */
  folder: string;
}

export const commandOf = ({ program, folder }: ClientFilesParts, words: readonly string[]) => ({
  command: program.node,
  args: [program.commandLine, '--workspace', resolve(folder), ...words],
});

/**
 * The configuration of MCP clients that start a server of this program. A file is written only as it
 * was previewed, after a backup next to it, and whole or not at all.
 */
export class ClientFiles {
  readonly #machine: Machine;
  readonly #entry: ClientEntry;
  readonly #suffix: string;

  /** @param backup what tells its backups from those of other entries */
  constructor(machine: Machine, entry: ClientEntry, backup = '') {
    this.#machine = machine;
    this.#entry = entry;
    this.#suffix = `.touchstone${backup}-backup`;
  }

  list(): Promise<ClientConfig[]> {
    return Promise.all(mcpClients.map((client) => this.read(client)));
  }

  async read(client: McpClient): Promise<ClientConfig> {
    const file = await this.#fileOf(client);
    const base = { client, text: clientText(client, this.#entry), file };
    const nothing = { act: null, change: null, undo: null };
    let before: string | null;
    try {
      before = await readText(file);
    } catch (error) {
      const message =
        error instanceof ServiceError
          ? `${error.data.thing}: ${error.data.cause} ${error.data.nextStep}`
          : fileCause(error, 'read');
      const problem = { message, line: null, column: null };
      return { ...base, ...nothing, exists: true, problem, revision: '' };
    }
    const shared = { ...base, exists: before !== null, revision: revisionOf(before) };
    const changed = await this.#changed(client, before);
    if (changed.act === null) {
      const { message, line, column } = changed;
      return { ...shared, ...nothing, problem: { message, line, column } };
    }
    const { name, command, args } = this.#entry;
    const { backup, taken } = await this.#findUndo(client, before);
    return {
      ...shared,
      act: changed.act,
      problem: null,
      change:
        changed.act === 'same'
          ? null
          : describeChange(
              before ?? '',
              changed.text,
              [name, command, ...args, 'stdio', 'local'],
              fileShapeOf(client).syntax === 'yaml',
            ),
      undo:
        typeof taken === 'string' ? null : { backup, isPart: taken.isPart, choices: taken.choices },
    };
  }

  /** Writes what was previewed. CONFLICT if the file has changed since. */
  async add(client: McpClient, revision: string): Promise<ClientConfig> {
    const file = await this.#fileOf(client);
    await this.#write(file, 'changed', async () => {
      const before = await readText(file);
      if (revisionOf(before) !== revision) throw changedSince(file, 'Look at the change again.');
      const changed = await this.#changed(client, before);
      if (changed.act === null) throw unreadable(file, changed.message);
      if (changed.act === 'same') return;
      await mkdir(dirname(file), { recursive: true });
      await checkWritable(file);
      // An entry of an earlier version is nothing to come back to, but what it replaced is.
      if (before === null || !hasOwnEntry(before, client, this.#entry)) {
        // A backup of an earlier change would be restored in place of what is there now.
        await rm(this.#backupOf(file), { force: true });
        if (before !== null) await copyFile(file, this.#backupOf(file));
      }
      await writeFileAtomically(file, changed.text);
    });
    return this.read(client);
  }

  /** A client's file with the entry in it. A new one that would hide another file isn't created. */
  async #changed(client: McpClient, before: string | null): Promise<ChangedFile> {
    const file = await this.#fileOf(client);
    const { insteadOf } = fileShapeOf(client);
    const other = insteadOf === undefined ? null : join(dirname(file), insteadOf);
    if (before !== null || other === null || !(await isThere(other)))
      return addEntry(before, client, this.#entry);
    const message =
      `${mcpClientLabels[client]} reads ${other}, and would no longer read it if this file existed. ` +
      'Move its settings to this file first.';
    return { act: null, message, line: null, column: null };
  }

  /** Takes the entry back (`takeOut`): all at once, and the backup only once that is done. */
  async undo(client: McpClient): Promise<ClientConfig> {
    const file = await this.#fileOf(client);
    await this.#write(file, 'restored', async () => {
      const { backup, taken } = await this.#findUndo(client, await readText(file));
      if (typeof taken === 'string') throw notTaken(file, this.#entry.name, taken, backup);
      if (taken.text === null) await rm(file);
      else await writeFileAtomically(file, taken.text);
      if (backup !== null) await rm(backup);
    });
    return this.read(client);
  }

  async #findUndo(
    client: McpClient,
    now: string | null,
  ): Promise<{ backup: string | null; taken: ReturnType<typeof takeOut> }> {
    const backup = this.#backupOf(await this.#fileOf(client));
    const before = await readText(backup).catch(() => null);
    const taken = takeOut(now, before, client, this.#entry);
    return { backup: before === null ? null : backup, taken };
  }

  async #write(file: string, what: string, work: () => Promise<void>): Promise<void> {
    // A second click waits, and finds what the first one left.
    const before = writing.get(file) ?? Promise.resolve();
    const done = before.then(work);
    const settled = done.catch(() => undefined);
    writing.set(file, settled);
    try {
      await done;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new ServiceError('TROUBLE', {
        thing: file,
        cause: `It was not ${what}. ${fileCause(error, 'write')}`,
        nextStep: explainFileProblem(error, 'write')?.nextStep ?? 'Check the file, then try again.',
      });
    } finally {
      if (writing.get(file) === settled) writing.delete(file);
    }
  }

  #backupOf(file: string): string {
    return file + this.#suffix;
  }

  async #fileOf(client: McpClient): Promise<string> {
    const label = mcpClientLabels[client];
    const [first, older] = knownLocations(this.#machine).filter((known) => known.client === label);
    if (first === undefined) throw new Error(`No file of ${label} is known.`);
    const isOlder =
      fileShapeOf(client).hasOlderPlace === true &&
      older !== undefined &&
      !(await isThere(first.path)) &&
      (await isThere(older.path));
    return isOlder ? older.path : first.path;
  }
}

/** Changes in progress, by file. */
const writing = new Map<string, Promise<unknown>>();

const isThere = async (file: string): Promise<boolean> =>
  (await stat(file).catch(() => null)) !== null;

const revisionOf = (text: string | null): string => (text === null ? 'none' : sha256(text));

/** Null if there is no file. */
async function readText(file: string): Promise<string | null> {
  const stats = await stat(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (stats === null) return null;
  if (stats.size > maxServerFileLength)
    throw new Error(`It has ${formatCount(stats.size)} bytes, more than are read.`);
  return readEditableFile(file);
}

function changedSince(file: string, nextStep: string): ServiceError {
  return new ServiceError('CONFLICT', {
    thing: file,
    cause: 'It has changed in the meantime. Nothing was written.',
    nextStep,
  });
}

function notTaken(file: string, name: string, why: NotTaken, backup: string | null): ServiceError {
  const kept = backup === null ? '' : ` The backup is ${backup}.`;
  const [cause, nextStep] = {
    missing: [
      `The entry "${name}" of Touchstone isn’t in it any more.`,
      'Read the file: it may be restored already.',
    ],
    changed: [`"${name}" was changed since it was added.`, `Take it out there by hand.${kept}`],
    unreadable: ['It can’t be read.', 'Fix the file, then try again.'],
    'by hand': [
      `"${name}" can’t be taken out of it line by line.`,
      `Take it out there by hand.${kept}`,
    ],
  }[why] as [string, string];
  return new ServiceError('CONFLICT', {
    ...{ thing: file, cause: `${cause} Nothing was written.`, nextStep },
  });
}

function unreadable(file: string, message: string): ServiceError {
  return new ServiceError('INVALID', {
    thing: file,
    cause: message,
    nextStep: 'Fix the file, then try again.',
  });
}

const contextLines = 2;
const mask = '"…"';

/**
 * The lines that differ between two texts, which are one block, with lines around them. Strings that
 * are values are masked unless they are among `shown`: other entries hold tokens.
 *
 * @param plain whether texts may have no quotes, as in YAML
 */
export function describeChange(
  before: string,
  after: string,
  shown: readonly string[],
  plain = false,
): ClientChange {
  const old = before === '' ? [] : before.split(/\r?\n/);
  const next = after.split(/\r?\n/);
  let same = 0;
  while (same < old.length && same < next.length && old[same] === next[same]) same += 1;
  let end = 0;
  while (
    end < old.length - same &&
    end < next.length - same &&
    old[old.length - 1 - end] === next[next.length - 1 - end]
  )
    end += 1;
  const visible = new Set(shown.map((text) => JSON.stringify(text)));
  const masked = (lines: readonly string[]): string[] =>
    lines.map((line) => (plain ? maskPlain : maskValues)(line, visible));
  const first = Math.max(0, same - contextLines);
  return {
    line: first + 1,
    above: masked(old.slice(first, same)),
    removed: masked(old.slice(same, old.length - end)),
    added: masked(next.slice(same, next.length - end)),
    below: masked(next.slice(next.length - end, next.length - end + contextLines)),
  };
}

/** Masks strings that aren't names of keys, and comments, which may hold a disabled entry. */
function maskValues(line: string, visible: ReadonlySet<string>): string {
  return line.replaceAll(
    /("(?:[^"\\]|\\.)*"|'[^']*')(\s*:)?|(\/\/.*$|\/\*.*?(?:\*\/|$)|#.*$)/g,
    (whole: string, text: string | undefined, colon: string | undefined) => {
      if (text === undefined) return whole.startsWith('#') ? '# …' : '// …';
      return colon === undefined && !visible.has(text) ? mask : `${text}${colon ?? ''}`;
    },
  );
}

/** Masks what follows the name in a line of YAML too, unless all of it is in quotes. */
function maskPlain(line: string, visible: ReadonlySet<string>): string {
  const [, head = '', rest = ''] = /^(\s*(?:- +)*(?:[\w.-]+:(?= |$) *)?)(.*)$/.exec(line) ?? [];
  const isQuoted = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|\b(?:true|false)\b|[[\]{},:\s])*(?:#.*)?$/.test(
    rest,
  );
  return isQuoted ? maskValues(line, visible) : head + mask;
}
