import { join } from 'node:path';
import { copyAside, exportReadable, type SalvagedTable } from '../../store/durability/salvage.ts';
import { systemClock } from '../../runtime/clock.ts';

export interface Salvaged {
  /** Holds an untouched copy of the database and all that belongs to it. */
  copy: string;
  tables: SalvagedTable[];
}

/**
 * For a workspace that can't be opened: a copy of everything first, then each table as JSON lines,
 * as far as it can be read.
 */
export function salvageWorkspace(folder: string, into: string): Salvaged {
  const file = join(folder, 'touchstone.sqlite');
  return { copy: copyAside(file, systemClock), tables: exportReadable(file, into) };
}
