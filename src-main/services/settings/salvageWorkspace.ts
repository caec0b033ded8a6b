import { join } from 'node:path';
import { copyAside, exportReadable, type SalvagedTable } from '../../store/durability/salvage.ts';
import { systemClock } from '../../runtime/clock.ts';

export interface Salvaged {
  /** Folder with an untouched copy of the database and its files. */
  copy: string;
  tables: SalvagedTable[];
}

/**
 * Rescues a workspace that cannot be opened: first copies everything, then writes each table as
 * JSON lines as far as it can be read.
 */
export function salvageWorkspace(folder: string, into: string): Salvaged {
  const file = join(folder, 'touchstone.sqlite');
  return { copy: copyAside(file, systemClock), tables: exportReadable(file, into) };
}
