import { manyFilesText, textOf, toBase64 } from '../../../ui/files/readText.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { maxServerFileLength } from '../../../../src-shared/contract/servers.ts';

/** The source of an import: a text from this window, or a known file that the core reads itself. */
export type ImportSource = { fileName: string; text: string } | { path: string };

export type ReadSource = { ok: true; source: ImportSource } | { ok: false; problem: string };

const zipSign = [0x50, 0x4b, 0x03, 0x04];

/**
 * A bundle is sent as Base64, everything else as text. A file that is too large isn't read at all.
 */
export async function readSource(
  file: Pick<File, 'name' | 'size' | 'arrayBuffer'>,
): Promise<ReadSource> {
  const limit = (maxServerFileLength / 4) * 3;
  if (file.size > limit)
    return {
      ok: false,
      problem:
        `“${file.name}” is larger than ${limit / 1024 / 1024} MB, more than any list of ` +
        'servers needs.',
    };
  const read = await file.arrayBuffer().catch(() => null);
  if (read === null)
    return {
      ok: false,
      problem: `“${file.name}” can’t be read. It may be a folder, or it was removed.`,
    };
  const bytes = new Uint8Array(read);
  const isZip = zipSign.every((byte, index) => bytes[index] === byte);
  try {
    const text = isZip ? toBase64(bytes) : textOf(file.name, bytes);
    return { ok: true, source: { fileName: file.name, text } };
  } catch (error) {
    return { ok: false, problem: errorText(error) };
  }
}

/** The same for what was dropped at once, which is one file if it is to be read. */
export const readDropped = async (files: readonly File[]): Promise<ReadSource> =>
  files.length === 1 && files[0] !== undefined
    ? readSource(files[0])
    : { ok: false, problem: manyFilesText(files.length) };

/** Names a pasted text by its content: an install link, TOML or JSON. */
export function pastedSource(text: string): ImportSource {
  const trimmed = text.trim();
  if (/^(?:cursor|lmstudio|vscode|vscode-insiders|https):\S+$/i.test(trimmed))
    return { fileName: 'link', text: trimmed };
  return {
    fileName:
      trimmed.startsWith('[') && /^\[\s*mcp_servers/m.test(trimmed) ? 'pasted.toml' : 'pasted.json',
    text,
  };
}

export function sourceName(source: ImportSource): string {
  return 'path' in source ? source.path : source.fileName;
}
