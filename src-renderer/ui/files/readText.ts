import { decodeText } from '../../../src-shared/display/decodeText.ts';
import { counted } from '../../../src-shared/display/numbers.ts';

type ReadableFile = Pick<File, 'name' | 'arrayBuffer'>;

/**
 * The text of a chosen file: the one way in which screens read text. Throws an Error with the place
 * of the first byte that isn't text.
 */
export async function readText(file: ReadableFile): Promise<string> {
  return textOf(file.name, new Uint8Array(await file.arrayBuffer()));
}

/** The same for bytes that were read already. */
export function textOf(name: string, bytes: Uint8Array): string {
  const { text, problem } = decodeText(bytes);
  if (problem === null) return text;
  throw new Error(
    `“${name}” can’t be read: line ${problem.line}, column ${problem.column}: ${problem.cause} ` +
      problem.remedy,
  );
}

/** What is said where several files are dropped at once, and one is taken. */
export const manyFilesText = (count: number): string =>
  `${counted(count, 'file')} were dropped. Drop one at a time.`;

/** Bytes for the core, which takes texts alone. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
