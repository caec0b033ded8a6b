import { formatCount } from '../../src-shared/display/numbers.ts';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  type Stats,
} from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

/** What a path leads to may never end, or never begin, so it is not opened. */
export class NotPlainFile extends Error {
  override readonly name = 'NotPlainFile';
}

export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  /** What it says it has. */
  readonly bytes: number;

  constructor(bytes: number, maxBytes: number) {
    super(`It has more than the ${formatCount(maxBytes)} bytes that are read at once.`);
    this.bytes = bytes;
  }
}

/** Why a path is no plain file, as a sentence; null if it is one. */
export function notPlain(found: Stats): string | null {
  if (found.isFile()) return null;
  if (found.isDirectory()) return "It's a folder.";
  if (found.isFIFO()) return 'It is a named pipe.';
  return found.isSocket() ? 'It is a socket.' : 'It is a device.';
}

/**
 * Why others can read or change a file, as a sentence; null if they can't. Windows has no such modes:
 * there, the folder of a user is closed to others.
 * @param mode the bits that must not be set
 */
export function ofOthers(found: Stats, mode: number, act: 'read' | 'change'): string | null {
  const own = process.getuid?.();
  if (own === undefined) return null;
  if (found.uid !== own) return `It belongs to another user (${found.uid}).`;
  return (found.mode & mode) === 0 ? null : `Other users can ${act} it.`;
}

export interface PlainFileOptions {
  maxBytes?: number;
  /** Further flags to open it with, such as O_NOFOLLOW. */
  flags?: number;
  /** Throws at what must not be read. */
  check?: (found: Stats) => void;
}

// It doesn't wait for the other end of a pipe, should one have taken the place of the file meanwhile.
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

function examine(
  found: Stats,
  { maxBytes = Number.POSITIVE_INFINITY, check }: PlainFileOptions,
): void {
  const problem = notPlain(found);
  if (problem !== null) throw new NotPlainFile(problem);
  if (found.size > maxBytes) throw new FileTooLarge(found.size, maxBytes);
  check?.(found);
}

/**
 * Opens a plain file for reading: the one way to open what people, other programs and folders name.
 * Throws NotPlainFile at a folder, pipe, socket or device, FileTooLarge, and the system's errors.
 */
export async function openPlainFile(file: string, how: PlainFileOptions = {}): Promise<FileHandle> {
  // To open a device can have effects of its own.
  examine(await stat(file), how);
  const handle = await open(file, readOnly | (how.flags ?? 0));
  try {
    examine(await handle.stat(), how);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const stepBytes = 1024 * 1024;
/** No file that is read as a whole is larger. */
const largestBytes = 1024 * 1024 * 1024;

/**
 * Reads a plain file of at most `maxBytes`. One that grows, or that has another size than it says, is
 * refused as soon as it has more. Throws as `openPlainFile` does.
 */
export async function readPlainFile(
  file: string,
  { maxBytes = largestBytes, ...how }: PlainFileOptions = {},
): Promise<Buffer> {
  const handle = await openPlainFile(file, { maxBytes, ...how });
  try {
    const { size } = await handle.stat();
    const parts: Buffer[] = [];
    let [length, bytesRead] = [0, 0];
    do {
      const rest = Math.max(size - length + 1, parts.length === 0 ? 1 : stepBytes);
      const part = Buffer.allocUnsafe(rest);
      ({ bytesRead } = await handle.read(part, 0, part.length, null));
      length += bytesRead;
      if (length > maxBytes) throw new FileTooLarge(length, maxBytes);
      if (bytesRead > 0) parts.push(part.subarray(0, bytesRead));
    } while (bytesRead > 0);
    return parts.length === 1 ? (parts[0] ?? Buffer.of()) : Buffer.concat(parts);
  } finally {
    await handle.close();
  }
}

/** `openPlainFile` for callers that can't wait. Returns a file descriptor. */
export function openPlainFileSync(file: string, how: PlainFileOptions = {}): number {
  examine(statSync(file), how);
  const handle = openSync(file, readOnly);
  try {
    examine(fstatSync(handle), how);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** `readPlainFile` for callers that can't wait. */
export function readPlainFileSync(file: string, maxBytes = largestBytes): Buffer {
  const handle = openPlainFileSync(file, { maxBytes });
  try {
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}
