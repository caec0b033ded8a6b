import { createReadStream } from 'node:fs';
import type { CommandIo } from '../commandIo.ts';
import { asFileError } from '../output/fileErrors.ts';
import { decodeInput, maxInputBytes, statInput, takeStandardInput, tooLarge } from './files.ts';

const newline = 0x0a;

/**
 * The lines of a text file, or of standard input for `-`, without their ends. Text in UTF-8 is never
 * in memory as a whole; a byte order mark of UTF-16 or `--encoding` needs all of it. Throws a
 * UsageError like `readInput`, after the lines before the one that can't be read.
 */
export async function* readLines(file: string, io: CommandIo): AsyncGenerator<string> {
  if (file !== '-') await statInput(file);
  const input = file === '-' ? takeStandardInput(io) : createReadStream(file);
  let number = 0;
  const decode = (bytes: Buffer): string => decodeInput(bytes, file, io, number).replace(/\r$/, '');
  // Parts of a line that isn't complete: they are joined once, however many chunks it has.
  let parts: Buffer[] = [];
  let waiting = 0;
  let isWhole = io.decoding.encoding !== null;
  let examined = 0;
  try {
    for await (const chunk of input) {
      let bytes = Buffer.from(chunk as Buffer | string);
      if (examined < 2 && !isWhole) {
        bytes = Buffer.concat([...parts, bytes]);
        parts = [];
        examined = bytes.length;
        isWhole = isWideText(bytes);
      }
      for (
        let end = isWhole ? -1 : bytes.indexOf(newline);
        end >= 0;
        end = bytes.indexOf(newline)
      ) {
        number += 1;
        yield decode(Buffer.concat([...parts, bytes.subarray(0, end)]));
        parts = [];
        waiting = 0;
        bytes = bytes.subarray(end + 1);
      }
      parts.push(bytes);
      waiting += bytes.length;
      if (waiting > maxInputBytes) throw tooLarge(`${file}:${number + 1}`, maxInputBytes);
    }
    const rest = Buffer.concat(parts);
    if (isWhole) yield* decodeInput(rest, file, io).split(/\r?\n/);
    else if (rest.length > 0) {
      number += 1;
      yield decode(rest);
    }
  } catch (error) {
    throw asFileError(error, file) ?? error;
  } finally {
    // If nobody reads the lines any more, the rest of the input is not awaited.
    input.destroy();
  }
}

/** In UTF-16, a byte of a line feed says nothing about lines. */
const isWideText = (bytes: Buffer): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) ||
  (bytes[0] === 0xfe && bytes[1] === 0xff) ||
  bytes[0] === 0 ||
  bytes[1] === 0;
