import type { Stats } from 'node:fs';
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isAscii } from 'node:buffer';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import {
  createProgramFolder,
  removeProgramFolder,
} from '../../../adapters/process/programFolder.ts';
import { FileTooLarge, notPlain, readPlainFile } from '../../../runtime/plainFile.ts';
import { decodeText } from '../../../../src-shared/display/decodeText.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { asFileError } from '../output/fileErrors.ts';
import { registerCleanup } from '../signals.ts';

type InputIo = Pick<CommandIo, 'stdin' | 'decoding'>;

/** Buffers of this size share their memory with no other. */
const releasedBytes = 1024 * 1024;
export const maxInputBytes = 256 * 1024 * 1024;

/**
 * Reads a text file, or standard input for `-`: the one way in which commands read text. Throws a
 * UsageError for a file that can't be read, and for one that is in no known encoding.
 */
export async function readInput(
  file: string,
  io: InputIo,
  maxBytes = maxInputBytes,
): Promise<string> {
  const bytes = await readBytes(file, io, maxBytes);
  const text = decodeInput(bytes, file, io);
  releaseBytes(bytes);
  return text;
}

/** The value of a JSON file, or of standard input for `-`. Throws a UsageError. */
export async function readJson(file: string, io: InputIo): Promise<unknown> {
  const text = await readInput(file, io);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file}: It isn't valid JSON (${errorText(error)}).`);
  }
}

/** Frees bytes that nothing else has: those of a large file would stay until much later. */
export function releaseBytes(bytes: Buffer): void {
  if (bytes.length > releasedBytes) (bytes.buffer as ArrayBuffer).transfer(0);
}

/** The text of an input; `firstLine` is the line of the file that the bytes start with. */
export function decodeInput(
  bytes: Buffer,
  file: string,
  { decoding }: Pick<InputIo, 'decoding'>,
  firstLine = 1,
): string {
  const { text, problem, ...found } = decodeText(bytes, decoding.encoding);
  if (problem !== null) {
    const { line, column, cause, suggestion, remedy } = problem;
    throw new UsageError(
      `${file === '-' ? 'standard input' : file}:${line + firstLine - 1}:${column}: ${cause} ` +
        (suggestion === null
          ? remedy
          : `Save it as UTF-8, or name its encoding, such as --encoding ${suggestion}.`),
    );
  }
  const isKept =
    decoding.encoding !== null &&
    'encoding' in found &&
    found.encoding !== decoding.encoding &&
    !isAscii(bytes);
  if (isKept) decoding.note(`${file}: It is ${found.encoding} and was read as that.`);
  return text;
}

/** Reads a file that may be binary, or standard input for `-`. */
export async function readBytes(file: string, io: InputIo, maxBytes: number): Promise<Buffer> {
  if (file === '-') return readPipe(takeStandardInput(io), 'standard input', maxBytes);
  try {
    const found = await statInput(file);
    if (found.size > maxBytes) throw tooLarge(file, maxBytes, `${formatCount(found.size)} bytes, `);
    return found.isFIFO()
      ? await readPipe(createReadStream(file), file, maxBytes)
      : await readPlainFile(file, { maxBytes });
  } catch (error) {
    if (error instanceof FileTooLarge) throw tooLarge(file, maxBytes);
    throw asFileError(error, file) ?? error;
  }
}

const consumed = new WeakSet<CommandIo['stdin']>();

/**
 * Standard input can be read only once. A second option that names it would get nothing and report
 * an empty file.
 */
export function takeStandardInput({ stdin }: InputIo): CommandIo['stdin'] {
  if (consumed.has(stdin))
    throw new UsageError(
      'Standard input can be read for one option only. Put the others into files.',
    );
  consumed.add(stdin);
  return stdin;
}

/** The pipe that a shell passes for `<(command)`: it is open already and ends with its command. */
function isProcessSubstitution(file: string): boolean {
  return /^\/(?:dev|proc\/self)\/fd\/\d+$|^\/dev\/stdin$/.test(file);
}

/** Rejects folders, devices (which may never end) and named pipes (which nobody may write to). */
export async function statInput(file: string): Promise<Stats> {
  const found = await stat(file).catch((error: unknown) => {
    throw asFileError(error, file) ?? error;
  });
  if (found.isFile() || (found.isFIFO() && isProcessSubstitution(file))) return found;
  throw new UsageError(
    `${file}: ${notPlain(found) ?? ''} Give a file, or use - for standard input.`,
  );
}

async function readPipe(
  pipe: AsyncIterable<Buffer | string>,
  name: string,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of pipe) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw tooLarge(name, maxBytes);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export const tooLarge = (file: string, maxBytes: number, size = '') =>
  new UsageError(
    `${file}: It has ${size}more than the ${formatCount(maxBytes)} bytes that are read at once. Split it.`,
  );

/** An input that can be read by path until it is removed. */
export interface StoredInput {
  /** Absolute, because a running window that does the work has another working folder. */
  path: string;
  remove(): Promise<void>;
}

/**
 * Keeps an input that the services read by path. Input from a pipe, or in a given encoding, is
 * copied to a temporary file until `remove`.
 */
export async function storeInput(file: string, io: InputIo): Promise<StoredInput> {
  const isFile = file !== '-' && !(await statInput(file)).isFIFO();
  if (isFile && io.decoding.encoding === null)
    return { path: resolve(file), remove: async () => undefined };
  const input = await readBytes(file, io, maxInputBytes);
  return storeText(io.decoding.encoding === null ? input : decodeInput(input, file, io));
}

/** Keeps a text in a temporary file until `remove`. */
export async function storeText(bytes: Buffer | string): Promise<StoredInput> {
  const folder = await createProgramFolder();
  const path = join(folder, 'standard-input.jsonl');
  await writeFile(path, bytes, { mode: 0o600 });
  const remove = async (): Promise<void> => {
    await removeProgramFolder(folder).finally(unregister);
  };
  const unregister = registerCleanup(remove);
  return { path, remove };
}
