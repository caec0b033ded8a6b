import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file whole or not at all. Once written, it survives a power cut. */
export function writeDurably(file: string, content: string | Buffer): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, 'w', 0o600);
  try {
    writeWhole(handle, typeof content === 'string' ? Buffer.from(content) : content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  syncPath(dirname(file));
}

/**
 * Also syncs folders, because a new name is durable only after its folder was synced. Windows
 * neither offers nor needs that.
 */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** One call may write a part only, such as on a disk that fills up. */
function writeWhole(handle: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
}
