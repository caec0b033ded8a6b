import { join } from 'node:path';
import { copyAside, exportReadable, type Salvage } from '../../store/durability/salvage.ts';
import { systemClock } from '../../runtime/clock.ts';

export interface Salvaged extends Salvage {
  /** Folder with an untouched copy of the database and its files. */
  copy: string;
}

/**
 * Rescues a workspace that cannot be opened: first copies everything, then writes each table as
 * JSON lines as far as it can be read.
 */
export function salvageWorkspace(folder: string, into: string): Salvaged {
  const file = join(folder, 'touchstone.sqlite');
  return { copy: copyAside(file, systemClock), ...exportReadable(file, into) };
}
