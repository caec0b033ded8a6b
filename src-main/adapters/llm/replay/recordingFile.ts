import { open, type FileHandle } from 'node:fs/promises';
import { errorCode, errorText } from '../../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type {
  RecordedExchange,
  RecordedOffer,
  RecordedTask,
} from '../../../../src-shared/domain/recordedExchange.ts';

/** A file that exchanges are appended to, without secrets. */
export interface RecordingFile {
  /** Resolves when the line is on disk. Lines that wait are written together. */
  append(line: RecordedExchange | RecordedTask | RecordedOffer): Promise<void>;
  /** Writes the lines that still wait. */
  close(): Promise<void>;
}

/**
 * Opens a recording for appending, and creates it where there is none. An incomplete last line from
 * an interrupted program is removed first, so that it doesn't become a damaged line in the middle.
 */
export async function openRecordingFile(
  file: string,
  warn: (message: string) => void,
  redactValue: Secrets['redactValue'],
): Promise<RecordingFile> {
  const handle = await open(file, 'a+', 0o600).catch((error: unknown) => {
    throw fileError(file, 'cannot be opened for writing', error);
  });
  await rejectOtherFile(handle, file);
  try {
    if (await removeIncompleteLine(handle))
      warn(`${file}: its last line was cut off while it was being written and has been removed.`);
  } catch (error) {
    await handle.close();
    throw fileError(file, 'cannot be read', error);
  }

  let waiting: string[] = [];
  let writing: Promise<void> | null = null;
  const writeWaiting = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    writing = null;
    // One write of whole lines: another program that appends can't split them.
    await handle.appendFile(lines.join(''));
    await handle.datasync();
  };
  let last = Promise.resolve();
  return {
    append(exchange) {
      waiting.push(`${JSON.stringify(redactValue(exchange))}\n`);
      if (!writing) {
        writing = last.then(writeWaiting).catch((error: unknown) => {
          throw fileError(file, 'cannot be written', error);
        });
        last = writing.catch(() => undefined);
      }
      return writing;
    },
    async close() {
      await last;
      await handle.close();
    },
  };
}

/** Rejects a file that is not a recording: nothing is appended to it or removed from it. */
async function rejectOtherFile(handle: FileHandle, file: string): Promise<void> {
  const stat = await handle.stat();
  const head = Buffer.alloc(8);
  const read = stat.isFile() ? await handle.read(head, 0, head.length, 0) : null;
  if (read && '{"key":"'.startsWith(head.toString('latin1', 0, read.bytesRead))) return;
  await handle.close();
  const cause = read
    ? 'It contains something other than recorded exchanges.'
    : "It isn't a regular file.";
  throw new ServiceError('INVALID', {
    thing: `Recording ${file}`,
    cause,
    nextStep: 'Choose a new file.',
    field: 'recordFile',
  });
}

/**
 * How much of the end is read at once: a recording may be larger than memory, and its last line is
 * usually short.
 */
const blockBytes = 64 * 1024;

/** True where an incomplete last line was removed. A line that lacks only its line end gets one. */
async function removeIncompleteLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  const { start, text } = await readLastLine(handle, size);
  if (start === size) return false;
  try {
    JSON.parse(text);
  } catch {
    await handle.truncate(start);
    return true;
  }
  await handle.appendFile('\n');
  return false;
}

/** The text after the last line end and its offset, read backwards in blocks. */
async function readLastLine(
  handle: FileHandle,
  size: number,
): Promise<{ start: number; text: string }> {
  const blocks: Buffer[] = [];
  let start = size;
  while (start > 0) {
    const from = Math.max(0, start - blockBytes);
    const block = Buffer.alloc(start - from);
    await handle.read(block, 0, block.length, from);
    const end = block.lastIndexOf(0x0a) + 1;
    blocks.unshift(block.subarray(end));
    start = from + end;
    if (end > 0) break;
  }
  return { start, text: Buffer.concat(blocks).toString('utf8') };
}

const reasons: Record<string, string> = {
  ENOENT: "its folder doesn't exist",
  ENOTDIR: 'part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
};

function reasonOf(error: unknown): string {
  const code = errorCode(error) ?? '';
  return reasons[code] ?? errorText(error);
}

function fileError(file: string, what: string, error: unknown): ServiceError {
  return new ServiceError(
    'TROUBLE',
    {
      thing: `Recording ${file}`,
      cause: `It ${what}: ${reasonOf(error)}.`,
      nextStep:
        'Choose a file in a writable folder with free space, or evaluate without ' + 'recording.',
      field: 'recordFile',
    },
    { cause: error },
  );
}
