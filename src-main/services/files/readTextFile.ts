import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { decodeText } from '../../../src-shared/display/decodeText.ts';
import {
  FileTooLarge,
  NotPlainFile,
  readPlainFile,
  readPlainFileSync,
} from '../../runtime/plainFile.ts';

/**
 * Reads a text file of a person or another program without its byte order mark. Throws ServiceError
 * INVALID with the place of the first byte that isn't text, and as `readPlainFile` does.
 */
export async function readTextFile(file: string): Promise<string> {
  return textOf(await readPlainFile(file), file);
}

/** Like `readTextFile`, for callers that can't wait. Its errors name the file. */
export function readTextFileSync(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readPlainFileSync(file);
  } catch (error) {
    if (!(error instanceof NotPlainFile || error instanceof FileTooLarge)) throw error;
    throw new Error(`${file}: ${error.message} Give a plain file.`, { cause: error });
  }
  return textOf(bytes, file);
}

/**
 * Like `readTextFile`, for a file that is written again: it must be UTF-8, and keeps its byte order
 * mark.
 */
export async function readEditableFile(file: string): Promise<string> {
  const bytes = await readPlainFile(file);
  const decoded = decodeText(bytes);
  if (decoded.problem === null && decoded.encoding !== 'utf-8')
    throw new Error(
      `It’s ${decoded.encoding.toUpperCase()}, and would be written as UTF-8. Save it as UTF-8.`,
    );
  const mark = bytes.subarray(0, 3).equals(utf8Mark) ? '\ufeff' : '';
  return mark + (decoded.text ?? textOf(bytes, file));
}

const utf8Mark = Buffer.from('\ufeff');

function textOf(bytes: Uint8Array, file: string): string {
  const { text, problem } = decodeText(bytes);
  if (problem === null) return text;
  throw new ServiceError('INVALID', {
    thing: `${file}, line ${problem.line}, column ${problem.column}`,
    cause: problem.cause,
    nextStep: problem.remedy,
  });
}
