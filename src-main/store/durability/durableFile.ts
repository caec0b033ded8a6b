import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file whole or not at all. Once written, it survives a power cut. */
export function writeDurably(file: string, text: string): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, 'w', 0o600);
  try {
    writeSync(handle, text);
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
