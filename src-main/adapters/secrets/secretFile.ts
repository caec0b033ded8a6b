import { existsSync, rmSync, statSync } from 'node:fs';
import { asSentence } from '../../../src-shared/domain/asSentence.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  checkFile,
  damagedFile,
  newFile,
  openFile,
  problemOfFile,
  reopenFile,
  sealFile,
  type OpenedFile,
} from './encryptedFile.ts';
import { fileCause } from '../../runtime/fileProblem.ts';
import { FileTooLarge, notPlain, ofOthers, readPlainFileSync } from '../../runtime/plainFile.ts';
import type { SecretsProblem } from './namedSecrets.ts';
import type { ValueStore } from './valueStore.ts';

/** The encrypted file, in the folder of the workspace. */
export const keysFileName = 'touchstone.keys';
/** The variable that opens the file where nobody can be asked. */
export const passphraseVariable = 'TOUCHSTONE_KEYS_PASSPHRASE';

/** Gets the problem of the previous answer; null if there is nobody to ask. */
export type AskPassphrase = (problem: string | null) => Promise<string | null>;

export interface SecretFileParts {
  file: string;
  /** Writes a file whole or not at all, readable by its user alone. Without it, nothing is written. */
  write?: (file: string, text: string) => void;
  /** The passphrase of the environment. */
  passphrase?: string | undefined;
  ask?: AskPassphrase | undefined;
}

const maxAnswers = 3;
/** Keys take a few kilobytes. */
const maxBytes = 16 * 1024 * 1024;

/**
 * The encrypted file of keys. It is in use if it exists. While it is locked, nothing is read from it
 * or written to it.
 */
export class SecretFile implements ValueStore {
  readonly #parts: SecretFileParts;
  /** The values with the text that they were read from. */
  #opened: { text: string; file: OpenedFile } | null = null;
  /** Why a passphrase didn't open a content of the file. */
  #refused: { text: string; problem: SecretsProblem } | null = null;
  #asked: Promise<void> | null = null;

  constructor(parts: SecretFileParts) {
    this.#parts = parts;
  }

