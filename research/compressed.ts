/**
 * Files of texts, compressed with Brotli: a third smaller than by gzip. To read one:
 *
 *   node research/compressed.ts FILE
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

export const readCompressed = (file: string): string =>
  brotliDecompressSync(readFileSync(file)).toString('utf8');

export function writeCompressed(file: string, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  writeFileSync(
    file,
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  );
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error('Name the file as the first argument.');
  process.stdout.write(readCompressed(file));
}
