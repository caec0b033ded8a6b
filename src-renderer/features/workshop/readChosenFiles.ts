import { readText, textOf } from '../../ui/files/readText.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';

interface NamedText {
  path: string;
  text: string;
}

/** Maximum size of an unpacked archive, whatever it claims. */
const maxBytes = 64 * 1024 * 1024;
const wanted = /\.(json|py|sh)$/i;

/**
 * The texts of the chosen files, including those in archives. Throws an Error that names an
 * unreadable archive.
 */
export async function readChosenFiles(chosen: readonly File[]): Promise<NamedText[]> {
  const read = await Promise.all(
    chosen.map(async (file) =>
      file.name.toLowerCase().endsWith('.zip')
        ? unpack(file.name, new Uint8Array(await file.arrayBuffer()))
        : [{ path: file.name, text: await readText(file) }],
    ),
  );
  return read.flat();
}

async function unpack(name: string, bytes: Uint8Array): Promise<NamedText[]> {
  const { unzipSync } = await import('fflate');
  let unpacked = 0;
  const entries = (() => {
    try {
      return unzipSync(bytes, {
        filter: (entry) => wanted.test(entry.name) && (unpacked += entry.originalSize) <= maxBytes,
      });
    } catch (error) {
      throw new Error(`Couldn’t read the archive ${name} (${errorText(error)}).`, { cause: error });
    }
  })();
  if (unpacked > maxBytes)
    throw new Error(
      `${name} unpacks to more than ${maxBytes / 1024 / 1024} MB. Unpack it and choose the files.`,
    );
  return Object.entries(entries).map(([path, text]) => ({
    path,
    text: textOf(`${path} in ${name}`, text),
  }));
}