  get exists(): boolean {
    return existsSync(this.#parts.file);
  }

  /** Why the values can't be read; null if they can. */
  async problem(): Promise<SecretsProblem | null> {
    if (!this.exists || (await this.#open()) !== null) return null;
    try {
      // Looked at each time: the file may have been replaced since.
      const text = this.#readChecked();
      if (this.#refused?.text === text) return this.#refused.problem;
    } catch (error) {
      return problemOf(error);
    }
    return { text: 'The key file is locked.', locked: true };
  }

  async get(account: string): Promise<string | null> {
    return (await this.#open())?.values.get(account) ?? null;
  }

  set(account: string, value: string): Promise<boolean> {
    return this.#change((values) => values.set(account, value));
  }

  remove(account: string): Promise<boolean> {
    return this.#change((values) => values.delete(account));
  }

  /** All values, by account. */
  async values(): Promise<ReadonlyMap<string, string>> {
    return (await this.#open())?.values ?? new Map();
  }

  /** Creates the file with these values. Throws if there is one. */
  async create(passphrase: string, values: ReadonlyMap<string, string>): Promise<void> {
    if (this.exists)
      throw problemOfFile('Keys are already in an encrypted file.', 'Change its passphrase.');
    this.#write({ ...(await newFile(passphrase)), values: new Map(values) });
  }

  async unlock(passphrase: string): Promise<void> {
    const text = this.#read();
    this.#opened = { text, file: await openFile(text, passphrase) };
    this.#refused = null;
  }

  async changePassphrase(current: string, next: string): Promise<void> {
    const { values } = await openFile(this.#read(), current);
    this.#write({ ...(await newFile(next)), values });
  }

  delete(): void {
    rmSync(this.#parts.file, { force: true });
    [this.#opened, this.#refused, this.#asked] = [null, null, null];
  }

  #read(): string {
    const { file } = this.#parts;
    const problem = whyNotOwn(file);
    if (problem !== null)
      throw problemOfFile(
        problem,
        `Make ${file} a file of yours that nobody else reads (chmod 600).`,
      );
    try {
      return readPlainFileSync(file, maxBytes).toString();
    } catch (error) {
      if (error instanceof FileTooLarge) throw damagedFile();
      throw problemOfFile(fileCause(error, 'read'), 'Fix that and try again.');
    }
  }

  /** Throws where no passphrase can open the file. */
  #readChecked(): string {
    const text = this.#read();
    checkFile(text);
    return text;
  }

  #write(opened: OpenedFile): void {
    const { file, write } = this.#parts;
    const text = sealFile(opened);
    try {
      if (write === undefined) throw new Error('This command only reads it');
      write(file, text);
    } catch (error) {
      throw new ServiceError('TROUBLE', {
        thing: 'File of keys',
        cause: `${fileCause(error, 'write')} It was left unchanged.`,
        nextStep: 'Fix that and try again.',
      });
    }
    this.#opened = { text, file: opened };
  }

  async #change(change: (values: Map<string, string>) => unknown): Promise<boolean> {
    const opened = await this.#open();
    if (opened === null) return false;
    const values = new Map(opened.values);
    change(values);
    try {
      this.#write({ ...opened, values });
      return true;
    } catch {
      // The caller says that the change wasn’t kept.
      return false;
    }
  }

  /** Opens the file with what the environment or a person gives, once. Null while it is locked. */
  async #open(): Promise<OpenedFile | null> {
    if (!this.exists) return null;
    if (this.#opened === null) await (this.#asked ??= this.#openByItself());
    return this.#readAgain();
  }

  /** What another process wrote meanwhile must not be lost with the next change. */
  #readAgain(): OpenedFile | null {
    if (this.#opened === null) return null;
    const { text: before, file: opened } = this.#opened;
    let text = '';
    try {
      text = this.#read();
      if (text === before) return opened;
      const file = reopenFile(text, opened);
      this.#opened = file === null ? null : { text, file };
    } catch (error) {
      this.#opened = null;
      this.#refused = { text, problem: problemOf(error) };
    }
    return this.#opened?.file ?? null;
  }

  async #openByItself(): Promise<void> {
    const { passphrase, ask } = this.#parts;
    const text = orElse(() => this.#readChecked(), null);
    // Nobody is asked for a passphrase that opens nothing.
    if (text === null) return;
    if (passphrase) {
      await this.#tryPassphrase(text, passphrase, ` It is from ${passphraseVariable}.`);
      return;
    }
    for (let count = 0; count < maxAnswers && this.#opened === null; count += 1) {
      const refused = this.#refused?.problem;
      if (refused?.locked === false) return;
      const answer = (await ask?.(refused?.text ?? null)) ?? null;
      if (answer === null) return;
      await this.#tryPassphrase(text, answer);
    }
  }

  /** @param origin where the passphrase is from, for the case that it is the one at fault */
  async #tryPassphrase(text: string, passphrase: string, origin = ''): Promise<void> {
    try {
      this.#opened = { text, file: await openFile(text, passphrase) };
      this.#refused = null;
    } catch (error) {
      this.#refused = { text, problem: problemOf(error, origin) };
    }
  }
}

function problemOf(error: unknown, origin = ''): SecretsProblem {
  if (!(error instanceof ServiceError))
    return { text: asSentence(errorText(error)), locked: false };
  const { cause, nextStep, field } = error.data;
  const locked = field === 'passphrase';
  return { text: locked ? cause + origin : `${cause} ${nextStep}`, locked };
}

/** Why a file may be known to, or be, somebody else's: then its values count as told to them. */
function whyNotOwn(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return notPlain(found) ?? ofOthers(found, 0o077, 'read');
}
